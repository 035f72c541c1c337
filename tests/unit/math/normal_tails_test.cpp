// Tails of mixtures of normals.
#include "libcore/math/normal_tails.hpp"
#include "libcore/math/special.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

namespace logpx::normal_tails_test {

TEST_CASE("normal tails: weights below and above a number are those of the parts, far out too") {
  const std::array near = {TailPart{.weight = 0.25, .z = -1, .half = 0.1},
                           TailPart{.weight = 2, .z = 0.5}};
  const auto below = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
  const LogTails tails = log_tails(near);
  CHECK(std::exp(tails.below) == doctest::Approx(0.25 * below(-0.9) + 2 * below(0.5)));
  CHECK(std::exp(tails.above) == doctest::Approx(0.25 * below(1.1) + 2 * below(-0.5)));
  const std::array far = {TailPart{.weight = 0.5, .z = 3000}, TailPart{.weight = 0.125, .z = 1000}};
  CHECK(log_tails(far).below == doctest::Approx(std::log(0.625)));
  CHECK(log_tails(far).above == doctest::Approx(std::log(0.125) + log_ndtr(-1000)));
}

}  // namespace logpx::normal_tails_test
