#include "libcore/nn/linear.hpp"

#include "libcore/grad/ops_matrix.hpp"

namespace logpx {

Linear::Linear(const Site& site, std::int64_t in, std::int64_t out, const LinearOptions& options)
    : step_(site.step()),
      w_(site.tensor("w", {in, out}, options.weights, {in, out})),
      activation_(options.activation) {
  if (options.bias == Bias::with) b_ = site.tensor("b", {out}, options.biases, {in, out});
}

Var Linear::operator()(const ParamSet& params, Var x) const {
  const LayerScope scope(x, step_);
  const Var w = x.graph().parameter(params, w_);
  if (!b_) return linear(x, w, activation_);
  return linear(x, w, x.graph().parameter(params, *b_), activation_);
}

}  // namespace logpx
