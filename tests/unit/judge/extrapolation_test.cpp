#include "libcore/judge/extrapolation.hpp"

#include "libcore/base/parallel.hpp"
#include "tests/support/judged_rows.hpp"
#include "tests/support/sanitizers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace logpx::extrapolation_test {

using namespace logpx::testing;

namespace {

// The exact moments of N(0, I).
Moments standard_moments(std::int64_t d) {
  Moments moments{.n = 1'000'000,
                  .mean = std::vector<double>(at(d)),
                  .covariance = std::vector<double>(at(d * d))};
  for (std::int64_t i = 0; i < d; ++i) moments.covariance[at(i * (d + 1))] = 1;
  return moments;
}

Extrapolation frechet_of(const Moments& real, const JudgedRows& fake, std::uint64_t seed,
                         std::int64_t bootstrap, Workers& workers) {
  const FrechetReference reference(real);
  const auto score = frechet_score({reference, {}, fake.view()}, workers);
  const SubsetPlan plan{
      .sizes = even_sizes(static_cast<double>(fake.n) / 3, static_cast<double>(fake.n), 11)};
  return extrapolate(*score, plan, {{real.n, fake.n}, Rng(seed)}, {.bootstrap = bootstrap},
                     workers);
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("subsets: sizes go from a third to all rows, or from 1000 to 3000") {
  CHECK(default_sizes(5000, 64) == std::vector<std::int64_t>{1000, 1200, 1400, 1600, 1800, 2000,
                                                             2200, 2400, 2600, 2800, 3000});
  const std::vector<std::int64_t> sizes = default_sizes(300, 4);
  CHECK(sizes.size() == 11);
  CHECK(sizes.front() == 100);
  CHECK(sizes.back() == 300);
  CHECK(default_sizes(300, 120).front() == 121);
  CHECK(default_sizes(300, 2048).front() == 150);
  CHECK(even_sizes(1000, 3000, 3) == std::vector<std::int64_t>{1000, 2000, 3000});
}

TEST_CASE("subsets: prefixes, permutations and disjoint pieces hold the rows they should") {
  SubsetPlan plan{.sizes = {10, 20, 30}, .kind = SubsetKind::prefix};
  const SideCounts counts{50, 60};
  for (const Subset& subset : subsets_of(plan, counts, Rng(1), 0))
    CHECK(subset.fake == list_of(subset.size));
  plan.kind = SubsetKind::disjoint;
  std::set<std::uint32_t> seen;
  for (const Subset& subset : subsets_of(plan, counts, Rng(1), 0))
    for (const std::uint32_t row : subset.fake) CHECK(seen.insert(row).second);
  CHECK(seen.size() == 60);
  plan.kind = SubsetKind::shuffle;
  plan.repeats = 2;
  plan.sides = SizedSides::both;
  const std::vector<Subset> subsets = subsets_of(plan, counts, Rng(1), 0);
  CHECK(subsets.size() == 6);
  for (const Subset& subset : subsets) {
    CHECK(std::set(subset.fake.begin(), subset.fake.end()).size() == subset.fake.size());
    CHECK(std::ssize(*subset.real) == subset.size);
    CHECK(subset.real->back() < 50);
  }
  CHECK(subsets[0].fake != subsets[1].fake);
  // A resample holds rows twice.
  const RowList again = subsets_of(plan, counts, Rng(1), 1).back().fake;
  CHECK(std::set(again.begin(), again.end()).size() < again.size());
}

TEST_CASE("extrapolation: removes the bias of FID on Gaussians") {
  constexpr std::int64_t d = 32, n = 1000;
  constexpr std::uint32_t seeds = 60;
  const Moments real = standard_moments(d);
  Workers workers(2);
  std::vector<double> plain, at_infinity;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const Extrapolation told = frechet_of(real, normal_rows(200 + seed, n, d), seed, 0, workers);
    plain.push_back(told.at_most);
    at_infinity.push_back(told.line.intercept);
  }
  CHECK(std::fabs(mean_of(plain) - 0.30) <= 0.03);
  CHECK(std::fabs(mean_of(at_infinity)) <= 0.02);
}

// By a binomial of 0.95, fewer than 17 of 20 happen once in 60 times; the seeds are fixed.
TEST_CASE("extrapolation: the centred interval holds the true value in 17 of 20 seeds" *
          of_numbers) {
  constexpr std::int64_t d = 32, n = 1000;
  const Moments real = standard_moments(d);
  Workers workers(2);
  int held = 0, held_by_regression = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const JudgedRows fake = normal_rows(300 + seed, n, d);
    held += frechet_of(real, fake, seed, 100, workers).interval.holds_zero();
    held_by_regression += frechet_of(real, fake, seed, 0, workers).interval.holds_zero();
  }
  CHECK(held >= 17);
  MESSAGE("intervals of the regression alone held it in " << held_by_regression << " of 20");
}

TEST_CASE("extrapolation: the better of two is named, and equals are called neither" * of_numbers) {
  constexpr std::int64_t d = 16, n = 2000;
  Workers workers(2);
  int named = 0, neither = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Moments real = moments_of(normal_rows(400 + 4 * seed, n, d).view(), workers);
    const JudgedRows good = normal_rows(401 + 4 * seed, n, d);
    const JudgedRows wide = normal_rows(402 + 4 * seed, n, d, std::sqrt(1.2));
    const JudgedRows also = normal_rows(403 + 4 * seed, n, d);
    const Extrapolation a = frechet_of(real, good, seed, 100, workers);
    const Extrapolation b = frechet_of(real, wide, seed, 100, workers);
    const Extrapolation c = frechet_of(real, also, seed, 100, workers);
    named += better_of(difference(a, b, 0.95), WantedSide::low) == Better::a &&
             better_of(difference(b, a, 0.95), WantedSide::low) == Better::b;
    neither += better_of(difference(a, c, 0.95), WantedSide::low) == Better::neither;
  }
  CHECK(named >= 19);
  CHECK(neither >= 16);
}

TEST_CASE("extrapolation: the same bytes for 1, 2 and 4 threads") {
  const Moments real = standard_moments(6);
  const JudgedRows fake = normal_rows(500, 400, 6);
  const auto by = [&](int threads) {
    Workers workers(threads);
    Extrapolation told = frechet_of(real, fake, 3, 20, workers);
    told.resampled_intercepts.push_back(told.line.intercept);
    return told.resampled_intercepts;
  };
  CHECK(by(2) == by(1));
  CHECK(by(4) == by(1));
}

TEST_CASE("extrapolation: real and fake sizes together remove the bias of both") {
  Workers workers(2);
  std::vector<double> fake_only, both;
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const JudgedRows real = normal_rows(600 + 2 * seed, 400, 8);
    const JudgedRows fake = normal_rows(601 + 2 * seed, 400, 8);
    const FrechetReference reference(moments_of(real.view(), workers));
    const auto score = frechet_score({reference, real.view(), fake.view()}, workers);
    SubsetPlan plan{.sizes = even_sizes(133, 400, 11)};
    const Sampled sampled{{real.n, fake.n}, Rng(seed)};
    fake_only.push_back(extrapolate(*score, plan, sampled, {}, workers).line.intercept);
    plan.sides = SizedSides::both;
    both.push_back(extrapolate(*score, plan, sampled, {}, workers).line.intercept);
  }
  CHECK(mean_of(fake_only) > 0.05);
  CHECK(std::fabs(mean_of(both)) < 0.03);
}

TEST_CASE("extrapolation: the inception score of equal rows is 1 and of sure ones their classes") {
  const JudgedRows same{6, 3, std::vector<double>(18, 0.5)};
  JudgedRows sure{6, 3, std::vector<double>(18, -1000)};
  for (std::int64_t i = 0; i < 6; ++i) sure.values[at(i * 3 + i % 3)] = 1000;
  Workers workers(1);
  const std::vector<Subset> all = {{.size = 6, .repeat = 0, .fake = list_of(6), .real = {}}};
  CHECK(inception_score(same.view())->of(all, workers)[0] == doctest::Approx(1));
  CHECK(inception_score(sure.view())->of(all, workers)[0] == doctest::Approx(3));
}

TEST_CASE("extrapolation: 1 % of the score needs the N that its line says") {
  const std::vector<ScorePoint> points = {{10, 0, 8.0}, {20, 0, 6.5}, {30, 0, 6.0}};  // 5 + 30 / N
  const Extrapolation told = extrapolate(points, {});
  CHECK(told.line.intercept == doctest::Approx(5));
  CHECK(told.bias_at_most() == doctest::Approx(1));
  CHECK(told.rows_for_one_percent() == 600);
}

TEST_CASE("extrapolation: weights and repeats enter the line as they should") {
  // Repeats count by their mean; the weights pull towards the larger sizes.
  const std::vector<ScorePoint> repeated = {{10, 0, 7.0}, {10, 1, 9.0}, {20, 0, 6.5}, {30, 0, 6.0}};
  CHECK(extrapolate(repeated, {}).line.intercept == doctest::Approx(5));
  const std::vector<std::int64_t> sizes = {10, 100, 1000};
  const std::vector<double> scores = {3, 1, 2};
  const double equal = fit_line(sizes, scores, PointWeights::equal).intercept;
  const double weighted = fit_line(sizes, scores, PointWeights::size).intercept;
  CHECK(std::fabs(weighted - 2) < std::fabs(equal - 2));
  CHECK_FALSE(fit_line(sizes, std::vector<double>{4, 4, 4}, PointWeights::equal).r2);
}

}  // namespace logpx::extrapolation_test
