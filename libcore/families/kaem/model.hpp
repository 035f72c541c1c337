// A Kolmogorov-Arnold energy model:  z ~ p(z), whose energies are curves,  s_q = sum_p z_qp,
// x ~ p(x|z) by the generator of s.   [KAEM; kaem/README 1]
#pragma once

#include "libcore/families/encoded_model.hpp"
#include "libcore/families/kaem/config.hpp"
#include "libcore/families/kaem/encoder_net.hpp"
#include "libcore/families/kaem/generator/generator.hpp"
#include "libcore/families/kaem/prior/prior_components.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/model/axis_reading.hpp"
#include "libcore/model/data_reading.hpp"
#include "libcore/model/likelihood_pairs.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace logpx::kaem {

class KaemModel final : public Model, public EncodedModel {
 public:
  // A usage error when config and data do not fit each other.
  KaemModel(const Config& config, const DatasetInfo& data);
  ~KaemModel() override;
  void initialise(Rng rng);
  // Finds the principal axes of these rows, where x is to be read as its scores on them.
  void fit_axes(const Examples& examples);

  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields& fields) override { config_.describe(fields); }
  void params(const TensorVisitor& visit) override;
  // Checks grids, domains, formulas and normalisers, which anyone may have written.
  void filled() override;

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] const PriorForm& prior_form() const { return prior_form_; }
  [[nodiscard]] const PriorTensors& prior_tensors() const { return prior_tensors_; }
  [[nodiscard]] PriorConstants& prior_constants() { return prior_constants_; }
  [[nodiscard]] const PriorConstants& prior_constants() const { return prior_constants_; }
  [[nodiscard]] const Generator& generator() const { return *generator_; }
  [[nodiscard]] Generator& generator() { return *generator_; }
  [[nodiscard]] ParamSet& param_set() { return params_; }
  [[nodiscard]] const ParamSet& param_set() const override { return params_; }
  [[nodiscard]] const Likelihood& likelihood() const override { return *likelihood_; }
  [[nodiscard]] const RowReader& reader() const override { return reader_; }
  [[nodiscard]] std::int64_t dims() const override { return extents_.dims; }

  // An encoder sees normal scores v as the latents.   [kaem/README 4.4]
  [[nodiscard]] bool has_encoder() const { return encoder_.has_value(); }
  [[nodiscard]] ExecutorPool& bound_passes() const { return bound_passes_; }
  [[nodiscard]] ExecutorPool& encoders() const { return encoders_; }
  [[nodiscard]] std::int64_t latent() const override { return prior_form_.score_dims(); }
  [[nodiscard]] Bound kind() const override { return Bound::stochastic_lower_bound; }
  [[nodiscard]] EncodedGaussian encode(Var x) const override;
  [[nodiscard]] Var log_likelihood(const Likelihood::Target& target, Var v) const override;
  // p(x|s) of s [n,Q], with an input "tokens" [n,D] where the generator takes them; and log p(x|s)
  // by heads with a row for each copy of each row of the target.
  [[nodiscard]] Likelihood::Heads heads(Var s, Decoding decoding = {}) const;
  [[nodiscard]] Var log_prob(const Likelihood::Target& target, Likelihood::Heads heads) const;
  void bind(GraphInputs& inputs) const override;

  [[nodiscard]] const AxisReading* axes() const { return axes_ ? &*axes_ : nullptr; }
  [[nodiscard]] std::vector<TensorRef> axis_tensors();
  void take_axes(const AxisReading& axes) { axes_ = axes; }

  // The prior's numbers under these weights, as doubles.
  [[nodiscard]] PriorValues prior_values(std::span<const float> theta) const;
  void take_prior(std::span<const float> theta, PriorValues& values) const;
  // What grid updates move besides parameters.
  [[nodiscard]] std::vector<TensorRef> grids();
  // Made from the current parameters when they are first asked for; after a change of parameters
  // that did not come through params(), renew() forgets them.
  [[nodiscard]] const PriorValues& values() const;
  [[nodiscard]] const PriorComponents& components() const;
  [[nodiscard]] const NormalScores& scores() const;
  void renew();
  // After an update: keeps widths where functions exist, tau of Chebyshev functions at least 1.
  void limit_widths();
  // Measures log Z of all components for the file, if the prior has changed.
  void set_normalisers();

 private:
  [[nodiscard]] std::string prior_hash() const;
  [[nodiscard]] std::vector<double> normalisers() const;  // [Q,P]
  void check_mask() const;

  Config config_;
  Extents extents_;
  PriorForm prior_form_;
  std::unique_ptr<const Likelihood> likelihood_;
  std::optional<AxisReading> axes_;
  RowReader reader_;
  ModelInfo info_;
  ParamSet params_;
  Initialisers initialisers_;
  PriorTensors prior_tensors_;
  PriorConstants prior_constants_;
  std::unique_ptr<Generator> generator_;
  std::optional<Encoder> encoder_;
  mutable ExecutorPool bound_passes_, encoders_;  // of scores, and of latents
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const PriorValues> values_;
  mutable std::unique_ptr<const PriorComponents> components_;
  mutable std::unique_ptr<const NormalScores> scores_;
  // The hash of the prior that log Z belongs to; none before the model has values. Numbers from a
  // file stay: measured on another machine they may differ in the last bit, and then the model
  // would not be the one that an archive names.   [kaem/README 2.2]
  std::optional<std::string> normalised_;
};

}  // namespace logpx::kaem
