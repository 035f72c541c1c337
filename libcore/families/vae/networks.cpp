#include "libcore/families/vae/networks.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_sample.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vae {
namespace {

constexpr std::int64_t dense_units = 256;  // between convolutions and the latent

std::int64_t channels_of(const Config& config, double plain) {
  return std::max<std::int64_t>(1, std::llround(plain * config.conv_width));
}

LinearOptions linear_options(const Config& config, Activation activation) {
  const Config::Start start = config.start();
  return {.activation = activation, .weights = start.weights, .biases = start.biases};
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

Shape with_last(const Shape& shape, std::int64_t last) {
  Shape other = shape;
  other[shape.rank() - 1] = last;
  return other;
}

// [...,D K] to [...,D,K]
Var last_apart(Var x, std::int64_t parts) {
  std::vector<std::int64_t> sizes(x.shape().sizes().begin(), x.shape().sizes().end());
  sizes.back() /= parts;
  sizes.push_back(parts);
  return x.reshape(Shape(sizes));
}

// Below its least value the smooth clamp has almost no slope, and KL pulls with 1/2 only: a latent
// that came there in its first steps would stay for good. So the gradient passes whole there. Above
// the largest value KL pulls with e^10 / 2, and what slope there is suffices.
Var limited(Var log_var) {
  const Var held = smooth_clamp(log_var, least_log_var, largest_log_var);
  return straight_beyond(held, log_var, {.low = least_log_var});
}

}  // namespace

Extents::Extents(const DatasetInfo& data) : dims(data.dims()) {
  if (data.content != Content::image || data.shape.size() != 3) return;
  height = data.shape[0];
  width = data.shape[1];
  channels = data.shape[2];
}

Encoder::Encoder(const Site& site, const Config& config, const Extents& extents)
    : extents_(extents), limited_(config.smooth_limits) {
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

Var Encoder::hidden(const ParamSet& params, Var x) const {
  if (!convolutions_.empty()) {
    const std::int64_t rows = x.shape()[0];
    x = x.reshape({rows, extents_.channels, extents_.height, extents_.width});
    for (const Conv2d& layer : convolutions_) x = layer(params, x);
    x = x.reshape({rows, x.shape().elements() / std::max<std::int64_t>(rows, 1)});
  }
  for (const Linear& layer : dense_) x = layer(params, x);
  return x;
}

Gaussian Encoder::operator()(const ParamSet& params, Var x) const {
  const Graph::Scope scope(x.graph(), "encoder");
  const Var h = hidden(params, x);
  const Var log_var =
      log_var_ ? (*log_var_)(params, h) : x.graph().parameter(params, shared_log_var_);
  return {(*mean_)(params, h), limited_ ? limited(log_var) : log_var, log_var};
}

Decoder::Decoder(const Site& site, const Config& config, const Extents& extents,
                 std::vector<HeadForm> forms)
    : extents_(extents), forms_(std::move(forms)), shared_(forms_.size(), -1) {
  std::int64_t width = config.latent;
  if (config.encoder == NetworkKind::conv) {
    const std::int64_t first = channels_of(config, 64), second = channels_of(config, 32);
    const LinearOptions options = linear_options(config, Activation::relu);
    const std::int64_t flat = first * (extents.height / 4) * (extents.width / 4);
    dense_.emplace_back(site / "dense0", width, dense_units, options);
    dense_.emplace_back(site / "dense1", dense_units, flat, options);
    upward_.emplace_back(site / "conv0", first, second, conv_options(config, Activation::relu));
    for (const HeadForm& form : own_forms())
      pictures_.emplace_back(site / form.name, second, extents.channels * form.per_dim,
                             conv_options(config, Activation::none));
  } else {
    const std::vector<std::int64_t> widths =
        config.encoder == NetworkKind::mlp ? config.decoder_widths() : std::vector<std::int64_t>();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      dense_.emplace_back(site / ("hidden" + std::to_string(i)), width, widths[i],
                          linear_options(config, config.activation));
      width = widths[i];
    }
    for (const HeadForm& form : own_forms())
      heads_.emplace_back(site / form.name, width, extents.dims * form.per_dim,
                          linear_options(config, Activation::none));
  }
  for (std::size_t i = own_forms().size(); i < forms_.size(); ++i)
    if (!forms_[i].value) shared_[i] = site.tensor(forms_[i].name, {1}, Init::zeros());
}

std::span<const HeadForm> Decoder::own_forms() const {
  const auto shared = std::ranges::find(forms_, true, &HeadForm::shared);
  return {forms_.begin(), shared};
}

Var Decoder::shared_head(const ParamSet& params, Graph& graph, std::size_t head) const {
  if (const std::optional<double>& value = forms_[head].value) return graph.constant(*value);
  return graph.parameter(params, shared_[head]).reshape({});
}

// Transposed convolution gives [N, C per_dim, H, W]; a dimension's numbers are to lie together.
Var Decoder::picture(const ParamSet& params, Var hidden, std::size_t head) const {
  const Var maps = pictures_[head](params, hidden);
  const std::int64_t rows = maps.shape()[0], per_dim = forms_[head].per_dim;
  if (per_dim == 1) return maps.reshape({rows, extents_.dims});
  const Shape apart = {rows, extents_.channels, per_dim, extents_.height * extents_.width};
  return permute(maps.reshape(apart), {0, 1, 3, 2}).reshape({rows, extents_.dims * per_dim});
}

Heads Decoder::operator()(const ParamSet& params, Var z) const {
  const Graph::Scope scope(z.graph(), "decoder");
  const Shape before = z.shape();
  const std::int64_t rows = before.rows();  // convolutions know one leading axis
  Var h = z;
  for (const Linear& layer : dense_) h = layer(params, h);
  if (!upward_.empty()) {
    const std::int64_t height = extents_.height / 4, width = extents_.width / 4;
    h = h.reshape({rows, h.shape().back() / (height * width), height, width});
    for (const ConvTranspose2d& layer : upward_) h = layer(params, h);
  }
  Heads heads;
  for (std::size_t i = 0; i < forms_.size(); ++i) {
    const HeadForm& form = forms_[i];
    if (form.shared) {
      heads.push_back(shared_head(params, z.graph(), i));
      continue;
    }
    Var head = heads_.empty() ? picture(params, h, i) : heads_[i](params, h);
    if (form.low) head = smooth_clamp(head, *form.low, *form.high);
    if (form.squashed) head = sigmoid(head);
    head = head.reshape(with_last(before, extents_.dims * form.per_dim));
    heads.push_back(form.per_dim == 1 ? head : last_apart(head, form.per_dim));
  }
  return heads;
}

}  // namespace logpx::vae
