// Samples by inverse transform of one component of an energy prior, with its tables made, and the
// making of tables. The peer is scripts/peers/its_pinv.py.
#include "libcore/base/clock.hpp"
#include "libcore/math/inverse_cdf.hpp"
#include "libcore/math/unit_points.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace logpx::bench {
namespace {

// What is timed at once: short enough that other load on the machine leaves some rounds alone.
constexpr std::size_t samples = 10'000, tables = 30;
constexpr std::size_t all_samples = 1'000'000;
constexpr std::size_t all_tables = 3240, samples_of_each = 100;  // a prior of 40 x 81 components

// A Gaussian on [-1.5,1.5] times the exponential of waves, as a trained energy may be.
IntervalDensity component() {
  return {[](std::span<const double> z, std::span<double> log_g) {
            for (std::size_t i = 0; i < z.size(); ++i)
              log_g[i] = 0.8 * std::sin(5 * z[i]) + 0.3 * std::cos(11 * z[i]) - z[i] * z[i] / 2;
          },
          {-1.5, 0, 1.5}};
}

std::vector<double> uniforms(std::size_t count) {
  std::vector<double> u(count);
  random_points(1, Rng(1))->fill(0, u);
  return u;
}

struct Timed {
  std::string name;
  double whole = 1;  // calls that make the whole
  double most = 0;   // promised milliseconds for the fastest whole; 0: nothing is
};

template <typename Call>
void add(Bench& bench, const Timed& timed, Call call) {
  std::vector<double> ms(500);
  for (double& each : ms) {
    const double start = wall_seconds();
    call();
    each = 1e3 * timed.whole * (wall_seconds() - start);
  }
  std::ranges::sort(ms);
  Row row{.name = timed.name + ", fastest", .value = ms.front(), .unit = "ms"};
  if (timed.most > 0) {
    row.share = timed.most / row.value;
    row.floor = 1;
    row.of = std::to_string(std::lround(timed.most)) + " ms";
  }
  bench.add(row);
  bench.add({.name = timed.name + ", median", .value = ms[ms.size() / 2], .unit = "ms"});
}

void bench_tables(Bench& bench) {
  HermiteCdf table(component().breaks, 100);
  std::vector<double> log_g(table.points().size()), u = uniforms(tables * samples_of_each);
  std::vector<double> z(u.size());
  component().log_g(table.points(), log_g);
  constexpr double parts = static_cast<double>(all_tables) / tables;
  add(bench, {"3,240 tables of hermite, 100 samples of each", parts, 15}, [&] {
    for (std::size_t t = 0; t < tables; ++t) {
      log_g[t % log_g.size()] += 1e-9;  // a different table each time
      table.rebuild(log_g);
      table.quantiles(std::span(u).subspan(t * samples_of_each, samples_of_each),
                      std::span(z).subspan(t * samples_of_each, samples_of_each));
    }
  });
}

}  // namespace

void bench_its(Bench& bench) {
  const std::vector<double> u = uniforms(samples);
  std::vector<double> z(samples);
  constexpr double parts = static_cast<double>(all_samples) / samples;
  for (const auto& [word, method, most] :
       {std::tuple("exact", Inversion::exact, 0.0), {"hermite", Inversion::hermite, 25.0}}) {
    const InverseCdf inverse(component(), {.method = method});
    add(bench, {std::string("a million quantiles, ") + word, parts, most},
        [&] { inverse.quantiles(u, z); });
    add(bench, {std::string("a component made, ") + word + " set-up", 1, 2},
        [&] { InverseCdf(component(), {.method = method}); });
  }
  add(bench, {"a million uniform numbers", parts}, [&] { random_points(1, Rng(1))->fill(0, z); });
  bench_tables(bench);
}

}  // namespace logpx::bench
