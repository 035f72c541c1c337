#include "libcore/nn/mlp.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_pointwise.hpp"

namespace logpx {

Mlp::Mlp(const Site& site, const std::vector<std::int64_t>& widths, const MlpOptions& options)
    : step_(site.step()) {
  LOGPX_ASSERT(widths.size() >= 2);
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    const bool last = i + 2 == widths.size();
    layers_.emplace_back(site / ("dense" + std::to_string(i)), widths[i], widths[i + 1],
                         LinearOptions{.activation = last ? options.output : options.hidden,
                                       .weights = last ? options.last_weights : options.weights,
                                       .biases = options.biases});
  }
}

Var Mlp::operator()(const ParamSet& params, Var x) const {
  const LayerScope scope(x, step_);
  for (const Linear& layer : layers_) x = layer(params, x);
  return x;
}

ResidualDense::ResidualDense(const Site& site, std::int64_t width, std::int64_t hidden,
                             const MlpOptions& options)
    : step_(site.step()),
      norm_(site / "norm", width),
      dense_(site / "", {width, hidden, width}, options) {}

Var ResidualDense::operator()(const ParamSet& params, Var x) const {
  const LayerScope scope(x, step_);
  return add(x, dense_(params, norm_(params, x)));
}

}  // namespace logpx
