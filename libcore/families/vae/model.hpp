// The variational auto-encoder:  p(z) = N(0, I) or a mixture,  p(x|z) by the decoder,  q(z|x) by
// the encoder.
// [AEVB; vae/README 1]
#pragma once

#include "libcore/families/encoded_model.hpp"
#include "libcore/families/vae/config.hpp"
#include "libcore/families/vae/networks.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/model/context_heads.hpp"
#include "libcore/model/data_reading.hpp"
#include "libcore/model/mixture_prior.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::vae {

// Where parameters lie that training alone needs: no file holds them.
inline constexpr const char* learned_apart = "pseudo";

class VaeModel final : public Model, public EncodedModel {
 public:
  // A usage error when config and data do not fit each other.
  VaeModel(const Config& config, const DatasetInfo& data);
  ~VaeModel() override;
  void initialise(Rng rng);
  // The mean of the training data in units of the model's x, [D]: for --center and the output bias.
  void set_data_mean(std::span<const float> mean);

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields& fields) override { config_.describe(fields); }
  void params(const TensorVisitor& visit) override;
  void filled() override;

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] const RowReader& reader() const override { return reader_; }
  [[nodiscard]] const RowRules& rules() const { return reader_.rules(); }
  [[nodiscard]] ParamSet& param_set() { return params_; }
  [[nodiscard]] const ParamSet& param_set() const override { return params_; }
  [[nodiscard]] std::int64_t dims() const override { return extents_.dims; }
  [[nodiscard]] std::int64_t latent() const override { return latent_; }
  [[nodiscard]] const Likelihood& likelihood() const override { return *likelihood_; }
  [[nodiscard]] ExecutorPool& bound_passes() const { return bound_passes_; }
  [[nodiscard]] ExecutorPool& encoders() const { return encoders_; }
  [[nodiscard]] Bound kind() const override;  // surrogate for gray values

  [[nodiscard]] const std::optional<MixtureParams>& prior_params() const { return prior_; }
  [[nodiscard]] std::unique_ptr<const GaussianMixture> prior(
      std::span<const float> theta) const override;

  [[nodiscard]] EncodedGaussian encode(Var x) const override;
  // z [...,J]; not where pixels see others: their heads follow from features and x.
  [[nodiscard]] Heads decode(Var z) const;
  [[nodiscard]] Var log_likelihood(const Target& target, Var z) const override;

  // Null where pixels are independent given z.
  [[nodiscard]] const ContextHeads* context() const { return context_ ? &*context_ : nullptr; }
  [[nodiscard]] Var features(Var z) const;  // z [...,J] to [...,pixels,F], for contexts
  // The same over the dimensions that a step of training takes.
  [[nodiscard]] Var log_likelihood(const Target& target, Var z,
                                   const ContextHeads::Chosen& chosen) const;

 private:
  void forget_graphs();
  Config config_;
  Extents extents_;
  std::int64_t latent_;
  std::unique_ptr<const Likelihood> likelihood_;
  RowReader reader_;
  ModelInfo info_;
  ParamSet params_;
  Initialisers initialisers_;
  std::optional<Encoder> encoder_;
  std::optional<Decoder> decoder_;  // of heads, or of features
  std::optional<ContextHeads> context_;
  std::optional<MixtureParams> prior_;
  Tensor<float> data_mean_;
  mutable ExecutorPool bound_passes_, encoders_;  // of scores, and of latents
};

}  // namespace logpx::vae
