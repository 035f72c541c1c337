// Normalisation layers: tensors w (scale, starts at one) and b (shift, starts at zero), both [C].
#pragma once

#include "libcore/grad/ops_norm.hpp"
#include "libcore/nn/site.hpp"

namespace logpx {

class GroupNorm {
 public:
  // gcd(groups, channels) groups   [VDM; vdm/README 8.2]
  GroupNorm(const Site& site, std::int64_t channels, std::int64_t groups, NormOptions options = {});
  [[nodiscard]] Var operator()(const ParamSet& params, Var x) const;

 private:
  std::string step_;
  int w_, b_;
  std::int64_t groups_;
  NormOptions options_;
};

class LayerNorm {
 public:
  LayerNorm(const Site& site, std::int64_t width, NormOptions options = {});
  [[nodiscard]] Var operator()(const ParamSet& params, Var x) const;

 private:
  std::string step_;
  int w_, b_;
  NormOptions options_;
};

// Statistics [2,C]: channel_statistics(x) in training, running averages in evaluation.
class BatchNorm {
 public:
  BatchNorm(const Site& site, std::int64_t channels, NormOptions options = {});
  [[nodiscard]] Var operator()(const ParamSet& params, Var x, Var statistics) const;

 private:
  std::string step_;
  int w_, b_;
  NormOptions options_;
};

}  // namespace logpx
