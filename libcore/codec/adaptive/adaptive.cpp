#include "libcore/codec/adaptive/adaptive.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/adaptive/block_model.hpp"

namespace logpx::codec::adaptive {
namespace {

constexpr std::uint32_t most_row = 1u << 20, most_plane = 1u << 22;

BlockModel model_of(Kind kind, Level level) {
  switch (kind) {
    case Kind::records: return record_model(level);
    case Kind::grey: return grey_model(level);
    case Kind::rgb: return rgb_model(level);
    case Kind::planar: return planar_model(level);
    case Kind::bits: return bit_model(level);
    case Kind::molecules: return molecule_model(level);
    default: return text_model(level);
  }
}

// The bytes that `decode` fills into a canvas.
template <typename Decode>
std::vector<std::uint8_t> decoded(const Form& form, const Start& start, std::size_t size,
                                  const Decode& decode) {
  if (!fits(form, size)) fail(ErrorKind::data, "", "is of rows that do not fit its size");
  Canvas canvas(form, start.before, size);
  decode(canvas);
  canvas.bytes.resize(canvas.bytes.size() - Canvas::behind);
  canvas.bytes.erase(canvas.bytes.begin(), canvas.bytes.end() - static_cast<std::ptrdiff_t>(size));
  return std::move(canvas.bytes);
}

}  // namespace

bool fits(const Form& form, std::size_t size) {
  const auto& [kind, row, plane, samples] = form;
  if (row > size || plane > size || row > most_row || plane > most_plane) return false;
  switch (kind) {
    case Kind::text:
    case Kind::molecules: return row == 0 && plane == 0;
    case Kind::records: return row != 1 && plane == 0;
    case Kind::grey: return row >= 2;
    case Kind::rgb: return row >= 6 && plane == 0;
    case Kind::planar: return row >= 2 && plane > row;
    case Kind::bits: return row >= 1 && plane == 0;
  }
  return false;
}

std::vector<std::byte> encode(std::span<const std::uint8_t> data, const Form& form,
                              const Start& start, std::size_t most) {
  LOGPX_ASSERT(fits(form, data.size()));
  Canvas canvas(form, start.before, data.size());
  return model_of(form.kind, start.level).encode(data, canvas, form, most);
}

std::size_t bytes_of_part(std::span<const std::uint8_t> data, std::size_t begin, const Form& form,
                          std::size_t most) {
  const auto part = data.subspan(begin);
  Canvas canvas(form, {}, part.size());
  const auto seen =
      data.subspan(begin - std::min(begin, canvas.zeros), std::min(begin, canvas.zeros));
  std::ranges::copy(seen, canvas.data() - seen.size());
  return model_of(form.kind, Level::normal).encode(part, canvas, form, most).size();
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
  Canvas canvas(form, start.before, data.size());
  return model_of(form.kind, start.level).encode_advised(data, canvas, form, most, adviser);
}

std::vector<std::uint8_t> decode_advised(std::span<const std::byte> coded, std::size_t size,
                                         const Form& form, const Start& start, Adviser& adviser) {
  return decoded(form, start, size, [&](Canvas& canvas) {
    model_of(form.kind, start.level).decode_advised(coded, canvas, form, adviser);
  });
}

std::uint64_t memory_for(std::size_t size, Level level) {
  constexpr std::uint64_t fixed = std::uint64_t{1} << 20;  // weights, maps, contexts
  std::uint64_t most = 0;
  for (const bool rare : {false, true}) {
    const Sizes sizes = sizes_for(size, level, rare);
    most = std::max<std::uint64_t>(
        most, sizes.lines * HistoryTable::line_bytes + sizes.buckets * RunTable::bucket_bytes +
                  sizes.places * sizeof(std::uint32_t) + 2 * sizes.rows * FinalMap::row_bytes);
  }
  return most + fixed;
}

}  // namespace logpx::codec::adaptive
