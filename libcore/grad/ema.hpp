// The running average of the parameters: e += (1 - d) (theta - e) after each step, started at the
// initial theta. The optimiser does it in the pass that moves theta.   [train/README 6.5]
#pragma once

#include <algorithm>
#include <cstdint>

namespace logpx {

struct Averaging {
  double decay = 0;     // 0: no average
  bool warmup = false;  // d_t = min(d, (1 + t) / (10 + t)), t = 0 at the first step

  [[nodiscard]] bool on() const { return decay > 0; }
  [[nodiscard]] double decay_at(std::int64_t t) const {
    if (!warmup) return decay;
    const auto n = static_cast<double>(t);
    return std::min(decay, (1 + n) / (10 + n));
  }
};

}  // namespace logpx
