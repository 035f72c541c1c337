// A learned vector for every value, and one more for what is not seen.
#pragma once

#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/nn/site.hpp"

#include <cstdint>

namespace logpx::arm {

class Tokens {
 public:
  Tokens(const Site& site, std::int64_t levels, std::int64_t width)
      : levels_(levels), w_(site.tensor("w", {levels + 1, width}, Init::normal(1))) {}

  // x [B,L], seen [B,L,1], to [B,L,width].
  [[nodiscard]] Var operator()(const ParamSet& params, Var x, Var seen) const {
    const Var w = x.graph().parameter(params, w_);
    const std::int64_t width = w.shape()[1];
    const Var hidden = w.rows(levels_, levels_ + 1).reshape({1, 1, width});
    return embedding(w.rows(0, levels_), x) * seen + hidden * (1.0 - seen);
  }

 private:
  std::int64_t levels_;
  int w_;
};

}  // namespace logpx::arm
