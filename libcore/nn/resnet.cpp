#include "libcore/nn/resnet.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_sample.hpp"

namespace logpx {
namespace {

NormOptions norm_silu(const ResnetOptions& options) { return {options.eps, Activation::silu}; }

}  // namespace

ResnetBlock::ResnetBlock(const Site& site, std::int64_t in, std::int64_t out,
                         const ResnetOptions& options)
    : path_(site.path()),
      step_(site.step()),
      norm1_(site / "norm1", in, options.groups, norm_silu(options)),
      conv1_(site / "conv1", in, out),
      cond_proj_(options.condition == 0
                     ? std::nullopt
                     : std::optional<Linear>(
                           std::in_place, site / "cond_proj", options.condition, out,
                           LinearOptions{.bias = Bias::without, .weights = Init::zeros()})),
      norm2_(site / "norm2", out, options.groups, norm_silu(options)),
      conv2_(site / "conv2", out, out, {.weights = Init::zeros()}),
      dropout_(options.dropout) {
  if (in != out)
    shortcut_.emplace(site / "shortcut", in, out, ConvLayerOptions{.kernel = 1, .pad = 0});
}

Var ResnetBlock::operator()(const ParamSet& params, Var x, std::optional<Var> condition,
                            BlockPass pass) const {
  const LayerScope scope(x, step_);
  LOGPX_ASSERT(condition.has_value() == cond_proj_.has_value());
  Var h = conv1_(params, norm1_(params, x));
  if (condition) {
    const Var shift = (*cond_proj_)(params, *condition);
    h = add(h, shift.reshape({shift.shape()[0], shift.shape()[1], 1, 1}));
  }
  h = norm2_(params, h);
  if (pass == BlockPass::training && dropout_ > 0)
    h = dropout(h, x.graph().input(path_ + "/dropout_mask", h.shape()), dropout_);
  h = conv2_(params, h);
  return add(shortcut_ ? (*shortcut_)(params, x) : x, h);
}

}  // namespace logpx
