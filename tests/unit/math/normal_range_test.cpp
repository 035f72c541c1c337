// The normal distribution between two ends, against integrals.
#include "libcore/math/normal_range.hpp"

#include "libcore/math/special.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace logpx::normal_range_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("normal range: mass and moments are integrals of the density") {
  for (const auto& [low, high] : {std::pair{-1.0, 2.0}, std::pair{0.5, 0.75}, std::pair{-9.0, -7.0},
                                  std::pair{12.0, 12.5}, std::pair{3.0, 3.0002}}) {
    constexpr int steps = 20000;
    double mass = 0, mean = 0, square = 0;  // times e^(nearest^2 / 2)
    const double nearest = low > 0 ? low : high < 0 ? high : 0;
    for (int i = 0; i < steps; ++i) {
      const double z = low + (high - low) * (i + 0.5) / steps;
      const double p = std::exp(nearest * nearest / 2 - z * z / 2) * (high - low) / steps;
      mass += p, mean += p * z, square += p * z * z;
    }
    const NormalRange range = normal_range(low, high);
    CHECK(range.log_mass ==
          doctest::Approx(std::log(mass / std::sqrt(2 * std::numbers::pi)) - nearest * nearest / 2)
              .epsilon(1e-8));
    CHECK(range.mean == doctest::Approx(mean / mass).epsilon(1e-8));
    CHECK(range.square == doctest::Approx(square / mass).epsilon(1e-8));
  }
}

TEST_CASE("normal range: without ends it is the whole, with one end a tail") {
  const NormalRange whole = normal_range(-infinity, infinity);
  CHECK(whole.log_mass == 0);
  CHECK(whole.mean == 0);
  CHECK(whole.square == 1);
  CHECK(normal_range(-infinity, 1.5).log_mass == doctest::Approx(log_ndtr(1.5)));
  const NormalRange tail = normal_range(50, infinity);
  CHECK(tail.log_mass == doctest::Approx(log_ndtr(-50)));
  CHECK(tail.mean == doctest::Approx(50 + 1 / 50.0 - 2 / 125000.0));
}

TEST_CASE("normal range: a share of it lies below its quantile") {
  for (const auto& [low, high] : {std::pair{-1.0, 2.0}, std::pair{-infinity, -6.0},
                                  std::pair{8.0, infinity}, std::pair{2.0, 2.0001}})
    for (const double share : {0.01, 0.5, 0.99}) {
      const double z = normal_range_quantile(low, high, share);
      CHECK(z >= low);
      CHECK(z <= high);
      CHECK(std::exp(normal_range(low, z).log_mass - normal_range(low, high).log_mass) ==
            doctest::Approx(share).epsilon(1e-6));
    }
}

}  // namespace logpx::normal_range_test
