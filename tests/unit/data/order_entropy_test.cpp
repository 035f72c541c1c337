#include "libcore/data/order_entropy.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::order_entropy_test {

TEST_CASE("orders: Spearman's rho is that of ranks, and equal values share theirs") {
  const auto rho = [](std::vector<double> a, std::vector<double> b) { return spearman_rho(a, b); };
  CHECK(rho({1, 2, 3, 4}, {10, 100, 1000, 10000}) == doctest::Approx(1));
  CHECK(rho({1, 2, 3, 4}, {4, 3, 2, 1}) == doctest::Approx(-1));
  // Ranks 1, 2.5, 2.5, 4, 5 and 3, 1, 2, 4.5, 4.5.
  CHECK(rho({1, 2, 2, 4, 5}, {3, 1, 2, 5, 5}) == doctest::Approx(6 / 9.5));
  CHECK(std::isnan(rho({1, 2, 3}, {7, 7, 7})));
  CHECK(std::isnan(rho({}, {})));
}

TEST_CASE("orders: a policy that takes what is sure first goes against the entropies") {
  // Two rows of three dims; the last step has no choice, and the second row has two dims.
  const std::vector<std::int32_t> order = {2, 0, 1, 1, 0, -1};
  std::vector<float> policy = {0.2F, 0.3F, 0.5F, 0.6F, 0.4F, 0, 0, 1, 0,  //
                               0.3F, 0.7F, 0,    1,    0,    0, 0, 0, 0};
  const std::vector<float> entropies = {0.9F, 0.5F, 0.1F, 0.2F, 0.4F, 0, 0, 0.3F, 0,  //
                                        0.2F, 0.8F, 0,    0.5F, 0,    0, 0, 0,    0};
  const PolicyByEntropy told =
      policy_by_entropy(3, {.count = 2, .order = order, .policy = policy}, entropies);
  CHECK(told.steps == 3);
  CHECK(told.rho == doctest::Approx((-1.0 - 1.0 + 1.0) / 3));
  CHECK(told.std_error == doctest::Approx(1));  // rows of -1 and 1
  CHECK(told.policy.size() == 7);
  CHECK(told.policy[0] == doctest::Approx(0.6));  // 0.2 of three
  CHECK(told.entropies[6] == doctest::Approx(0.8));
}

}  // namespace logpx::order_entropy_test
