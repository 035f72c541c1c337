#include "formats/draw/svg.hpp"

#include <fmt/format.h>

namespace logpx::draw {
namespace {

constexpr const char* font_family = "Helvetica, Arial, 'Liberation Sans', sans-serif";

// Two decimals at most, and no -0.
std::string pixels(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '&') result += "&amp;";
    else if (letter == '<') result += "&lt;";
    else if (letter == '>') result += "&gt;";
    else if (static_cast<unsigned char>(letter) >= 32) result += letter;
  }
  return result;
}

std::string drawn_with(const Stroke& stroke) {
  return fmt::format(
      R"(stroke="{}" stroke-width="{}"{})", stroke.colour, pixels(stroke.width),
      stroke.dash.empty() ? "" : fmt::format(R"( stroke-dasharray="{}")", stroke.dash));
}

std::string words_of(const SvgBox& box) {
  return fmt::format(R"(x="{}" y="{}" width="{}" height="{}")", pixels(box.x), pixels(box.y),
                     pixels(box.width), pixels(box.height));
}

}  // namespace

void Svg::line(SvgPoint from, SvgPoint to, const Stroke& stroke) {
  body_ += fmt::format("<path d=\"M{} {}L{} {}\" {}/>\n", pixels(from.x), pixels(from.y),
                       pixels(to.x), pixels(to.y), drawn_with(stroke));
}

void Svg::text(SvgPoint at, std::string_view words, const TextLook& look) {
  const char* const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{}{}>{}</text>\n",
                       pixels(at.x), pixels(at.y), pixels(look.size), look.colour,
                       anchors[static_cast<int>(look.anchor)],
                       look.weight == Weight::bold ? " font-weight=\"bold\"" : "", escaped(words));
}

void Svg::filled(const SvgBox& box, std::string_view colour) {
  body_ += fmt::format("<rect {} fill=\"{}\"/>\n", words_of(box), colour);
}

void Svg::ring(SvgPoint centre, double radius, const Stroke& stroke) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" {}/>\n",
                       pixels(centre.x), pixels(centre.y), pixels(radius), drawn_with(stroke));
}

void Svg::dot(SvgPoint centre, double radius, std::string_view colour) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", pixels(centre.x),
                       pixels(centre.y), pixels(radius), colour);
}

std::string Svg::finish(std::string_view title) const {
  const std::string width = pixels(width_), height = pixels(height_);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"{2}\" stroke-linecap=\"round\">\n"
      "<title>{3}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{4}</svg>\n",
      width, height, font_family, escaped(title), body_);
}

}  // namespace logpx::draw
