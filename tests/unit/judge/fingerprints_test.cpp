#include "libcore/judge/fingerprints.hpp"

#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/judge/bit_kernels.hpp"
#include "libcore/judge/descriptor_samples.hpp"
#include "libcore/judge/feature_distance.hpp"
#include "tests/support/judged_rows.hpp"

#include <doctest/doctest.h>

#include <bit>

namespace logpx::fingerprints_test {

using namespace logpx::testing;

namespace {

Fingerprints drawn(std::uint32_t sub, std::int64_t n, std::int64_t bits) {
  Cursor cursor(Rng(9).stream(Stream::test, sub));
  Fingerprints made(bits);
  for (std::int64_t i = 0; i < n; ++i) {
    std::vector<std::uint64_t> words(at(made.words()));
    for (std::int64_t b = 0; b < bits; ++b)
      if (cursor.below(8) == 0) words[at(b / 64)] |= std::uint64_t{1} << (b % 64);
    made.append(words);
  }
  return made;
}

double plain(const Fingerprints& a, std::int64_t i, const Fingerprints& b, std::int64_t j) {
  int both = 0, either = 0;
  for (std::int64_t w = 0; w < a.words(); ++w) {
    both += std::popcount(a.row(i)[w] & b.row(j)[w]);
    either += std::popcount(a.row(i)[w] | b.row(j)[w]);
  }
  return either == 0 ? 1 : static_cast<double>(both) / either;
}

}  // namespace

TEST_CASE("fingerprints: blocks of rows give the plain sums over all pairs") {
  const Fingerprints set = drawn(0, 600, 167), reference = drawn(1, 530, 167);
  Workers workers(2);
  double sum = 0;
  for (std::int64_t i = 0; i < set.n(); ++i)
    for (std::int64_t j = 0; j < set.n(); ++j) sum += plain(set, i, set, j);
  CHECK(similarities(set, workers).mean ==
        doctest::Approx(sum / static_cast<double>(set.n() * set.n())).epsilon(1e-12));
  const std::vector<double> nearest = nearest_similarities(set, reference, workers);
  const std::vector<double> others = nearest_similarities(set, workers);
  for (const std::int64_t i : {0, 300, 599}) {
    double most = 0, most_other = 0;
    for (std::int64_t j = 0; j < reference.n(); ++j)
      most = std::max(most, plain(set, i, reference, j));
    for (std::int64_t j = 0; j < set.n(); ++j)
      if (j != i) most_other = std::max(most_other, plain(set, i, set, j));
    CHECK(nearest[at(i)] == most);
    CHECK(others[at(i)] == most_other);
  }
}

TEST_CASE("fingerprints: every variant of the kernel counts the same bits") {
  const Fingerprints set = drawn(2, 40, 1024), narrow = drawn(3, 40, 167);
  for (const Fingerprints* rows : {&set, &narrow}) {
    std::vector<unsigned> counted(40), baseline(40);
    active_bit_kernels().shared(rows->row(7), rows->row(0), 40, rows->words(), counted.data());
    baseline::bit_kernels.shared(rows->row(7), rows->row(0), 40, rows->words(), baseline.data());
    CHECK(counted == baseline);
    CHECK(counted[7] == rows->count(7));
  }
}

TEST_CASE("fingerprints: the same bytes for 1, 2 and 4 threads") {
  const Fingerprints set = drawn(4, 700, 1024);
  const auto by = [&](int threads) {
    Workers workers(threads);
    const SetSimilarities means = similarities(set, workers);
    return std::vector{means.mean, means.mean_square, means.mean_root};
  };
  CHECK(by(2) == by(1));
  CHECK(by(4) == by(1));
}

TEST_CASE("fingerprints: empty rows are alike, and nothing is like an empty reference") {
  Fingerprints empty(64);
  empty.append(std::vector<std::uint64_t>{0});
  empty.append(std::vector<std::uint64_t>{0});
  Workers workers(1);
  CHECK(tanimoto(empty, 0, empty, 1) == 1);
  CHECK(similarities(empty, workers).internal_diversity() == 0);
  CHECK(nearest_similarities(empty, Fingerprints(64), workers) == std::vector<double>{0, 0});
  CHECK(circles(empty, 0.75) == 1);
}

TEST_CASE("fingerprints: chosen rows come in the order of the list") {
  const Fingerprints set = drawn(5, 20, 200);
  const Fingerprints some = set.chosen({19, 3, 3});
  CHECK(some.n() == 3);
  CHECK(tanimoto(some, 0, set, 19) == 1);
  CHECK(some.count(1) == set.count(3));
}

TEST_CASE("descriptor samples: what cannot be computed is absent, and not a number") {
  CHECK_FALSE(cosine({}, {{"c1ccccc1", 2}}));
  CHECK_FALSE(wasserstein_1({}, {1}));
  const std::vector<double> constant = {2, 2, 2}, spread = {0, 1, 3}, outside = {7, 8};
  CHECK_FALSE(continuous_divergence(constant, spread));
  CHECK_FALSE(discrete_divergence(spread, outside));
  CHECK(discrete_divergence(constant, constant).value() == doctest::Approx(0));
}

TEST_CASE("feature distance: sets of one kind are as far apart as halves of one") {
  const JudgedRows reference = normal_rows(30, 2000, 6), made = normal_rows(31, 1000, 6);
  Workers workers(2);
  const auto halves = distance_of_halves(reference.view(), {FeatureScale::none, Rng(1)}, workers);
  const FeatureDistance between =
      feature_distance(moments_of(reference.view(), workers), moments_of(made.view(), workers),
                       FeatureScale::reference);
  CHECK(halves.value().rows == 1000);
  CHECK(between.value < 3 * halves.value().value);
  CHECK_FALSE(between.few_rows());
  CHECK_FALSE(
      distance_of_halves(normal_rows(32, 3, 2).view(), {FeatureScale::none, Rng(1)}, workers));
}

TEST_CASE("feature distance: fewer rows than twice the features are few") {
  const JudgedRows reference = normal_rows(33, 100, 6), made = normal_rows(34, 11, 6);
  Workers workers(1);
  CHECK(feature_distance(moments_of(reference.view(), workers), moments_of(made.view(), workers),
                         FeatureScale::none)
            .few_rows());
}

}  // namespace logpx::fingerprints_test
