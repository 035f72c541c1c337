#include "formats/archive/layout.hpp"

#include "formats/import/npy_header.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

constexpr std::int64_t most_raster_bytes = std::int64_t{1} << 30;
constexpr std::int64_t most_bytes = std::int64_t{1} << 62;

// Rasters from the sizes of an array, examples first.
std::optional<SampleLayout> of_sizes(MemberKind kind, std::size_t header,
                                     std::span<const std::int64_t> sizes) {
  if (sizes.size() < 2 || sizes.size() > 4) return std::nullopt;
  SampleLayout layout{.kind = kind, .header_bytes = header, .rasters = sizes[0]};
  const auto size = [&](std::size_t i) { return i < sizes.size() ? sizes[i] : 1; };
  layout.shape = {size(1), size(2), size(3)};
  if (sizes.size() == 2) layout.shape = {1, size(1), 1};
  std::int64_t bytes = 1;
  for (const std::int64_t side : {layout.shape.height, layout.shape.width, layout.shape.channels}) {
    if (side < 1 || side > most_raster_bytes / bytes) return std::nullopt;
    bytes *= side;
  }
  if (layout.rasters < 1 || layout.rasters > most_bytes / bytes) return std::nullopt;
  return layout;
}

// Nothing for a file that is not an IDX file of bytes.
std::optional<std::vector<std::int64_t>> idx_sizes(ByteView first) {
  if (first.size() < 4 || first[0] != std::byte{0} || first[1] != std::byte{0} ||
      first[2] != std::byte{8})
    return std::nullopt;
  const auto rank = std::to_integer<std::size_t>(first[3]);
  if (rank < 2 || rank > 4 || first.size() < 4 + 4 * rank) return std::nullopt;
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < rank; ++i)
    sizes.push_back(
        static_cast<std::int64_t>(load_number(first.data() + 4 + 4 * i, NumberType::u32, true)));
  return sizes;
}

std::optional<SampleLayout> find_idx(ByteView first) {
  const auto sizes = idx_sizes(first);
  if (!sizes) return std::nullopt;
  return of_sizes(MemberKind::idx, 4 + 4 * sizes->size(), *sizes);
}

// The beginning of a file of unknown length.
class Window final : public ByteStream {
 public:
  explicit Window(ByteView bytes) : bytes_(bytes) {}
  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = std::min(out.size(), bytes_.size() - taken_);
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(taken_), count, out.begin());
    taken_ += count;
    return count;
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return std::nullopt; }
  [[nodiscard]] std::optional<SourceFile> finish() override { return std::nullopt; }
  [[nodiscard]] std::size_t taken() const { return taken_; }

 private:
  std::string name_ = "npy";
  ByteView bytes_;
  std::size_t taken_ = 0;
};

std::optional<SampleLayout> find_npy(ByteView first) {
  if (!begins_with(first, "\x93NUMPY")) return std::nullopt;
  try {
    Window window(first);
    const ArrayLayout array = read_npy_header(window);
    if (array.type != NumberType::u8 || array.column_major) return std::nullopt;
    return of_sizes(MemberKind::npy, window.taken(), array.sizes);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The numbers of a PNM header; 0 if one is missing.
class PnmNumbers {
 public:
  explicit PnmNumbers(ByteView first) : first_(first) {}
  [[nodiscard]] std::int64_t next() {
    while (at_ < first_.size() && (blank(peek()) || peek() == '#')) {
      if (peek() == '#')
        while (at_ < first_.size() && peek() != '\n') ++at_;
      else ++at_;
    }
    std::int64_t value = 0;
    for (; at_ < first_.size() && peek() >= '0' && peek() <= '9'; ++at_)
      value = std::min<std::int64_t>(value * 10 + (peek() - '0'), most_raster_bytes);
    return value;
  }
  // The place after the single blank that ends the header; 0 when there is none.
  [[nodiscard]] std::size_t end() const {
    return at_ < first_.size() && blank(peek()) ? at_ + 1 : 0;
  }

 private:
  [[nodiscard]] char peek() const { return static_cast<char>(first_[at_]); }
  [[nodiscard]] static bool blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  ByteView first_;
  std::size_t at_ = 2;
};

std::optional<SampleLayout> find_pnm(ByteView first) {
  const auto header = read_pnm_header(first);
  if (!header) return std::nullopt;
  const bool bits = header->kind == '4';
  if (!bits && header->greatest != 255) return std::nullopt;
  // The padding of a row of bits is part of the file.
  const std::int64_t width = bits ? (header->width + 7) / 8 * 8 : header->width;
  const std::int64_t sizes[] = {1, header->height, width, header->channels};
  auto layout = of_sizes(MemberKind::pnm, header->bytes, sizes);
  if (layout) layout->packed_bits = bits;
  return layout;
}

}  // namespace

std::optional<PnmHeader> read_pnm_header(ByteView first) {
  if (first.size() < 8 || first[0] != std::byte{'P'}) return std::nullopt;
  const char kind = static_cast<char>(first[1]);
  if (kind < '4' || kind > '6') return std::nullopt;
  PnmNumbers numbers(first);
  PnmHeader header{.kind = kind, .width = numbers.next(), .height = numbers.next()};
  header.channels = kind == '6' ? 3 : 1;
  header.greatest = kind == '4' ? 1 : numbers.next();
  header.bytes = numbers.end();
  if (header.bytes == 0) return std::nullopt;
  return header;
}

std::optional<SampleLayout> find_layout(ByteView first) {
  if (auto layout = find_idx(first)) return layout;
  if (auto layout = find_npy(first)) return layout;
  return find_pnm(first);
}

std::vector<std::int64_t> array_sizes(ByteView header) {
  if (auto sizes = idx_sizes(header)) return *sizes;
  Window window(header);
  return read_npy_header(window).sizes;
}

ByteVector array_header(MemberKind kind, std::span<const std::int64_t> sizes) {
  WireWriter out;
  if (kind == MemberKind::idx) {
    out.u8(0).u8(0).u8(8).u8(static_cast<std::uint8_t>(sizes.size()));
    for (const std::int64_t size : sizes)
      for (int shift = 24; shift >= 0; shift -= 8) out.u8(static_cast<std::uint8_t>(size >> shift));
    return out.bytes();
  }
  std::string text = "{'descr': '|u1', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < sizes.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
  text += "), }";
  text.append(63 - (10 + text.size()) % 64, ' ');  // the samples begin at a multiple of 64
  text += '\n';
  out.text("\x93NUMPY").u8(1).u8(0).u16(static_cast<std::uint16_t>(text.size())).text(text);
  return out.bytes();
}

ByteVector unpack_bits(ByteView packed) {
  ByteVector samples;
  samples.reserve(packed.size() * 8);
  for (const std::byte byte : packed)
    for (int shift = 7; shift >= 0; --shift) samples.push_back(byte >> shift & std::byte{1});
  return samples;
}

ByteVector pack_bits(ByteView samples) {
  ByteVector packed(samples.size() / 8);
  for (std::size_t i = 0; i < packed.size() * 8; ++i)
    packed[i / 8] |= (samples[i] & std::byte{1}) << (7 - i % 8);
  return packed;
}

}  // namespace logpx::archive
