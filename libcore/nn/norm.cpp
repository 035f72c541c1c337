#include "libcore/nn/norm.hpp"

#include <numeric>

namespace logpx {

GroupNorm::GroupNorm(const Site& site, std::int64_t channels, std::int64_t groups,
                     NormOptions options)
    : step_(site.step()),
      w_(site.tensor("w", {channels}, Init::constant(1))),
      b_(site.tensor("b", {channels}, Init::zeros())),
      groups_(std::gcd(groups, channels)),
      options_(options) {}

Var GroupNorm::operator()(const ParamSet& params, Var x) const {
  const LayerScope scope(x, step_);
  return group_norm(x, x.graph().parameter(params, w_), x.graph().parameter(params, b_), groups_,
                    options_);
}

LayerNorm::LayerNorm(const Site& site, std::int64_t width, NormOptions options)
    : step_(site.step()),
      w_(site.tensor("w", {width}, Init::constant(1))),
      b_(site.tensor("b", {width}, Init::zeros())),
      options_(options) {}

Var LayerNorm::operator()(const ParamSet& params, Var x) const {
  const LayerScope scope(x, step_);
  return layer_norm(x, x.graph().parameter(params, w_), x.graph().parameter(params, b_), options_);
}

BatchNorm::BatchNorm(const Site& site, std::int64_t channels, NormOptions options)
    : step_(site.step()),
      w_(site.tensor("w", {channels}, Init::constant(1))),
      b_(site.tensor("b", {channels}, Init::zeros())),
      options_(options) {}

Var BatchNorm::operator()(const ParamSet& params, Var x, Var statistics) const {
  const LayerScope scope(x, step_);
  return batch_norm(x, statistics, x.graph().parameter(params, w_), x.graph().parameter(params, b_),
                    options_);
}

}  // namespace logpx
