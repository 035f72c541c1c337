#include "libcore/nn/conv.hpp"

namespace logpx {
namespace {

ConvOptions op_options(const ConvLayerOptions& options) {
  return {options.stride, options.pad, options.activation};
}

Fans fans_of(std::int64_t in, std::int64_t out, PerAxis kernel) {
  return {in * kernel.y * kernel.x, out * kernel.y * kernel.x};
}

}  // namespace

Conv2d::Conv2d(const Site& site, std::int64_t in, std::int64_t out, const ConvLayerOptions& options)
    : step_(site.step()),
      w_(site.tensor("w", {out, in, options.kernel.y, options.kernel.x}, options.weights,
                     fans_of(in, out, options.kernel))),
      options_(op_options(options)) {
  if (options.bias == Bias::with)
    b_ = site.tensor("b", {out}, options.biases, fans_of(in, out, options.kernel));
}

Var Conv2d::operator()(const ParamSet& params, Var x) const {
  const LayerScope scope(x, step_);
  const Var w = x.graph().parameter(params, w_);
  if (!b_) return conv2d(x, w, options_);
  return conv2d(x, w, x.graph().parameter(params, *b_), options_);
}

ConvTranspose2d::ConvTranspose2d(const Site& site, std::int64_t in, std::int64_t out,
                                 const ConvLayerOptions& options)
    : step_(site.step()),
      w_(site.tensor("w", {in, out, options.kernel.y, options.kernel.x}, options.weights,
                     fans_of(in, out, options.kernel))),
      options_(op_options(options)) {
  if (options.bias == Bias::with)
    b_ = site.tensor("b", {out}, options.biases, fans_of(in, out, options.kernel));
}

Var ConvTranspose2d::operator()(const ParamSet& params, Var x) const {
  const LayerScope scope(x, step_);
  const Var w = x.graph().parameter(params, w_);
  if (!b_) return conv_transpose2d(x, w, options_);
  return conv_transpose2d(x, w, x.graph().parameter(params, *b_), options_);
}

}  // namespace logpx
