#include "libcore/model/estimate.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace logpx::estimate_test {

TEST_CASE("estimate: the mean of scores has the textbook standard error, its kind and its unit") {
  const std::vector<double> nats = {-1, -2, -3, -6};
  const Estimate mean = mean_of(nats, Bound::lower_bound);
  CHECK(mean.value == -3);
  CHECK(mean.std_error.value() == doctest::Approx(std::sqrt(14.0 / 3 / 4)));
  CHECK(mean.n == 4);
  CHECK(mean.text() == "-3 ± 1.08 nats (lower bound)");
  const Estimate bits = mean.scaled(-0.5, "bits/dim");
  CHECK(bits.value == 1.5);
  CHECK(bits.std_error.value() > 0);
  CHECK(std::string(relation_of(bits.kind)) == "<=");
}

TEST_CASE("estimate: an impossible example makes the mean -inf, without an error to it") {
  const std::vector<double> nats = {-1, -std::numeric_limits<double>::infinity()};
  const Estimate mean = mean_of(nats, Bound::exact);
  CHECK(std::isinf(mean.value));
  CHECK(!mean.std_error);
  CHECK(!mean_of(std::vector<double>{-1}, Bound::exact).std_error);
}

TEST_CASE("estimate: the six kinds have words that read back, and sums take the weaker one") {
  for (const Bound kind : {Bound::exact, Bound::lower_bound, Bound::stochastic_lower_bound,
                           Bound::upper_bound, Bound::estimate, Bound::surrogate})
    CHECK(parse_bound(word_of(kind)) == kind);
  CHECK_THROWS_AS(static_cast<void>(parse_bound("guess")), Error);
  CHECK(weaker(Bound::exact, Bound::upper_bound) == Bound::upper_bound);
  CHECK(weaker(Bound::lower_bound, Bound::stochastic_lower_bound) == Bound::stochastic_lower_bound);
  CHECK(weaker(Bound::lower_bound, Bound::upper_bound) == Bound::estimate);
  CHECK(weaker(Bound::surrogate, Bound::exact) == Bound::surrogate);
}

}  // namespace logpx::estimate_test
