#include "libcore/eval/inverse_samples.hpp"

#include "libcore/base/parallel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::inverse_samples_test {
namespace {

using Numbers = std::vector<double>;

IntervalDensity falling() {
  return {[](std::span<const double> z, std::span<double> log_g) {
            std::transform(z.begin(), z.end(), log_g.begin(), [](double x) { return -2 * x; });
          },
          {0, 3}};
}

Numbers drawn(const InverseSource& source, int threads, std::int64_t first, std::int64_t last) {
  Workers workers(threads);
  const auto points = random_points(source.uniforms(), Rng(4));
  InverseSampler sampler(source, *points, workers);
  const InverseSamples samples = sampler.draw(first, last);
  return {samples.z.begin(), samples.z.end()};
}

}  // namespace

TEST_CASE("inverse samples: neither threads nor blocks nor what went before changes a sample") {
  for (const Inversion method : {Inversion::exact, Inversion::hermite}) {
    const DensitySource source(falling(), {.method = method});
    const Numbers whole = drawn(source, 1, 0, 20000);
    CHECK(drawn(source, 4, 0, 20000) == whole);
    CHECK(drawn(source, 2, 9999, 15001) == Numbers(whole.begin() + 9999, whole.begin() + 15001));
    CHECK(drawn(source, 1, 7, 7).empty());
  }
}

TEST_CASE("inverse samples: the error is that of F, taken all over the run") {
  Workers workers(2);
  for (const Inversion method : {Inversion::exact, Inversion::hermite, Inversion::nodes}) {
    const DensitySource source(falling(), {.method = method, .nodes = 50});
    const auto points = random_points(1, Rng(4));
    InverseSampler sampler(source, *points, workers);
    SpreadSamples kept(100, 30100);
    double largest = 0;
    for (std::int64_t begin = 100; begin < 30100; begin += 1000) {
      const InverseSamples samples = sampler.draw(begin, begin + 1000);
      kept.keep(samples);
      for (std::size_t i = 0; i < 1000; ++i) {
        const double cdf = std::expm1(-2 * samples.z[i]) / std::expm1(-6.0);
        largest = std::max(largest, std::fabs(cdf - samples.u[i]));
      }
    }
    const double error = kept.u_error(source);
    CHECK(error <= largest + 1e-12);
    CHECK(error >= 0.9 * largest - 1e-12);  // 4096 of 30000
    if (method == Inversion::exact) CHECK(error < 1e-10);
    if (method == Inversion::nodes) CHECK(error > 1e-3);
  }
  const DensitySource source(falling(), {});
  CHECK(source.domain() == std::pair(0.0, 3.0));
}

TEST_CASE("inverse samples: fewer than the error is measured on are all of them") {
  Workers workers(1);
  const DensitySource source(falling(), {.method = Inversion::nodes, .nodes = 4});
  const auto points = given_points({0.2, 0.9}, 1);
  InverseSampler sampler(source, *points, workers);
  SpreadSamples kept(0, 2);
  const InverseSamples samples = sampler.draw(0, 2);
  kept.keep(samples);
  CHECK(kept.u_error(source) == source.u_error(samples.u, samples.z));
}

}  // namespace logpx::inverse_samples_test
