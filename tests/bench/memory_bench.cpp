#include "tests/bench/bench.hpp"

#include <algorithm>

namespace logpx::bench {

void bench_memory(Bench& bench) {
  constexpr std::size_t n = std::size_t{32} << 20;  // 128 MiB of float: past every cache
  const std::vector<float> from(n, 1.0f);
  std::vector<float> to(n);
  const double seconds = bench.seconds([&] {
    for (std::size_t i = 0; i < n; ++i) to[i] = 0.5f * from[i] + to[i];
  });
  bench.add({.name = "to = 0.5 from + to, 128 MiB each",
             .value = 3e-9 * n * sizeof(float) / seconds,
             .unit = "GB/s",
             .share = {},
             .floor = {},
             .of = {}});
}

}  // namespace logpx::bench
