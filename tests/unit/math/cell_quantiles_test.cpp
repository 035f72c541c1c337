#include "libcore/math/cell_quantiles.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx::cell_quantiles_test {

TEST_CASE("cell quantiles: cells have one size, with an edge at every break") {
  const std::vector<double> breaks = {-1, 0, 0.5, 3};
  const std::vector<double> edges = cells_between(breaks, 8);
  CHECK(edges == std::vector<double>{-1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3});
  CHECK(cells_between(breaks, 1).size() >= breaks.size());
}

TEST_CASE("cell quantiles: they invert a function that is linear in each cell") {
  const CellQuantiles quantiles({0, 1, 3, 4}, std::vector<double>{1, 2, 1, 0, 4, 0});
  REQUIRE(quantiles.rows() == 2);
  CHECK(quantiles(0, 0.125) == 0.5);
  CHECK(quantiles(0, 0.25) == 1);
  CHECK(quantiles(0, 0.5) == 2);
  CHECK(quantiles(0, 0.875) == 3.5);
  CHECK(quantiles(1, 0.25) == 1.5);
}

TEST_CASE("cell quantiles: cells without mass are never entered") {
  const CellQuantiles quantiles({0, 1, 2, 3, 4, 5}, std::vector<double>{0, 2, 0, 2, 0});
  CHECK(quantiles(0, 0) == 1);
  CHECK(quantiles(0, 1) == 4);
  CHECK(quantiles(0, 2) == 4);
  for (double u = 0.01; u < 1; u += 0.01) {
    const double z = quantiles(0, u);
    CHECK(((z >= 1 && z <= 2) || (z >= 3 && z <= 4)));
  }
}

}  // namespace logpx::cell_quantiles_test
