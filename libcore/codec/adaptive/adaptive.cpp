#include "libcore/codec/adaptive/adaptive.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/adaptive/block_model.hpp"
#include "libcore/codec/adaptive/block_order.hpp"
#include "libcore/codec/adaptive/dna_contexts.hpp"
#include "libcore/codec/adaptive/sample_order.hpp"
#include "libcore/det/fp_environment.hpp"

#include <utility>

namespace logpx::codec::adaptive {
namespace {

constexpr std::uint32_t most_row = 1u << 20, most_plane = 1u << 22, most_sample_row = 1u << 17;

BlockModel model_of(Kind kind, Level level) {
  switch (kind) {
    case Kind::records: return record_model(level);
    case Kind::grey: return grey_model(level);
    case Kind::rgb: return rgb_model(level);
    case Kind::planar: return planar_model(level);
    case Kind::bits: return bit_model(level);
    case Kind::molecules: return molecule_model(level);
    case Kind::samples: return sample_model(level);
    case Kind::x86_code: return x86_model(level);
    case Kind::dna: return dna_model(level);
    case Kind::arm_code: return arm_model(level);
    case Kind::rgba: return rgba_model(level);
    case Kind::drawn_rgb: return drawn_rgb_model(level);
    case Kind::grey_of_2_5: return grey_model_of_2_5(level);
    default: return text_model(level);
  }
}

bool samples_fit(const Form& form, std::size_t size) {
  const SampleForm& samples = form.samples;
  if (samples.channels < 1 || samples.channels > SampleForm::most_channels || samples.bytes < 1 ||
      samples.bytes > SampleForm::most_bytes || samples.offset > size || form.row > most_sample_row)
    return false;
  const std::uint32_t frame = samples.frame();
  if (form.row == 0) return form.plane == 0;
  return form.row % frame == 0 && form.row >= 8 * frame && form.plane % form.row == 0;
}

// Contexts look up to five pixels ahead in the rows above.
bool drawing_fits(const Form& form, std::uint32_t pixel) {
  return form.row >= 6 * pixel && form.row % pixel == 0 && form.plane == 0;
}

std::vector<std::uint8_t> ordered(std::span<const std::uint8_t> data, const Form& form) {
  std::vector<std::uint8_t> block(data.begin(), data.end());
  order_block(block, form);
  return block;
}

// A block with what is read before it, of which samples learn nothing. In programs that has
// addresses of its own.
Canvas canvas_for(const Form& form, const Start& start, std::size_t size) {
  if (form.kind == Kind::samples) return {form, {}, size};
  const std::size_t read = start.before.size() / form.unit() * form.unit();
  Canvas canvas(form, ordered(start.before.last(read), form), size);
  canvas.taught = start.taught;
  return canvas;
}

// The canvas of a block, and the block as it is coded.
template <typename Encode>
std::vector<std::byte> encoded(std::span<const std::uint8_t> data, const Form& form,
                               const Start& start, const Encode& encode) {
  const det::FpEnvironment plain;
  Canvas canvas = canvas_for(form, start, data.size());
  return is_ordered(form) ? encode(ordered(data, form), canvas) : encode(data, canvas);
}

// Where contexts look before the first byte, they see the end of `data`.
void see_before(Canvas& canvas, std::span<const std::uint8_t> data, const Form& form) {
  const std::size_t begin = data.size() - std::min(data.size(), canvas.zeros);
  Form end = form;
  if (form.kind == Kind::samples) end.samples = samples_from(begin, form.samples);
  const std::vector<std::uint8_t> seen = ordered(data.subspan(begin), end);
  std::ranges::copy(seen, canvas.data() - seen.size());
}

// The bytes that `decode` fills into a canvas.
template <typename Decode>
std::vector<std::uint8_t> decoded(const Form& form, const Start& start, std::size_t size,
                                  const Decode& decode) {
  if (!fits(form, size)) fail(ErrorKind::data, "", "is of rows that do not fit its size");
  const det::FpEnvironment plain;
  Canvas canvas = canvas_for(form, start, size);
  decode(canvas);
  canvas.bytes.resize(canvas.bytes.size() - Canvas::behind);
  canvas.bytes.erase(canvas.bytes.begin(), canvas.bytes.end() - static_cast<std::ptrdiff_t>(size));
  restore_block(canvas.bytes, form);
  return std::move(canvas.bytes);
}

}  // namespace

bool fits(const Form& form, std::size_t size) {
  const auto& [kind, row, plane, samples] = form;
  if (row > size || plane > size || row > most_row || plane > most_plane) return false;
  if (kind == Kind::samples) return samples_fit(form, size);
  if (samples != SampleForm()) return false;
  switch (kind) {
    case Kind::text:
    case Kind::molecules:
    case Kind::x86_code:
    case Kind::dna:
    case Kind::arm_code: return row == 0 && plane == 0;
    case Kind::records: return row != 1 && plane == 0;
    case Kind::grey:
    case Kind::grey_of_2_5: return row >= 2;
    case Kind::rgb: return row >= 6 && plane == 0;
    case Kind::planar: return row >= 2 && plane > row;
    case Kind::bits: return row >= 1 && plane == 0;
    case Kind::rgba: return drawing_fits(form, 4);
    case Kind::drawn_rgb: return drawing_fits(form, 3);
    default: return false;
  }
  return false;
}

std::vector<std::byte> encode(std::span<const std::uint8_t> data, const Form& form,
                              const Start& start, std::size_t most) {
  LOGPX_ASSERT(fits(form, data.size()));
  return encoded(data, form, start, [&](std::span<const std::uint8_t> block, Canvas& canvas) {
    return model_of(form.kind, start.level).encode(block, canvas, form, most);
  });
}

std::size_t bytes_of_part(std::span<const std::uint8_t> data, std::size_t begin, const Form& form,
                          std::size_t most) {
  Form part = form;
  if (form.kind == Kind::samples) part.samples = samples_from(begin, form.samples);
  return encoded(data.subspan(begin), part, Level::normal,
                 [&](std::span<const std::uint8_t> block, Canvas& canvas) {
                   see_before(canvas, data.first(begin), form);
                   return model_of(form.kind, Level::normal).encode(block, canvas, part, most);
                 })
      .size();
}

std::vector<std::uint8_t> decode(std::span<const std::byte> coded, std::size_t size,
                                 const Form& form, const Start& start) {
  return decoded(form, start, size, [&](Canvas& canvas) {
    model_of(form.kind, start.level).decode(coded, canvas, form);
  });
}

std::vector<std::byte> encode_advised(std::span<const std::uint8_t> data, const Form& form,
                                      const Start& start, Adviser& adviser, std::size_t most) {
  LOGPX_ASSERT(fits(form, data.size()));
  return encoded(data, form, start, [&](std::span<const std::uint8_t> block, Canvas& canvas) {
    return model_of(form.kind, start.level).encode_advised(block, canvas, form, most, adviser);
  });
}

std::vector<std::uint8_t> decode_advised(std::span<const std::byte> coded, std::size_t size,
                                         const Form& form, const Start& start, Adviser& adviser) {
  return decoded(form, start, size, [&](Canvas& canvas) {
    model_of(form.kind, start.level).decode_advised(coded, canvas, form, adviser);
  });
}

std::uint64_t memory_for(std::size_t size, Level level) {
  // Weights, maps and contexts; and the rows that samples look back to.
  const std::uint64_t fixed =
      (std::uint64_t{1} << 20) + 16 * std::min<std::uint64_t>(size, most_sample_row);
  const std::size_t of_bases = level == Level::best
                                   ? other_tables<DnaContexts<Level::best>>(size)
                                   : other_tables<DnaContexts<Level::normal>>(size);
  std::uint64_t most = 0;
  for (const auto& [rare, others] :
       {std::pair<bool, std::size_t>{false, 0}, {true, 0}, {false, of_bases}}) {
    const Sizes sizes = sizes_for(size, level, rare, others);
    most = std::max<std::uint64_t>(most, sizes.lines * HistoryTable::line_bytes +
                                             sizes.buckets * RunTable::bucket_bytes +
                                             sizes.places * sizeof(std::uint32_t) +
                                             2 * sizes.rows * FinalMap::row_bytes + others);
  }
  return most + fixed;
}

}  // namespace logpx::codec::adaptive
