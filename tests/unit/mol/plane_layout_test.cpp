#include "libcore/mol/plane_layout.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::plane_layout_test {
namespace {

double far(PlanePoint a, PlanePoint b) { return std::hypot(a.x - b.x, a.y - b.y); }

}  // namespace

TEST_CASE("plane layout: atoms of a chain lie a bond apart, the long axis across") {
  const std::vector<PlanePoint> places = plane_layout(3, std::vector<std::uint8_t>{1, 0, 2});
  CHECK(far(places[0], places[1]) == doctest::Approx(1).epsilon(0.01));
  CHECK(far(places[1], places[2]) == doctest::Approx(1).epsilon(0.01));
  CHECK(far(places[0], places[2]) == doctest::Approx(2).epsilon(0.01));
  for (const PlanePoint& place : places) CHECK(std::abs(place.y) < 0.05);
}

TEST_CASE(
    "plane layout: any graph can be read, with every bond there is, without any, of one atom") {
  for (const std::uint8_t order : std::vector<std::uint8_t>{0, 3}) {
    const std::vector<std::uint8_t> bonds(7 * 6 / 2, order);
    CHECK(is_readable(plane_layout(7, bonds), bonds));
  }
  CHECK(plane_layout(1, {}).size() == 1);
  CHECK(plane_layout(0, {}).empty());
}

TEST_CASE("plane layout: pieces stand apart, the largest one above, and a single one stays") {
  // Atoms 1 and 2 are bonded; 0 lies at the end of their bond, 3 far away.
  const std::vector<std::uint8_t> bonds = {0, 0, 0, 1, 0, 0};
  std::vector<PlanePoint> places = {{2, 0.1}, {0, 0}, {1, 0}, {9, 9}};
  set_apart(places, bonds);
  CHECK(places[1].x == 0);
  CHECK(places[2].x == 1);
  for (const std::size_t other : {std::size_t{0}, std::size_t{3}})
    CHECK(places[other].y == doctest::Approx(-1.2));
  CHECK(places[3].x - places[0].x == doctest::Approx(1.6));
  CHECK((places[0].x + places[3].x) / 2 == doctest::Approx(0.5));
  // The chain 3-1-2-4-0: one piece, which its bonds show late.
  std::vector<PlanePoint> whole = {{5, 5}, {1, 0}, {2, 0}, {0, 0}, {3, 0}};
  set_apart(whole, std::vector<std::uint8_t>{0, 0, 0, 1, 1, 1, 0, 0, 1, 0});
  CHECK(whole[0].x == 5);
  CHECK(whole[3].y == 0);
}

TEST_CASE("plane layout: atoms on each other, and bonds across the page, cannot be read") {
  const std::vector<std::uint8_t> bond = {1}, none = {0};
  CHECK_FALSE(is_readable(std::vector<PlanePoint>{{0, 0}, {0, 0.1}}, none));
  CHECK_FALSE(is_readable(std::vector<PlanePoint>{{0, 0}, {5, 0}}, bond));
  CHECK(is_readable(std::vector<PlanePoint>{{0, 0}, {5, 0}}, none));
  CHECK_FALSE(is_readable(std::vector<PlanePoint>{{0, 0}, {std::nan(""), 0}}, none));
}

}  // namespace logpx::plane_layout_test
