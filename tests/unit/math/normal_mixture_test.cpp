#include "libcore/math/normal_mixture.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::normal_mixture_test {

TEST_CASE("normal_mixture: what lies below is the integral of the density") {
  const NormalMixture mixture = {{{0.25, -1, 0.5}, {0.75, 2, 1.5}}};
  double sum = 0;
  constexpr double step = 1.0 / 256;
  for (double x = -20; x < 1; x += step)
    sum += step / 2 * (mixture.density(x) + mixture.density(x + step));
  CHECK(std::abs(sum - mixture.below(1)) < 1e-5);
  CHECK(std::abs(mixture.below(60) - 1) < 1e-12);
}

TEST_CASE("normal_mixture: so much lies below a quantile, however far apart and narrow parts are") {
  const NormalMixture alone = {{{1, 3, 2}}}, twins = {{{0.5, -1, 0.2}, {0.5, 1, 0.2}}},
                      far = {{{0.5, -1e6, 1e-3}, {0.3, 0, 100}, {0.2, 1e6, 1e-3}}};
  CHECK(std::abs(alone.quantile(0.975) - (3 + 2 * 1.959963984540054)) < 1e-12);
  CHECK(std::abs(twins.quantile(0.5)) < 0.8);
  for (const NormalMixture& mixture : {alone, twins, far})
    for (const double u : {1e-9, 0.05, 0.25, 0.5, 0.62, 0.95, 1 - 1e-9})
      CHECK(std::abs(mixture.below(mixture.quantile(u)) - u) < 1e-6);  // x has 16 digits
}

}  // namespace logpx::normal_mixture_test
