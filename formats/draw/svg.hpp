// A drawing of lines, boxes and short texts as SVG, made stroke by stroke; the same strokes are the
// same bytes everywhere.
//
//   Svg svg(200, 100);
//   svg.line({10, 10}, {190, 10}, {.colour = "#000000", .width = 1.5});
//   svg.text({100, 60}, "benzene", {.size = 14, .anchor = Anchor::middle});
//   const std::string file = svg.finish("a molecule");
#pragma once

#include <string>
#include <string_view>

namespace logpx::draw {

struct SvgPoint {
  double x = 0, y = 0;  // pixels from the top left
};

struct Stroke {
  std::string_view colour = "#000000";
  double width = 1;
  std::string_view dash = {};  // "3 2"; empty: none
};

enum class Anchor { start, middle, end };
enum class Weight { plain, bold };

struct TextLook {
  double size = 12;  // of the font, pixels
  std::string_view colour = "#000000";
  Anchor anchor = Anchor::start;
  Weight weight = Weight::plain;
};

struct SvgBox {
  double x = 0, y = 0, width = 0, height = 0;
};

class Svg {
 public:
  Svg(double width, double height) : width_(width), height_(height) {}

  void line(SvgPoint from, SvgPoint to, const Stroke& stroke);
  // `at` is on the line on which letters stand.
  void text(SvgPoint at, std::string_view words, const TextLook& look);
  void filled(const SvgBox& box, std::string_view colour);
  void ring(SvgPoint centre, double radius, const Stroke& stroke);
  void dot(SvgPoint centre, double radius, std::string_view colour);

  // The whole file: white paper, and a title for those who cannot see it.
  [[nodiscard]] std::string finish(std::string_view title) const;

 private:
  double width_, height_;
  std::string body_;
};

}  // namespace logpx::draw
