// Judges of samples: distances of 10,000 samples with 2048 features at 11 sizes, statistics of
// 50,000, kernel distances, and neighbours. The peer is scripts/peers/fid_numpy.py, which makes the
// same features.
#include "libcore/base/clock.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/judge/extrapolation.hpp"
#include "libcore/judge/neighbours.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace logpx::bench {
namespace {

constexpr int threads = 2;

// A number in (-1/2, 1/2) for each place of a set, by mixing its bits.
double mixed(std::uint32_t place) {
  place ^= place >> 16;
  place *= 0x7feb352dU;
  place ^= place >> 15;
  place *= 0x846ca68bU;
  place ^= place >> 16;
  return static_cast<double>(place) / 0x1p32 - 0.5;
}

struct MadeFeatures {
  std::int64_t n, d;
  std::vector<double> values;
  MadeFeatures(std::int64_t rows, std::int64_t features, std::uint32_t set)
      : n(rows), d(features), values(at(rows * features)) {
    const std::uint32_t first = set * 0x9e3779b9U;
    for (std::size_t e = 0; e < values.size(); ++e)
      values[e] = (1 + 0.1 * set) * mixed(first + static_cast<std::uint32_t>(e));
  }
  [[nodiscard]] FeatureView view() const { return {values, n, d}; }
};

// Calls that take seconds are timed one by one.
template <typename Call>
void add_seconds(Bench& bench, const std::string& name, double most, const Call& call) {
  const double start = wall_seconds();
  call();
  Row row{.name = name, .value = wall_seconds() - start, .unit = "s"};
  if (most > 0) {
    row.share = most / row.value;
    row.floor = 1;
    row.of = std::to_string(std::lround(most)) + " s";
  }
  bench.add(row);
}

double distance_from_rows(const MadeFeatures& real, const MadeFeatures& fake, Workers& workers) {
  const FrechetReference reference(moments_of(real.view(), workers));
  return reference.to(moments_of(fake.view(), workers)).value;
}

// From rows to the distance, which the peer does, too.
void add_peer_rows(Bench& bench, Workers& workers) {
  const MadeFeatures real(4000, 1024, 1), fake(4000, 1024, 2);
  std::vector<double> ms(3);
  double value = 0;
  for (double& each : ms) {
    const double start = wall_seconds();
    value = distance_from_rows(real, fake, workers);
    each = 1e3 * (wall_seconds() - start);
  }
  std::ranges::sort(ms);
  const std::string name = "4,000 x 1024, 2 threads fid";
  bench.add({.name = name + ", fastest", .value = ms.front(), .unit = "ms"});
  bench.add({.name = name + ", median", .value = ms[1], .unit = "ms"});
  bench.add({.name = name + ", value", .value = value, .unit = "FID"});
}

}  // namespace

void bench_fid(Bench& bench) {
  Workers workers(threads);
  add_peer_rows(bench, workers);
  {
    const MadeFeatures real(10'000, 2048, 1), fake(10'000, 2048, 2);
    add_seconds(bench, "fid, 10,000 x 2048 at 11 sizes to 10,000", 30, [&] {
      const FrechetReference reference(moments_of(real.view(), workers));
      const auto score = frechet_score({reference, {}, fake.view()}, workers);
      (void)extrapolate(*score, {.sizes = even_sizes(10'000.0 / 3, 10'000, 11)},
                        {{real.n, fake.n}, Rng(1)}, {}, workers);
    });
  }
  {
    const MadeFeatures block(1000, 2048, 3);
    add_seconds(bench, "statistics of 50,000 x 2048", 10, [&] {
      MomentSums sums(block.d, &workers);
      for (int part = 0; part < 50; ++part) sums.append(block.values);
      (void)sums.finish();
    });
  }
  const MadeFeatures real(10'000, 64, 4), fake(10'000, 64, 5);
  add_seconds(bench, "prdc, 10,000 x 10,000 of 64", 20,
              [&] { (void)neighbour_scores(real.view(), fake.view(), 5, workers); });
  add_seconds(bench, "kid, 10,000 x 10,000 of 64, 100 resamples at 11 sizes", 0, [&] {
    const KernelSets sets{{.gamma = 1.0 / 64}, real.view(), fake.view()};
    const KernelReference reference(sets, workers);
    const auto score = kernel_score(sets, reference);
    (void)extrapolate(*score, {.sizes = default_sizes(fake.n, 64)}, {{real.n, fake.n}, Rng(1)},
                      {.bootstrap = 100}, workers);
  });
}

}  // namespace logpx::bench
