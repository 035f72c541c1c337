// Fitting a mixture to the codes of a trained VAE (train-vae --fit-prior): the result is that model
// with another p(z).   [vae/README 2.5]
//
//   maximise over p  sum_i log p(z_i),  z_i one draw from q(z|x_i)
#pragma once

#include "libcore/families/bound_pass.hpp"
#include "libcore/families/family.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/train/evaluation.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::vae {

// How the mixture is fitted: a step is a pass of expectation maximisation over all rows.
class PriorFitTask final : public TrainingTask {
 public:
  // Refers to model and data. Sets the model's prior to where the passes begin. `before` is what it
  // had: null for N(0, I).
  PriorFitTask(VaeModel& model, const TaskData& data, Rng rng,
               std::unique_ptr<const GaussianMixture> before = nullptr);
  ~PriorFitTask() override;

  [[nodiscard]] ParamSet& params() override { return model_.param_set(); }
  [[nodiscard]] std::int64_t rows() const override { return data_.train.count; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {phase_.get()}; }
  [[nodiscard]] TrainReads reads() const override;
  [[nodiscard]] std::int64_t data_bytes() const override;
  // elbo_valid (else elbo_train), elbo_train; prior_gain: by how much it exceeds that with the
  // prior before, and prior_gain_error: the standard error of that mean over the rows.
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;
  [[nodiscard]] Aim aim() const override { return Aim::maximise; }
  [[nodiscard]] std::vector<std::string> concerns(std::span<const float> weights, Workers& workers,
                                                  Ranks& ranks) override;

 private:
  struct Measured {
    double elbo = 0, gain = 0, error = 0;
  };
  [[nodiscard]] Measured measured(std::span<const float> weights, const TaskRows& examples,
                                  const EvaluationMachine& machine);
  void encode(Rng rng);
  void start(Rng rng);

  VaeModel& model_;
  TaskData data_;
  std::unique_ptr<const GaussianMixture> before_;
  std::vector<double> codes_;  // [rows, J]
  ExecutorPool passes_;        // for evaluations
  std::unique_ptr<Phase> phase_;
};

inline constexpr const char* prior_leaves_the_rest =
    "does nothing with --fit-prior, which leaves encoder and decoder as they are";

// The settings become those of the model with this prior, "mixture:K" or "mixture:K,diag", and the
// length of its fit unless `given` says otherwise. A data error for a model of another family or
// without encoder, a usage error where `given` holds options that the model has decided.
void adopt_model(Settings& settings, const std::string& prior, Model& model, const Fields& given);

// Copies the tensors of the model, which the settings have adopted. Refers to the data.
[[nodiscard]] Trainee make_prior_trainee(const Settings& settings, Model& model,
                                         const TaskData& data, Rng rng);

}  // namespace logpx::vae
