#include "formats/draw/chart.hpp"
#include "formats/draw/gnuplot.hpp"

#include "formats/draw/png.hpp"
#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace logpx::chart_test {

using namespace logpx::draw;

namespace {

Chart two_curves() {
  Chart chart{.title = "train-vae, digits.h5"};
  Curve train{.label = "train", .x = {1, 10, 100}, .y = {-150, -120, NAN}};
  Curve valid{.label = "valid", .x = {1, 10, 100}, .y = {-160, -125, -111}};
  chart.panels.push_back(
      {.x = {"step", AxisScale::log}, .y = {"ELBO / nats"}, .curves = {train, valid}});
  chart.sources = {"train-vae digits.h5 -o m.h5"};
  return chart;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool have_gnuplot() { return std::system("gnuplot --version > /dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("chart: the script holds its data, its axes with units, and where it is from") {
  const std::string script = gnuplot_script(two_curves());
  CHECK(contains(script, "$panel0_0 << EOD\n1 -150\n10 -120\nNaN NaN\nEOD\n"));
  CHECK(contains(script, "$panel0_1 << EOD\n1 -160\n10 -125\n100 -111\nEOD\n"));
  CHECK(contains(script, "'ELBO / nats'"));
  CHECK(contains(script, "set logscale x\n"));
  CHECK(contains(script, "unset logscale y\n"));
  CHECK(contains(script, "# train-vae digits.h5 -o m.h5"));
}

TEST_CASE("chart: what a log axis cannot show is left out of the data") {
  Chart chart = two_curves();
  chart.panels[0].curves[0].x[0] = 0;
  CHECK(contains(gnuplot_script(chart), "$panel0_0 << EOD\nNaN NaN\n10 -120\n"));
}

TEST_CASE("chart: neighbouring curves differ in dashes and in points, not only in colour") {
  Chart chart;
  for (int i = 0; i < 8; ++i) {
    if (chart.panels.empty()) chart.panels.emplace_back();
    chart.panels[0].curves.push_back({.label = std::to_string(i), .x = {0, 1}, .y = {0, 1}});
  }
  const std::string script = gnuplot_script(chart);
  std::vector<std::string> dashes, points;
  for (std::size_t at = script.find(" dt "); at != std::string::npos;
       at = script.find(" dt ", at + 1)) {
    const std::size_t point = script.find(" pt ", at);
    dashes.push_back(script.substr(at + 4, point - at - 4));
    points.push_back(script.substr(point + 4, 2));
  }
  REQUIRE(dashes.size() == 8);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      CHECK(dashes[i] != dashes[j]);
      CHECK(points[i] != points[j]);
    }
}

TEST_CASE("chart: nothing to draw is a data error that names the curve") {
  Chart chart{.panels = {{.curves = {{.label = "kl", .x = {1, 2}, .y = {NAN, NAN}}}}}};
  try {
    (void)gnuplot_script(chart);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.subject() == "kl");
  }
  CHECK_THROWS_AS((void)gnuplot_script(Chart{}), Error);
}

TEST_CASE("chart: the size follows from the panels, unless it is given") {
  Chart chart = two_curves();
  const ChartSize one = size_of(chart);
  chart.panels.push_back(chart.panels[0]);
  const ChartSize two = size_of(chart);
  CHECK(two.width == one.width);
  CHECK(two.height > one.height + 300);
  chart.size = {640, 480};
  CHECK(size_of(chart).width == 640);
  CHECK(size_of(chart).height == 480);
}

TEST_CASE("chart: words of the user stay words in the script") {
  if (!have_gnuplot()) return;
  Chart chart = two_curves();
  const std::string hostile = "it's `touch pwned` @x %s \\";
  chart.title = hostile;
  chart.sources = {hostile, "second\nline"};
  chart.panels[0].curves[0].label = hostile;
  chart.panels[0].y.label = hostile;
  chart.panels.push_back(
      {.x = {"nats"}, .bars = {{.label = hostile, .value = -1, .text = hostile}}});
  const std::string svg = text_of(draw_chart(chart, ChartFormat::svg));
  std::size_t seen = 0;
  for (std::size_t at = svg.find(hostile); at != std::string::npos; at = svg.find(hostile, at + 1))
    ++seen;
  CHECK(seen >= 6);  // <title>, <desc>, title, y axis, legend, bar and its value
}

TEST_CASE("chart: texts are drawn as they are, whatever gnuplot would make of them") {
  if (!have_gnuplot()) return;
  for (const std::string text :
       {"'tis", "''", "'''", "it''s 'all'", "a\\nb {x}_1^2 @y", "\"'\" \\047 `pwd`'", "$x @{1} %d'",
        "\u0434\u043b\u044f \u65e5\u672c\u8a9e \u03bb '\u00e9"}) {
    Chart chart = two_curves();
    chart.title = text;
    chart.panels[0].curves[0].label = text;
    chart.panels[0].x.label = text;
    chart.panels.push_back({.x = {text}, .bars = {{.label = text, .value = -1, .text = text}}});
    std::string svg = text_of(draw_chart(chart, ChartFormat::svg));
    for (const auto& [entity, letter] :
         {std::pair<std::string, std::string>{"&quot;", "\""}, {"&apos;", "'"}, {"&#39;", "'"}})
      for (std::size_t at = svg.find(entity); at != std::string::npos; at = svg.find(entity, at))
        svg.replace(at, entity.size(), letter);
    std::size_t seen = 0;
    for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1))
      ++seen;
    CHECK_MESSAGE(seen >= 7, text);  // <title>, title, legend, two axes, bar and its value
  }
}

TEST_CASE("chart: letters that no font has do not spoil a PNG") {
  if (!have_gnuplot()) return;
  Chart odd = two_curves(), question = two_curves();
  odd.title = "a\uE123\U00100000b";  // private letters, in no font
  question.title = "a??b";
  CHECK(text_of(draw_chart(odd, ChartFormat::svg)).find("\uE123") != std::string::npos);
  const auto picture = [](const Chart& chart) {  // its pixels, behind the description
    const std::string png = text_of(draw_chart(chart, ChartFormat::png));
    return png.substr(png.find("IDAT"));
  };
  CHECK(picture(odd) == picture(question));
}

TEST_CASE("chart: a title of two lines stands in two rows, above the panels") {
  Chart chart = two_curves();
  const int height = size_of(chart).height;
  chart.title = "one\ntwo";
  CHECK(size_of(chart).height > height + 10);
  const std::string script = gnuplot_script(chart);
  CHECK(contains(script, "set label 'one' at screen 0.5"));
  CHECK(contains(script, "set label 'two' at screen 0.5"));
}

TEST_CASE("chart: pictures are whole, say what they show, and repeat byte for byte") {
  if (!have_gnuplot()) return;
  Chart chart = two_curves();
  chart.panels[0].curves[1].std_error = {1, 2, 3};
  chart.panels.push_back(
      {.x = {"nats"},
       .bars = {{.label = "log_likelihood",
                 .series = "a",
                 .value = -98.4,
                 .std_error = 0.2,
                 .text = "-98.4"},
                {.label = "log_likelihood", .series = "b", .value = -97.1, .text = "-97.1"}}});
  const std::string svg = text_of(draw_chart(chart, ChartFormat::svg));
  CHECK(contains(svg, "<title>train-vae, digits.h5</title>"));
  CHECK(contains(svg, "<desc>train-vae digits.h5 -o m.h5</desc>"));
  CHECK(svg == text_of(draw_chart(chart, ChartFormat::svg)));
  const std::vector<std::byte> png = draw_chart(chart, ChartFormat::png);
  CHECK(is_whole_png(png));
  CHECK(contains(text_of(png), "train-vae digits.h5 -o m.h5"));
  CHECK(png == draw_chart(chart, ChartFormat::png));
  const std::string pdf = text_of(draw_chart(chart, ChartFormat::pdf));
  CHECK(is_whole_pdf(pdf));
  CHECK(contains(pdf, "/Title <feff0074007200610069006e"));  // "train"
  CHECK(pdf == text_of(draw_chart(chart, ChartFormat::pdf)));
}

TEST_CASE("chart: without gnuplot the error says how to go on") {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  try {
    (void)draw_chart(two_curves(), ChartFormat::svg);
    setenv("PATH", path.c_str(), 1);
    FAIL("no error");
  } catch (const Error& error) {
    setenv("PATH", path.c_str(), 1);
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(contains(error.hint(), ".gp"));
  }
}

}  // namespace logpx::chart_test
