// How a rate moves over a run: a warm-up, then a curve from `base` to `last`.
// Learning rates use it, and the EM step size of circuits.   [train/README 6.4]
#pragma once

#include <cstdint>
#include <vector>

namespace logpx {

enum class Curve { constant, cosine, linear, inverse_sqrt, step, exponential, sigmoid };

struct Schedule {
  Curve curve = Curve::constant;
  double base = 1, last = 0;
  std::int64_t warmup = 0;  // steps: base (s + 1) / warmup for s < warmup
  std::int64_t total = 0;   // steps at which cosine, linear, exponential and sigmoid reach `last`
  double factor = 0.1;      // step: at every milestone
  std::vector<std::int64_t> milestones = {};

  // A usage error for values that the curve cannot take.
  void validate() const;
  // At 0-based step s:
  //   cosine        last + (base - last) (1 + cos(pi p)) / 2,  p = min(1, (s - w) / (total - w))
  //   linear        base + (last - base) p
  //   exponential   base (last / base)^p
  //   sigmoid       logistic(logit(base) + (logit(last) - logit(base)) p), both within (0, 1)
  //   inverse_sqrt  base sqrt(w / (s + 1)), w at least 1
  //   step          base factor^(milestones <= s)
  [[nodiscard]] double rate(std::int64_t s) const;
  // True when the rate at a step depends on `total`: then a run cannot be prolonged unchanged.
  [[nodiscard]] bool needs_total() const;
};

}  // namespace logpx
