#include "libcore/det/reductions.hpp"

#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace logpx::reductions_test {

TEST_CASE("det: softmax sums to one, and leaves no mass where nothing is allowed") {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> x = random_values<double>(1, 19);
  x[3] = -infinity;
  x[4] = 700;
  std::vector<double> p(x.size());
  det::softmax(x, p);
  CHECK(det::sum8(p) == doctest::Approx(1).epsilon(1e-15));
  CHECK(p[3] == 0);
  CHECK(det::log_sum_exp(x) == doctest::Approx(700).epsilon(1e-15));

  const std::vector<double> nothing(5, -infinity);
  p.assign(5, 1.0);
  det::softmax(nothing, p);
  CHECK(p == std::vector<double>(5, 0.0));
  CHECK(det::log_sum_exp(nothing) == -infinity);
  CHECK(det::log_sum_exp({}) == -infinity);
}

TEST_CASE("det: group norm of one group of one channel is layer norm without affine") {
  const std::vector<float> x = random_values<float>(2, 35);
  std::vector<float> layer(x.size()), group(x.size());
  det::layer_norm(x, {}, 1e-5, layer);
  det::group_norm(x, {.channels = 1, .groups = 1, .pixels = 35}, {}, 1e-5, group);
  CHECK(layer == group);
}

TEST_CASE("det: group norm gives each group mean 0, deviation 1, then its channels' affine") {
  const std::vector<float> x = random_values<float>(3, 6 * 50), gamma = {1, 2, 3, 1, 1, 1},
                           beta = {0, 10, 0, 0, 0, -5};
  std::vector<float> y(x.size());
  det::group_norm(x, {.channels = 6, .groups = 2, .pixels = 50}, {gamma, beta}, 0, y);
  for (std::size_t g = 0; g < 2; ++g) {
    double sum = 0, squares = 0;
    for (std::size_t i = g * 150; i < (g + 1) * 150; ++i) {
      const auto c = i / 50;
      const double z = (static_cast<double>(y[i]) - static_cast<double>(beta[c])) /
                       static_cast<double>(gamma[c]);
      sum += z;
      squares += z * z;
    }
    CHECK(std::fabs(sum / 150) < 1e-6);
    CHECK(squares / 150 == doctest::Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("det: folded statistics normalise as the formula says") {
  const std::vector<float> x = random_values<float>(4, 40);
  const det::StoredStatistics channel{.mean = 0.3, .variance = 2.5, .gamma = 1.7, .beta = -0.4};
  std::vector<float> y(x.size());
  det::apply(det::fold(channel, 1e-5), x, y);
  for (std::size_t i = 0; i < x.size(); ++i)
    CHECK(static_cast<double>(y[i]) ==
          doctest::Approx((static_cast<double>(x[i]) - 0.3) / std::sqrt(2.5 + 1e-5) * 1.7 - 0.4)
              .epsilon(1e-6));
}

}  // namespace logpx::reductions_test
