// A picture in memory, and the few strokes that sheets and scatter plots need.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace logpx::draw {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

class Picture {
 public:
  // channels is 1 (grey) or 3 (RGB); all pixels start as `paper`.
  Picture(int width, int height, int channels, Colour paper = {});

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] int channels() const { return channels_; }
  [[nodiscard]] const std::vector<std::uint8_t>& pixels() const { return pixels_; }  // [H, W, C]

  // A grey picture takes the green channel of the colour.
  void set(int x, int y, Colour colour);
  [[nodiscard]] Colour at(int x, int y) const;

 private:
  [[nodiscard]] std::size_t offset(int x, int y) const;
  int width_, height_, channels_;
  std::vector<std::uint8_t> pixels_;
};

struct Box {
  int x = 0, y = 0, width = 0, height = 0;
};

// Both cut what lies outside the picture.
void fill_box(Picture& picture, Box box, Colour colour);

// A built-in font of 5x7 dots, ASCII only (anything else is drawn as '?'); one dot is `scale`
// pixels wide, a letter with its space 6 dots.
inline constexpr int glyph_width = 5, glyph_height = 7, glyph_advance = 6;
struct TextStyle {
  int scale = 1;
  Colour colour{};
};
void draw_text(Picture& picture, int x, int y, std::string_view text, TextStyle style);
[[nodiscard]] int text_width(std::string_view text, int scale);

}  // namespace logpx::draw
