#include "formats/draw/row_picture.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace logpx::scatter_test {

using namespace logpx::draw;

namespace {

int darkness(const Picture& picture, int x, int y) {
  const Colour colour = picture.at(x, y);
  return 3 * 255 - colour.red - colour.green - colour.blue;
}

// The centre of what is blue or darker, inside the axes.
std::pair<double, double> centre_of_ink(const Picture& picture) {
  double sum = 0, sum_x = 0, sum_y = 0;
  for (int y = 45; y < picture.height() - 70; ++y)
    for (int x = 80; x < picture.width() - 30; ++x) {
      const int dark = darkness(picture, x, y) > 300 ? 1 : 0;
      sum += dark;
      sum_x += dark * (x + 0.5);
      sum_y += dark * (y + 0.5);
    }
  return {sum_x / sum, sum_y / sum};
}

}  // namespace

TEST_CASE("scatter: a point stands where its coordinates say, y upwards, one scale for both axes") {
  // Corners fix the window; a crowd in one place moves the centre of the ink there.
  const std::vector<float> corners = {-1, -1, 1, 1};
  const auto centre_with = [&](float x, float y) {
    std::vector<float> points = corners;
    for (int i = 0; i < 200; ++i) {
      points.push_back(x + static_cast<float>(i % 20) * 0.002f);
      points.push_back(y + static_cast<float>(i / 20) * 0.002f);
    }
    return centre_of_ink(scatter(points, {}));
  };
  const auto [x0, y0] = centre_with(0, 0);
  const auto [x1, y1] = centre_with(0.5f, 0);
  const auto [x2, y2] = centre_with(0, 0.5f);
  CHECK(x1 - x0 > 50);
  CHECK(std::abs(y1 - y0) < 2);
  CHECK(y0 - y2 > 50);
  CHECK(std::abs((x1 - x0) - (y0 - y2)) < 4);
}

TEST_CASE("scatter: the order of the points does not matter") {
  std::vector<float> points, reversed;
  for (int i = 0; i < 500; ++i) {
    points.push_back(std::sin(static_cast<float>(i)));
    points.push_back(std::cos(static_cast<float>(i * i)));
  }
  for (std::size_t i = points.size(); i >= 2; i -= 2) {
    reversed.push_back(points[i - 2]);
    reversed.push_back(points[i - 1]);
  }
  const Picture a = scatter(points, {}), b = scatter(reversed, {});
  int largest = 0;
  for (std::size_t i = 0; i < a.pixels().size(); ++i)
    largest = std::max(largest, std::abs(a.pixels()[i] - b.pixels()[i]));
  CHECK(largest <= 1);  // sums of doubles differ in their last bits
}

TEST_CASE("scatter: points that are not finite are left out, and only such are an error") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> good = {0, 0, 1, 2}, mixed = {0, 0, nan, 1, 1, 2, 3, inf},
                           bad = {nan, 1};
  CHECK(scatter(mixed, {}).width() == scatter(good, {}).width());
  CHECK(centre_of_ink(scatter(mixed, {})) == centre_of_ink(scatter(good, {})));
  CHECK_THROWS_AS((void)scatter(bad, {}), Error);
  CHECK_THROWS_AS((void)scatter(std::vector<float>{}, {}), Error);
}

TEST_CASE("scatter: classes have colours of their own") {
  const std::vector<float> points = {0, 0, 1, 1};
  const std::vector<std::int32_t> classes = {0, 1};
  CHECK(scatter(points, {.classes = classes}).pixels() != scatter(points, {}).pixels());
}

}  // namespace logpx::scatter_test
