#include "libcore/math/vector_math.hpp"

#include "tests/bench/bench.hpp"

#include <span>

namespace logpx::bench {

void bench_vector_math(Bench& bench) {
  std::vector<float> x(4096), y(x.size());  // fits the first-level cache
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.002f * static_cast<float>(i + 1);
  using Function = void (*)(std::span<const float>, std::span<float>);
  const auto add = [&](const char* name, double seconds) {
    bench.add({.name = name,
               .value = 1e-9 * static_cast<double>(x.size()) / seconds,
               .unit = "G/s",
               .share = {},
               .floor = {},
               .of = {}});
  };
  const auto rate = [&](const char* name, Function function) {
    add(name, bench.seconds([&] { function(x, y); }));
  };
  rate("exp", vec::exp);
  rate("log", vec::log);
  rate("tanh", vec::tanh);
  rate("sigmoid", vec::sigmoid);
  rate("softplus", vec::softplus);
  rate("sin", vec::sin);
  rate("erf", vec::erf);
  rate("lgamma", vec::lgamma);
  rate("digamma", vec::digamma);

  const std::vector<double> a(x.begin(), x.end()), k(x.size(), 7);
  std::vector<double> rise(x.size());
  add("log rising", bench.seconds([&] { vec::log_rising(a, k, rise); }));
  add("digamma rising", bench.seconds([&] { vec::digamma_rising(a, k, rise); }));
}

}  // namespace logpx::bench
