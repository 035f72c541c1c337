#include "libcore/judge/kernel_distance.hpp"

#include "libcore/base/parallel.hpp"
#include "libcore/judge/extrapolation.hpp"
#include "tests/support/judged_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

namespace logpx::kernel_distance_test {

using namespace logpx::testing;

namespace {

// The definition, with a list of rows on the fake side.
double plain_distance(const KernelSets& sets, const RowList& fake) {
  const auto kernel = [&](const double* a, const double* b) {
    return sets.kernel.of(std::inner_product(a, a + sets.real.d, b, 0.0));
  };
  double xx = 0, yy = 0, xy = 0;
  for (std::int64_t i = 0; i < sets.real.n; ++i) {
    for (std::int64_t j = 0; j < sets.real.n; ++j)
      if (i != j) xx += kernel(sets.real.row(i), sets.real.row(j));
    for (const std::uint32_t j : fake) xy += kernel(sets.real.row(i), sets.fake.row(j));
  }
  for (std::size_t i = 0; i < fake.size(); ++i)
    for (std::size_t j = 0; j < fake.size(); ++j)
      if (i != j) yy += kernel(sets.fake.row(fake[i]), sets.fake.row(fake[j]));
  const auto m = static_cast<double>(sets.real.n), n = static_cast<double>(fake.size());
  return xx / (m * (m - 1)) + yy / (n * (n - 1)) - 2 * xy / (m * n);
}

}  // namespace

TEST_CASE("kernel distance: blocks and shared passes give the plain sums, repeated rows too") {
  const JudgedRows real = normal_rows(20, 600, 4), fake = normal_rows(21, 530, 4, 1.1);
  const KernelSets sets{{.degree = 2, .gamma = 0.3, .coef0 = 0.5}, real.view(), fake.view()};
  Workers workers(2);
  const KernelReference reference(sets, workers);
  const RowList all = list_of(fake.n), repeated = {0, 0, 3, 3, 3, 529, 17};
  CHECK(reference.distance(workers).value ==
        doctest::Approx(plain_distance(sets, all)).epsilon(1e-9));
  const std::vector<RowList> lists(300, repeated);  // more than share a pass
  const std::vector<double> values = reference.distances(lists, workers);
  for (const double value : values)
    CHECK(value == doctest::Approx(plain_distance(sets, repeated)).epsilon(1e-9));
}

TEST_CASE("kernel distance: the same bytes for 1, 2 and 4 threads") {
  const JudgedRows real = normal_rows(22, 700, 6), fake = normal_rows(23, 800, 6);
  const KernelSets sets{{.gamma = 1.0 / 6}, real.view(), fake.view()};
  const std::vector<RowList> lists = {list_of(800), list_of(333)};
  const auto by = [&](int threads) {
    Workers workers(threads);
    const KernelReference reference(sets, workers);
    std::vector<double> values = reference.distances(lists, workers);
    values.push_back(reference.distance(workers).value);
    values.push_back(reference.distance(workers).std_error);
    return values;
  };
  CHECK(by(2) == by(1));
  CHECK(by(4) == by(1));
}

// For N(0, I) and N(0, s^2 I) and the kernel (x.y / d + 1)^3, E k(x, x') = 1 + 3 s^2 t^2 / d for
// variances s^2 and t^2, so that the distance is 3 (1 - s^2)^2 / d.
TEST_CASE("kernel distance: meets its closed form on Gaussians within 4 standard errors") {
  constexpr std::int64_t d = 8, seeds = 40, n = 400;
  const double variance = 1.44, closed = 3 * (1 - variance) * (1 - variance) / d;
  Workers workers(2);
  std::vector<double> values, errors;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const JudgedRows real = normal_rows(100 + 2 * seed, n, d);
    const JudgedRows fake = normal_rows(101 + 2 * seed, n, d, std::sqrt(variance));
    const KernelSets sets{{.gamma = 1.0 / d}, real.view(), fake.view()};
    const KernelDistance distance = KernelReference(sets, workers).distance(workers);
    values.push_back(distance.value);
    errors.push_back(distance.std_error);
  }
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / seeds;
  const double spread = standard_deviation(values);
  CHECK(std::fabs(mean - closed) <= 4 * spread / std::sqrt(double{seeds}));
  // The error that a run states is the scatter over seeds, or a little more.
  const double said = std::accumulate(errors.begin(), errors.end(), 0.0) / seeds;
  CHECK(said / spread > 0.7);
  CHECK(said / spread < 1.8);
}

}  // namespace logpx::kernel_distance_test
