#include "libcore/math/unit_points.hpp"

#include "libcore/math/low_discrepancy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace logpx::unit_points_test {
namespace {

using Numbers = std::vector<double>;

Numbers filled(const UnitPoints& points, std::int64_t first, std::int64_t count) {
  Numbers u(static_cast<std::size_t>(count * points.dims()));
  points.fill(first, u);
  return u;
}

}  // namespace

TEST_CASE("unit points: a point is what it is, however many are asked for at once") {
  const Rng rng(8);
  Numbers own(3 * 41);
  std::iota(own.begin(), own.end(), 1.0);
  const std::unique_ptr<UnitPoints> every[] = {random_points(3, rng), sobol_points(3, rng),
                                               latin_points(41, 3, rng), given_points(own, 3)};
  for (const auto& points : every) {
    REQUIRE(points->dims() == 3);
    const Numbers whole = filled(*points, 0, 41);
    for (const std::int64_t step : {1, 2, 7, 40}) {
      Numbers parts;
      for (std::int64_t first = 0; first < 41; first += step) {
        const Numbers part = filled(*points, first, std::min<std::int64_t>(step, 41 - first));
        parts.insert(parts.end(), part.begin(), part.end());
      }
      CHECK(parts == whole);
    }
  }
}

TEST_CASE("unit points: random ones are the 53-bit uniforms of their stream in order") {
  Cursor words(Rng(8).stream(Stream::prior_samples, 0));
  for (const double u : filled(*random_points(2, Rng(8)), 0, 50)) CHECK(u == words.uniform53());
  CHECK(filled(*random_points(1, Rng(8)), 0, 9) != filled(*random_points(1, Rng(9)), 0, 9));
}

TEST_CASE("unit points: the others are those of Sobol, of a Latin hypercube, and the given ones") {
  const Rng rng(2);
  Numbers u(2);
  const Sobol sobol(2, rng);
  sobol.point(1234567, u);
  CHECK(filled(*sobol_points(2, rng), 1234567, 1) == u);
  LatinHypercube(100, 2, rng).point(99, u);
  CHECK(filled(*latin_points(100, 2, rng), 99, 1) == u);
  CHECK(filled(*given_points({0.1, 0.2, 0.3, 0.4}, 2), 1, 1) == Numbers{0.3, 0.4});
}

}  // namespace logpx::unit_points_test
