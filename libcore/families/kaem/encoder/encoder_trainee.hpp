// Fitting an encoder to a trained KAEM (fit-prior --encoder-for): the result is that model with the
// encoder.   [kaem/README 11.2]
#pragma once

#include "libcore/families/bound_means.hpp"
#include "libcore/families/family.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/task.hpp"

#include <string>
#include <vector>

namespace logpx {
class Fields;
}

namespace logpx::kaem {

// How the encoder of a KAEM is fitted: by the bound, while prior and generator stay as they are.
// [kaem/README 11.2]
//
//   maximise over q  E_q log p(x|v) - KL(q(v|x) || N(0, I))
class EncoderTask final : public TrainingTask {
 public:
  // Refers to model and data; a data error when a row is outside of the likelihood's support.
  EncoderTask(KaemModel& model, const TaskData& data);

  [[nodiscard]] ParamSet& params() override { return model_.param_set(); }
  [[nodiscard]] std::int64_t rows() const override { return data_.train.count; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {&phase_}; }
  [[nodiscard]] std::int64_t data_bytes() const override { return data_.bytes(); }
  [[nodiscard]] RowStore* store() const override { return data_.train.store(); }
  void compute_by(const Numerics& numerics) override;
  // The metrics of bound_metrics().
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;
  [[nodiscard]] Aim aim() const override { return Aim::maximise; }
  // The warnings of latents_at_limits().
  [[nodiscard]] std::vector<std::string> concerns(std::span<const float> weights, Workers& workers,
                                                  Ranks& ranks) override;

 private:
  [[nodiscard]] GraphPhaseParts parts();
  [[nodiscard]] BoundMeans measured(std::span<const float> weights, const TaskRows& examples,
                                    const EvaluationMachine& machine);

  KaemModel& model_;
  TaskData data_;
  TrainingRows rows_;
  GraphPhase phase_;
  ExecutorPool passes_;  // for evaluations
  Numerics numerics_;
};

inline constexpr const char* encoder_leaves_the_rest =
    "does nothing with --encoder-for, which leaves prior and generator as they are";

// The settings become those of the model, with an encoder, whatever a preset says of the model. A
// data error for a model of another family, or one that has an encoder; a usage error where `given`
// holds options that the model has decided, or comes from a settings file that says otherwise.
void adopt_model(Settings& settings, Model& model, const Fields& given);

// Copies the tensors of the model, which the settings have adopted. Refers to the data.
[[nodiscard]] Trainee make_encoder_trainee(const Settings& settings, Model& model,
                                           const TaskData& data, Rng rng);

}  // namespace logpx::kaem
