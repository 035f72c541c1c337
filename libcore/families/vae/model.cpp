#include "libcore/families/vae/model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/model/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::vae {

namespace {

constexpr std::int64_t dims_scored_together = 4096;  // a context takes some hundred numbers

// What a decoder makes for contexts: numbers for every pixel.
Extents pixels_of(const Extents& picture) {
  return {.dims = picture.height * picture.width,
          .channels = 1,
          .height = picture.height,
          .width = picture.width};
}

std::vector<HeadForm> feature_form() {
  return {{.name = "features", .per_dim = ContextHeads::features_per_pixel}};
}

ContextHeads::Form context_form(const Config& config) {
  const Config::Start start = config.start();
  return {.neighbours = config.context,
          .hidden = config.context_hidden,
          .layers = {.weights = start.weights, .biases = start.biases}};
}

}  // namespace

VaeModel::VaeModel(const Config& config, const DatasetInfo& data)
    : config_(config),
      extents_((config.validate(data), extents_of(data))),
      latent_(config.latents(data)),
      likelihood_(config.make_likelihood(config.reading.levels(data))),
      reader_(config.reading.rules(config.chosen(), data), *likelihood_,
              "--likelihood " + config.likelihood),
      info_(reading_info("vae", data, reader_.rules(), *likelihood_)),
      data_mean_({extents_.dims}),
      bound_passes_(logpx::bound_passes(*this, {})),
      encoders_(encoder_executors(*this)) {
  const Site site(params_, initialisers_);
  if (config_.inference == Inference::encoder)
    encoder_.emplace(site / "encoder", config_, extents_);
  if (config_.context > 0) {
    decoder_.emplace(site / "decoder", config_, pixels_of(extents_), feature_form());
    context_.emplace(site / "context", context_form(config_), extents_, *likelihood_);
    info_.block = std::clamp<std::int64_t>(dims_scored_together / extents_.dims, 1, info_.block);
  } else {
    decoder_.emplace(site / "decoder", config_, extents_, likelihood_->heads());
  }
  if (const auto form = mixture_form(config_.prior, latent_, "prior"))
    prior_.emplace(params_, *form);
}

VaeModel::~VaeModel() = default;

void VaeModel::initialise(Rng rng) {
  initialisers_.run(params_, rng);
  if (prior_) prior_->initialise(params_.block());
}

// Graphs that encode hold the data mean as a constant.
void VaeModel::forget_graphs() {
  bound_passes_.clear();
  encoders_.clear();
}

void VaeModel::set_data_mean(std::span<const float> mean) {
  LOGPX_ASSERT(std::ssize(mean) == extents_.dims);
  std::ranges::copy(mean, data_mean_.data());
  forget_graphs();
  if (config_.init_output_bias == OutputBias::zero || !likelihood_->location(0)) return;
  if (context_) {
    const double sum = std::accumulate(mean.begin(), mean.end(), 0.0);
    return context_->start(params_, sum / static_cast<double>(mean.size()));
  }
  const HeadForm head = likelihood_->heads()[likelihood_->location(0)->head];
  const int b = params_.find("decoder/" + head.name + "/b");
  const std::span<float> bias = params_.view(b).span();
  // The numbers of one dimension lie together; a convolution shares those of a whole channel.
  const auto per_dim = static_cast<std::size_t>(head.per_dim);
  const std::size_t shared = mean.size() * per_dim / bias.size();
  for (std::size_t i = 0; i < bias.size(); ++i) {
    double sum = 0;
    for (const float value : mean.subspan(i / per_dim * shared, shared))
      sum += static_cast<double>(value);
    bias[i] = static_cast<float>(likelihood_->location(sum / static_cast<double>(shared))->bias);
  }
}

void VaeModel::params(const TensorVisitor& visit) {
  visit_parameters(params_, [&visit](const TensorRef& tensor, TensorRole role) {
    if (!lies_under(tensor.name, learned_apart)) visit(tensor, role);
  });
  visit(TensorRef::of("data_mean", data_mean_), TensorRole::constant);
  forget_graphs();  // the visitor may have filled it
}

void VaeModel::filled() {
  if (prior_) prior_->check(params_.block());
}

std::unique_ptr<const GaussianMixture> VaeModel::prior(std::span<const float> theta) const {
  return prior_ ? prior_->mixture(theta) : nullptr;
}

Bound VaeModel::kind() const {
  return likelihood_->is_surrogate() ? Bound::surrogate : Bound::stochastic_lower_bound;
}

EncodedGaussian VaeModel::encode(Var x) const {
  if (!encoder_)
    fail(ErrorKind::usage, "this vae", "has no encoder: it was trained by Monte Carlo EM",
         "--method ais needs none");
  if (!config_.center) return (*encoder_)(params_, network_values(*likelihood_, x));
  Tensor<double> mean({extents_.dims});
  for (std::int64_t i = 0; i < mean.size(); ++i) mean[i] = static_cast<double>(data_mean_[i]);
  return (*encoder_)(params_, (x - x.graph().constant(mean)) * network_scale(*likelihood_));
}

Heads VaeModel::decode(Var z) const {
  LOGPX_ASSERT(!context_);
  return (*decoder_)(params_, z);
}

Var VaeModel::features(Var z) const { return silu((*decoder_)(params_, z)[0]); }

Var VaeModel::log_likelihood(const Target& target, Var z,
                             const ContextHeads::Chosen& chosen) const {
  return context_->log_prob(params_, target, features(z), chosen);
}

Var VaeModel::log_likelihood(const Target& target, Var z) const {
  if (context_) return context_->log_prob(params_, target, features(z));
  const Var log_prob = likelihood_->log_prob(target, decode(z));
  if (rules().columns.empty()) return log_prob;
  return affine(log_prob, 1, rules().columns.log_jacobian());
}

}  // namespace logpx::vae
