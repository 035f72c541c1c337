// Binary PNM: P4 (one bit), P5 (grey), P6 (RGB) with any maxval.
#include "formats/import/raster.hpp"
#include "libcore/base/error.hpp"

namespace logpx {
namespace {

class PnmHeader {
 public:
  PnmHeader(std::span<const std::byte> bytes, const std::string& name)
      : bytes_(bytes), name_(name) {}

  // The next number, after blanks and comments.
  [[nodiscard]] std::int64_t number() {
    while (at_ < bytes_.size() && (is_blank(peek()) || peek() == '#')) {
      if (peek() == '#')
        while (at_ < bytes_.size() && peek() != '\n') ++at_;
      else ++at_;
    }
    std::int64_t value = 0;
    const std::size_t first = at_;
    for (; at_ < bytes_.size() && peek() >= '0' && peek() <= '9'; ++at_) {
      value = value * 10 + (peek() - '0');
      if (value > 0x7fffffff) fail(ErrorKind::data, name_, "PNM header has a number too large");
    }
    if (at_ == first) fail(ErrorKind::data, name_, "PNM header is damaged");
    return value;
  }

  // The pixels begin after a single blank.
  [[nodiscard]] std::span<const std::byte> pixels() const {
    if (at_ >= bytes_.size() || !is_blank(peek()))
      fail(ErrorKind::data, name_, "PNM header is damaged");
    return bytes_.subspan(at_ + 1);
  }

 private:
  [[nodiscard]] char peek() const { return static_cast<char>(bytes_[at_]); }
  [[nodiscard]] static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
  }
  std::span<const std::byte> bytes_;
  const std::string& name_;
  std::size_t at_ = 2;
};

std::uint8_t scaled(unsigned value, unsigned maxval) {
  if (maxval == 65535) return static_cast<std::uint8_t>(value >> 8);
  return static_cast<std::uint8_t>((value * 255u + maxval / 2) / maxval);
}

}  // namespace

Rectangle pnm_size(std::span<const std::byte> bytes, const std::string& name) {
  PnmHeader header(bytes, name);
  const std::int64_t width = header.number();
  return {0, 0, width, header.number()};
}

Raster decode_pnm(std::span<const std::byte> bytes, Depth depth, const std::string& name) {
  PnmHeader header(bytes, name);
  const char kind = static_cast<char>(bytes[1]);
  Raster picture;
  picture.width = header.number();
  picture.height = header.number();
  picture.channels = kind == '6' ? 3 : 1;
  check_picture_size(picture.width, picture.height, name);
  const std::int64_t maxval = kind == '4' ? 1 : header.number();
  if (maxval < 1 || maxval > 65535)
    fail(ErrorKind::data, name, "PNM maxval is " + std::to_string(maxval));
  picture.deep = maxval > 255;
  if (picture.deep && depth == Depth::refuse_16) fail_16_bit(name);

  const std::span<const std::byte> data = header.pixels();
  const std::int64_t values = picture.width * picture.channels;
  const std::int64_t row_bytes = kind == '4' ? (values + 7) / 8 : values * (maxval > 255 ? 2 : 1);
  if (static_cast<std::int64_t>(data.size()) < row_bytes * picture.height)
    fail(ErrorKind::data, name,
         "needs " + std::to_string(row_bytes * picture.height) + " bytes of pixels, has " +
             std::to_string(data.size()));
  picture.pixels.reserve(static_cast<std::size_t>(values * picture.height));
  for (std::int64_t y = 0; y < picture.height; ++y) {
    const std::byte* row = data.data() + y * row_bytes;
    for (std::int64_t i = 0; i < values; ++i) {
      unsigned value = 0;
      if (kind == '4')  // a set bit is black
        value = 1 - (std::to_integer<unsigned>(row[i / 8]) >> (7 - i % 8) & 1);
      else if (maxval > 255)
        value =
            std::to_integer<unsigned>(row[2 * i]) << 8 | std::to_integer<unsigned>(row[2 * i + 1]);
      else value = std::to_integer<unsigned>(row[i]);
      if (value > static_cast<unsigned>(maxval))
        fail(ErrorKind::data, name, "has a value above its maxval " + std::to_string(maxval));
      picture.pixels.push_back(scaled(value, static_cast<unsigned>(maxval)));
    }
  }
  return picture;
}

}  // namespace logpx
