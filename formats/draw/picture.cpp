#include "formats/draw/picture.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace logpx::draw {

namespace {

// One glyph is 35 bits, row after row from the top, the leftmost dot of a row first.
constexpr std::array<std::uint64_t, 95> font = {
    0x000000000, 0x108421004, 0x294a00000, 0x295f57d4a, 0x11f4717c4, 0x632222263, 0x22944564d,
    0x108800000, 0x088842082, 0x208210888, 0x009575480, 0x0084f9080, 0x000003088, 0x0000f8000,
    0x00000018c, 0x002222200, 0x3a33ae62e, 0x11842108e, 0x3a211111f, 0x7c441062e, 0x08ca97c42,
    0x7e1e0862e, 0x1910f462e, 0x7c2222108, 0x3a317462e, 0x3a317844c, 0x018c03180, 0x018c03088,
    0x088882082, 0x001f07c00, 0x208208888, 0x3a2111004, 0x3a37ade0e, 0x3a31fc631, 0x7a31f463e,
    0x3a308422e, 0x72518c65c, 0x7e10f421f, 0x7e10f4210, 0x3a30bc62f, 0x4631fc631, 0x38842108e,
    0x1c4210a4c, 0x4654c5251, 0x42108421f, 0x4775ac631, 0x4639ace31, 0x3a318c62e, 0x7a31f4210,
    0x3a318d64d, 0x7a31f5251, 0x3e107043e, 0x7c8421084, 0x46318c62e, 0x46318c544, 0x4631ad6aa,
    0x462a22a31, 0x463151084, 0x7c222221f, 0x39084210e, 0x020820820, 0x38421084e, 0x115100000,
    0x00000001f, 0x208200000, 0x000e0be2f, 0x4216cc63e, 0x000e8422e, 0x042d9c62f, 0x000e8fe0e,
    0x1928e2108, 0x01f18bc2e, 0x4216cc631, 0x100c2108e, 0x080610a4c, 0x4212a6292, 0x30842108e,
    0x001aad631, 0x0016cc631, 0x000e8c62e, 0x001e8fa10, 0x000d9bc21, 0x0016cc210, 0x000e8383e,
    0x211c42126, 0x00118c66d, 0x00118c544, 0x00118d6aa, 0x001151151, 0x00118bc2e, 0x001f1111f,
    0x088441082, 0x108421084, 0x208411088, 0x0008a8800,
};

std::uint64_t glyph_of(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return font[code >= 32 && code < 127 ? code - 32u : '?' - 32u];
}

// UTF-8 continues with bytes 10xxxxxx: they are not letters of their own.
bool begins_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u; }

}  // namespace

Picture::Picture(int width, int height, int channels, Colour paper)
    : width_(width), height_(height), channels_(channels) {
  LOGPX_ASSERT(width > 0 && height > 0 && (channels == 1 || channels == 3));
  pixels_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                 static_cast<std::size_t>(channels));
  fill_box(*this, {0, 0, width, height}, paper);
}

std::size_t Picture::offset(int x, int y) const {
  LOGPX_DCHECK(x >= 0 && x < width_ && y >= 0 && y < height_);
  return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
          static_cast<std::size_t>(x)) *
         static_cast<std::size_t>(channels_);
}

void Picture::set(int x, int y, Colour colour) {
  const std::size_t first = offset(x, y);
  if (channels_ == 1) {
    pixels_[first] = colour.green;
    return;
  }
  pixels_[first] = colour.red;
  pixels_[first + 1] = colour.green;
  pixels_[first + 2] = colour.blue;
}

Colour Picture::at(int x, int y) const {
  const std::size_t first = offset(x, y);
  if (channels_ == 1) return {pixels_[first], pixels_[first], pixels_[first]};
  return {pixels_[first], pixels_[first + 1], pixels_[first + 2]};
}

void fill_box(Picture& picture, Box box, Colour colour) {
  const int right = std::min(box.x + box.width, picture.width());
  const int bottom = std::min(box.y + box.height, picture.height());
  for (int y = std::max(box.y, 0); y < bottom; ++y)
    for (int x = std::max(box.x, 0); x < right; ++x) picture.set(x, y, colour);
}

void draw_text(Picture& picture, int x, int y, std::string_view text, TextStyle style) {
  for (const char letter : text) {
    if (!begins_letter(letter)) continue;
    std::uint64_t dots = glyph_of(letter) << (64 - glyph_width * glyph_height);
    for (int row = 0; row < glyph_height; ++row)
      for (int column = 0; column < glyph_width; ++column, dots <<= 1)
        if ((dots >> 63) != 0)
          fill_box(picture,
                   {x + column * style.scale, y + row * style.scale, style.scale, style.scale},
                   style.colour);
    x += glyph_advance * style.scale;
  }
}

int text_width(std::string_view text, int scale) {
  const auto letters = static_cast<int>(std::count_if(text.begin(), text.end(), begins_letter));
  return letters == 0 ? 0 : (letters * glyph_advance - 1) * scale;
}

}  // namespace logpx::draw
