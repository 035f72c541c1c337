#pragma once

#include "libcore/nn/linear.hpp"
#include "libcore/nn/norm.hpp"

#include <vector>

namespace logpx {

struct MlpOptions {
  Activation hidden = Activation::silu, output = Activation::none;
  Init weights = {Init::Rule::glorot_uniform};
  Init biases = Init::zeros();
  Init last_weights = weights;  // zeros: the network starts at its last bias
};

// Dense layers dense0, dense1, ... between widths[0] inputs and widths.back() outputs.
class Mlp {
 public:
  Mlp(const Site& site, const std::vector<std::int64_t>& widths, const MlpOptions& options = {});
  [[nodiscard]] Var operator()(const ParamSet& params, Var x) const;

 private:
  std::string step_;
  std::vector<Linear> layers_;
};

// x + out(act(in(norm(x)))), from width to hidden and back.   [arm/README 8.1]
class ResidualDense {
 public:
  ResidualDense(const Site& site, std::int64_t width, std::int64_t hidden,
                const MlpOptions& options = {});
  [[nodiscard]] Var operator()(const ParamSet& params, Var x) const;

 private:
  std::string step_;
  LayerNorm norm_;
  Mlp dense_;
};

}  // namespace logpx
