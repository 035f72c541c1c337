#include "libcore/families/vae/networks.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vae {
namespace {

constexpr std::int64_t dense_units = 256;  // between convolutions and the latent

LinearOptions linear_options(const Config& config, Activation activation) {
  const Config::Start start = config.start();
  return {.activation = activation, .weights = start.weights, .biases = start.biases};
}

Shape with_last(const Shape& shape, std::int64_t last) {
  Shape other = shape;
  other[shape.rank() - 1] = last;
  return other;
}

}  // namespace

Encoder::Encoder(const Site& site, const Config& config, const Extents& extents)
    : extents_(extents), limited_(config.smooth_limits) {
  if (config.in_planes()) {
    planes_.emplace(site, config, extents);
    return;
  }
  std::int64_t width = extents.dims;
  if (config.encoder == NetworkKind::conv) {
    const std::int64_t first = channels_of(config, 32), second = channels_of(config, 64);
    const ConvLayerOptions options = conv_options(config, Activation::relu);
    convolutions_.emplace_back(site / "conv0", extents.channels, first, options);
    convolutions_.emplace_back(site / "conv1", first, second, options);
    const std::int64_t flat = second * (extents.height / 4) * (extents.width / 4);
    dense_.emplace_back(site / "dense", flat, dense_units,
                        linear_options(config, Activation::relu));
    width = dense_units;
  } else if (config.encoder == NetworkKind::mlp) {
    for (std::size_t i = 0; i < config.hidden.size(); ++i) {
      dense_.emplace_back(site / ("hidden" + std::to_string(i)), width, config.hidden[i],
                          linear_options(config, config.activation));
      width = config.hidden[i];
    }
  }
  const LinearOptions plain = linear_options(config, Activation::none);
  mean_.emplace(site / "mean", width, config.latent, plain);
  if (config.encoder == NetworkKind::linear)
    shared_log_var_ = site.tensor("log_var", {config.latent}, Init::zeros());
  else log_var_.emplace(site / "log_var", width, config.latent, plain);
}

Var Encoder::picture(Var x) const {
  return x.reshape({x.shape()[0], extents_.channels, extents_.height, extents_.width});
}

Var Encoder::hidden(const ParamSet& params, Var x) const {
  if (!convolutions_.empty()) {
    const std::int64_t rows = x.shape()[0];
    x = picture(x);
    for (const Conv2d& layer : convolutions_) x = layer(params, x);
    x = x.reshape({rows, x.shape().elements() / std::max<std::int64_t>(rows, 1)});
  }
  for (const Linear& layer : dense_) x = layer(params, x);
  return x;
}

EncodedGaussian Encoder::operator()(const ParamSet& params, Var x) const {
  const Graph::Scope scope(x.graph(), "encoder");
  if (planes_) {
    const auto [mean, log_var] = (*planes_)(params, picture(x));
    return {mean, limited_ ? limited_log_var(log_var) : log_var, log_var};
  }
  const Var h = hidden(params, x);
  const Var log_var =
      log_var_ ? (*log_var_)(params, h) : x.graph().parameter(params, shared_log_var_);
  return {(*mean_)(params, h), limited_ ? limited_log_var(log_var) : log_var, log_var};
}

Decoder::Decoder(const Site& site, const Config& config, const Extents& extents,
                 const std::vector<HeadForm>& forms)
    : extents_(extents) {
  std::int64_t width = config.latent;
  if (config.in_planes()) {
    planes_.emplace(site, config, extents);
    add_pictures(site, config, planes_->channels(), forms);
  } else if (config.encoder == NetworkKind::conv) {
    const std::int64_t first = channels_of(config, 64), second = channels_of(config, 32);
    const LinearOptions options = linear_options(config, Activation::relu);
    const std::int64_t flat = first * (extents.height / 4) * (extents.width / 4);
    dense_.emplace_back(site / "dense0", width, dense_units, options);
    dense_.emplace_back(site / "dense1", dense_units, flat, options);
    upward_.emplace_back(site / "conv0", first, second, conv_options(config, Activation::relu));
    add_pictures(site, config, second, forms);
  } else {
    const std::vector<std::int64_t> widths =
        config.encoder == NetworkKind::mlp ? config.decoder_widths() : std::vector<std::int64_t>();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      dense_.emplace_back(site / ("hidden" + std::to_string(i)), width, widths[i],
                          linear_options(config, config.activation));
      width = widths[i];
    }
    for (const HeadForm& form : own_heads(forms))
      heads_.emplace_back(site / form.name, width, extents.dims * form.per_dim,
                          linear_options(config, Activation::none));
  }
  maker_.emplace(site, forms);
}

void Decoder::add_pictures(const Site& site, const Config& config, std::int64_t channels,
                           const std::vector<HeadForm>& forms) {
  for (const HeadForm& form : own_heads(forms))
    pictures_.emplace_back(site / form.name, channels, extents_.channels * form.per_dim,
                           conv_options(config, Activation::none));
}

Var Decoder::hidden(const ParamSet& params, Var z) const {
  const std::int64_t rows = z.shape().rows();  // convolutions know one leading axis
  if (planes_) return (*planes_)(params, z.reshape({rows, z.shape().back()}));
  Var h = z;
  for (const Linear& layer : dense_) h = layer(params, h);
  if (!upward_.empty()) {
    const std::int64_t height = extents_.height / 4, width = extents_.width / 4;
    h = h.reshape({rows, h.shape().back() / (height * width), height, width});
    for (const ConvTranspose2d& layer : upward_) h = layer(params, h);
  }
  return h;
}

Heads Decoder::operator()(const ParamSet& params, Var z) const {
  const Graph::Scope scope(z.graph(), "decoder");
  const Shape before = z.shape();
  const Var h = hidden(params, z);
  std::vector<Var> numbers;
  for (std::size_t i = 0; i < maker_->own().size(); ++i) {
    const std::int64_t per_dim = maker_->own()[i].per_dim;
    const Var head =
        heads_.empty() ? numbers_of_maps(pictures_[i](params, h), per_dim) : heads_[i](params, h);
    numbers.push_back(head.reshape(with_last(before, extents_.dims * per_dim)));
  }
  return (*maker_)(params, numbers);
}

}  // namespace logpx::vae
