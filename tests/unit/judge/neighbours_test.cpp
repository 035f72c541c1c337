#include "libcore/judge/neighbours.hpp"

#include "libcore/base/parallel.hpp"
#include "tests/support/judged_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace logpx::neighbours_test {

using namespace logpx::testing;

namespace {

double squared_distance(const FeatureView& a, std::int64_t i, const FeatureView& b,
                        std::int64_t j) {
  double sum = 0;
  for (std::int64_t k = 0; k < a.d; ++k) {
    const double difference = a.row(i)[k] - b.row(j)[k];
    sum += difference * difference;
  }
  return sum;
}

double plain_radius(const FeatureView& rows, std::int64_t i, std::int64_t neighbours) {
  std::vector<double> others;
  for (std::int64_t j = 0; j < rows.n; ++j)
    if (j != i) others.push_back(squared_distance(rows, i, rows, j));
  std::ranges::sort(others);
  return others[at(neighbours - 1)];
}

struct PlainScores {
  double precision, recall, density, coverage;
};

// All pairs, one after another.
PlainScores plain_scores(const FeatureView& real, const FeatureView& fake,
                         std::int64_t neighbours) {
  std::vector<double> real_radii, fake_radii;
  for (std::int64_t i = 0; i < real.n; ++i) real_radii.push_back(plain_radius(real, i, neighbours));
  for (std::int64_t j = 0; j < fake.n; ++j) fake_radii.push_back(plain_radius(fake, j, neighbours));
  std::int64_t precise = 0, recalled = 0, balls = 0, covered = 0;
  for (std::int64_t j = 0; j < fake.n; ++j) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < real.n; ++i)
      count += squared_distance(real, i, fake, j) <= real_radii[at(i)];
    precise += count > 0;
    balls += count;
  }
  for (std::int64_t i = 0; i < real.n; ++i) {
    bool in_fake = false, holds = false;
    for (std::int64_t j = 0; j < fake.n; ++j) {
      in_fake = in_fake || squared_distance(real, i, fake, j) <= fake_radii[at(j)];
      holds = holds || squared_distance(real, i, fake, j) <= real_radii[at(i)];
    }
    recalled += in_fake;
    covered += holds;
  }
  const auto m = static_cast<double>(real.n), n = static_cast<double>(fake.n);
  return {static_cast<double>(precise) / n, static_cast<double>(recalled) / m,
          static_cast<double>(balls) / (static_cast<double>(neighbours) * n),
          static_cast<double>(covered) / m};
}

}  // namespace

TEST_CASE("prdc: equals all pairs compared one by one, with rows that repeat and threads") {
  for (const std::int64_t d : {1, 3, 17}) {
    JudgedRows real = normal_rows(static_cast<std::uint32_t>(40 + d), 301, d);
    JudgedRows fake = normal_rows(static_cast<std::uint32_t>(60 + d), 275, d, 0.8);
    std::copy_n(real.values.begin(), 7 * d, fake.values.begin());  // on the edge: distance 0
    std::copy_n(real.values.begin(), 9 * d, real.values.begin() + 20 * d);
    for (const std::int64_t neighbours : {1, 5}) {
      const PlainScores plain = plain_scores(real.view(), fake.view(), neighbours);
      for (const int threads : {1, 2, 4}) {
        Workers workers(threads);
        const NeighbourScores scores =
            neighbour_scores(real.view(), fake.view(), neighbours, workers);
        CHECK(scores.precision.mean() == plain.precision);
        CHECK(scores.recall.mean() == plain.recall);
        CHECK(scores.density.mean() == doctest::Approx(plain.density).epsilon(1e-14));
        CHECK(scores.coverage.mean() == plain.coverage);
      }
    }
  }
}

TEST_CASE("prdc: samples that stay in a corner have precision and no recall") {
  const JudgedRows real = normal_rows(80, 500, 4), fake = normal_rows(81, 500, 4, 0.05);
  Workers workers(1);
  const NeighbourScores scores = neighbour_scores(real.view(), fake.view(), 5, workers);
  CHECK(scores.precision.mean() > 0.95);
  CHECK(scores.recall.mean() < 0.05);
  CHECK(scores.coverage.mean() < 0.2);
}

}  // namespace logpx::neighbours_test
