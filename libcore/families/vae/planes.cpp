#include "libcore/families/vae/planes.hpp"

#include "libcore/families/encoded_model.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vae {

std::int64_t channels_of(const Config& config, double plain) {
  return std::max<std::int64_t>(1, std::llround(plain * config.conv_width));
}

ConvLayerOptions conv_options(const Config& config, Activation activation) {
  const Config::Start start = config.start();
  return {.kernel = 4,
          .stride = 2,
          .pad = 1,
          .activation = activation,
          .weights = start.weights,
          .biases = start.biases};
}

namespace {

// Halves or doubles sides, or keeps them.
ConvLayerOptions halving(const Config& config) { return conv_options(config, Activation::relu); }
ConvLayerOptions keeping(const Config& config, Activation activation) {
  ConvLayerOptions options = conv_options(config, activation);
  options.kernel = 3;
  options.stride = 1;
  return options;
}

Var as_maps(Var z, const LatentPlanes& planes) {
  return z.reshape({z.shape()[0], planes.count, planes.height, planes.width});
}
Var as_row(Var maps) {
  const std::int64_t rows = maps.shape()[0];
  return maps.reshape({rows, maps.shape().elements() / rows});
}

}  // namespace

PlaneEncoder::PlaneEncoder(const Site& site, const Config& config, const Extents& extents)
    : planes_(config.planes_over(extents.height, extents.width)) {
  const std::int64_t first = channels_of(config, 32), second = channels_of(config, 64);
  downward_.emplace_back(site / "conv0", extents.channels, first, halving(config));
  downward_.emplace_back(site / "conv1", first, second, halving(config));
  for (const LatentPlanes& planes : planes_) {
    const std::int64_t from = planes.height == extents.height / 2 ? first : second;
    const ConvLayerOptions options = keeping(config, Activation::none);
    const std::string number = std::to_string(means_.size());
    means_.emplace_back(site / ("mean" + number), from, planes.count, options);
    log_vars_.emplace_back(site / ("log_var" + number), from, planes.count, options);
  }
}

PlaneEncoder::Numbers PlaneEncoder::operator()(const ParamSet& params, Var picture) const {
  std::vector<Var> means, log_vars;
  Var h = picture;
  for (const Conv2d& layer : downward_) {
    h = layer(params, h);
    const std::size_t level = means.size();
    if (level == planes_.size() || h.shape()[2] != planes_[level].height) continue;
    means.push_back(as_row(means_[level](params, h)));
    log_vars.push_back(as_row(log_vars_[level](params, h)));
  }
  return {concat(means, 1), concat(log_vars, 1)};
}

PlaneDecoder::PlaneDecoder(const Site& site, const Config& config, const Extents& extents)
    : planes_(config.planes_over(extents.height, extents.width)),
      channels_(channels_of(config, 32)) {
  const std::int64_t above = channels_of(config, 64);
  top_.emplace(site / "top", planes_.back().count, above, keeping(config, Activation::relu));
  upward_.emplace(site / "conv0", above, channels_, halving(config));
  if (planes_.size() == 1) return;
  const std::int64_t own = planes_.front().count;
  const ConvLayerOptions plain = keeping(config, Activation::none);
  lower_.emplace(Conditional{{site / "lower_mean", channels_, own, plain},
                             {site / "lower_log_var", channels_, own, plain},
                             {site / "lower", own, channels_, keeping(config, Activation::relu)}});
}

Var PlaneDecoder::operator()(const ParamSet& params, Var z) const {
  const std::int64_t below = z.shape()[1] - planes_.back().size();
  const Var top = lower_ ? slice(z, 1, below, z.shape()[1]) : z;
  const Var h = (*upward_)(params, (*top_)(params, as_maps(top, planes_.back())));
  if (!lower_) return h;
  const Var noise = as_maps(slice(z, 1, 0, below), planes_.front());
  const Var deviation = exp(0.5 * limited_log_var(lower_->log_var(params, h)));
  return lower_->after(params, lower_->mean(params, h) + deviation * noise);
}

}  // namespace logpx::vae
