#include "libcore/math/resample.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace logpx::resample_test {
namespace {

using Numbers = std::vector<double>;
using Indices = std::vector<std::int64_t>;

Numbers numbers(const Json& json) { return golden_layer::tensor(json).data; }

Indices integers(const Json& json) {
  Indices values;
  for (const Json& item : json.items()) values.push_back(item.integer());
  return values;
}

Indices drawn(Resampler resampler, const Numbers& weights, const Numbers& uniforms) {
  Indices indices(weights.size());
  resample(resampler, weights, uniforms, indices);
  return indices;
}

}  // namespace

TEST_CASE("golden/kaem/resampling") {
  const Json* item = golden::field("kaem", "resampling");
  if (!item) return;
  for (const Json& one : item->at("cases").items()) {
    const Numbers weights = numbers(one.at("weights")), u = numbers(one.at("uniforms"));
    CHECK(effective_size(weights) == doctest::Approx(golden::real(one.at("ess"))).epsilon(1e-12));
    const Json& residual = one.at("residual");
    CHECK(drawn(Resampler::residual, weights, u) == integers(residual.at("indices")));
    Numbers first(u.begin(), u.begin() + residual.at("remaining").integer());
    CHECK(drawn(Resampler::residual, weights, first) == integers(residual.at("indices")));
    CHECK(drawn(Resampler::systematic, weights, {u[0]}) == integers(one.at("systematic")));
    CHECK(drawn(Resampler::stratified, weights, u) == integers(one.at("stratified")));
    CHECK(drawn(Resampler::multinomial, weights, u) == integers(one.at("multinomial")));
  }
  const Json& extreme = item->at("softmax_of_loglik");
  const Numbers log_weights = numbers(extreme.at("loglik")),
                expected = numbers(extreme.at("weights"));
  Numbers weights(log_weights.size());
  const double log_mean = importance_weights(log_weights, weights);
  CHECK(log_mean == doctest::Approx(golden::real(extreme.at("log_mean_weight"))).epsilon(1e-12));
  CHECK(effective_size(weights) == doctest::Approx(golden::real(extreme.at("ess"))).epsilon(1e-12));
  for (std::size_t i = 0; i < weights.size(); ++i)
    CHECK(std::fabs(weights[i] - expected[i]) <= 1e-9 * expected[i]);
  for (const Json& one : item->at("ess_threshold_examples").items())
    CHECK(
        (golden::real(one.at("ess")) < golden::real(one.at("gamma")) * golden::real(one.at("N"))) ==
        one.at("resample").boolean());
  const Json& knife = item->at("knife_edge");
  const Numbers sharp = numbers(knife.at("weights"));
  const Indices of_sharp = drawn(Resampler::residual, sharp, Numbers(sharp.size(), 0.999));
  CHECK(draw_counts(of_sharp, std::ssize(sharp))[0] == knife.at("expected_first_count").integer());
}

TEST_CASE("golden/kaem/mixture: the component that a uniform chooses") {
  const Json* item = golden::field("kaem", "mixture");
  if (!item) return;
  const auto check = [](const Numbers& alpha, const Numbers& u, const Indices& selected) {
    Numbers sums(alpha.size());
    std::partial_sum(alpha.begin(), alpha.end(), sums.begin());
    for (std::size_t i = 0; i < u.size(); ++i) CHECK(chosen_index(sums, u[i]) == selected[i]);
  };
  check(numbers(item->at("alpha")), numbers(item->at("u_mix")), integers(item->at("selected")));
  check(numbers(item->at("exact_alpha")), numbers(item->at("exact_u")),
        integers(item->at("exact_selected")));
}

TEST_CASE("resample: every resampler draws N w of each on average") {
  const Numbers weights = {0.31, 0, 0.052, 0.338, 0.1, 0.2};
  constexpr int repetitions = 100000;
  constexpr double n = 6;
  Cursor words(Rng(12).stream(Stream::resample));
  for (const Resampler resampler : {Resampler::residual, Resampler::systematic,
                                    Resampler::stratified, Resampler::multinomial}) {
    Numbers sums(6), squares(6), u(6);
    for (int r = 0; r < repetitions; ++r) {
      for (double& value : u) value = words.uniform53();
      const Indices counts = draw_counts(drawn(resampler, weights, u), 6);
      for (std::size_t s = 0; s < 6; ++s) {
        const auto count = static_cast<double>(counts[s]);
        sums[s] += count;
        squares[s] += count * count;
        if (resampler == Resampler::residual && count < std::floor(n * weights[s]))
          FAIL_CHECK("fewer than floor(N w)");
        const double limit = resampler == Resampler::systematic   ? 1
                             : resampler == Resampler::stratified ? 2
                                                                  : n;
        if (std::fabs(count - n * weights[s]) >= limit + 1e-9) FAIL_CHECK("too far from N w");
      }
    }
    for (std::size_t s = 0; s < 6; ++s) {  // 5 standard errors: false alarm 6e-7 each
      const double mean = sums[s] / repetitions;
      const double error = std::sqrt((squares[s] / repetitions - mean * mean) / repetitions);
      CHECK(std::fabs(mean - n * weights[s]) <= 5 * error + 1e-12);
    }
  }
}

TEST_CASE("resample: no resampling leaves every index in its place") {
  CHECK(drawn(Resampler::none, {0.9, 0.1, 0}, {}) == Indices{0, 1, 2});
}

TEST_CASE("resample: a weight of 0 is never drawn, not even at the ends of the uniforms") {
  const Numbers sums = {0, 0, 0.3, 0.3, 1 - 1e-12, 1 - 1e-12};
  CHECK(chosen_index(sums, 0) == 2);
  CHECK(chosen_index(sums, 0.3) == 2);
  CHECK(chosen_index(sums, 0.31) == 4);
  CHECK(chosen_index(sums, 1) == 4);
}

TEST_CASE("resample: log-weights without a finite largest are numeric errors") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Numbers weights(2);
  for (const Numbers& bad : {Numbers{-infinity, -infinity}, Numbers{0, infinity},
                             Numbers{std::nan(""), 1}, Numbers{1, std::nan("")}})
    CHECK_THROWS_AS((void)importance_weights(bad, weights), Error);
  CHECK(importance_weights(Numbers{-infinity, 3}, weights) == doctest::Approx(3 - std::log(2.0)));
  CHECK(weights == Numbers{0, 1});
}

TEST_CASE("importance weights: the error by halves is how far their log means lie apart") {
  const Numbers even = {-1, -1, -3, -3}, odd = {-1, -3, -3};
  CHECK(error_by_halves(even) == doctest::Approx(1));
  CHECK(error_by_halves(odd) == doctest::Approx(2 * std::sqrt(2) / 3));
  // One weight makes up the mean: its variance alone would make it seem certain to a nat.
  const Numbers uneven = {-500, -20};
  CHECK(error_by_halves(uneven) == doctest::Approx(240));
  const Numbers none = {-std::numeric_limits<double>::infinity(), -2};
  CHECK(error_by_halves(none) == 1);
}

}  // namespace logpx::resample_test
