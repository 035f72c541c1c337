// How the encoder of a KAEM is fitted: by the bound, while prior and generator stay as they are.
// [kaem/README 11.2]
//
//   maximise over q  E_q log p(x|v) - KL(q(v|x) || N(0, I))
#pragma once

#include "libcore/families/bound_means.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/task.hpp"

#include <string>
#include <vector>

namespace logpx::kaem {

class EncoderTask final : public TrainingTask {
 public:
  // Refers to model and data; a data error when a row is outside of the likelihood's support.
  EncoderTask(KaemModel& model, const TaskData& data);

  [[nodiscard]] ParamSet& params() override { return model_.param_set(); }
  [[nodiscard]] std::int64_t rows() const override { return data_.train.rows.count; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {&phase_}; }
  [[nodiscard]] std::int64_t data_bytes() const override;
  void compute_by(const Numerics& numerics) override;
  // The metrics of bound_metrics().
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;
  [[nodiscard]] Aim aim() const override { return Aim::maximise; }
  // The warnings of latents_at_limits().
  [[nodiscard]] std::vector<std::string> concerns(std::span<const float> weights, Workers& workers,
                                                  Ranks& ranks) override;

 private:
  [[nodiscard]] GraphPhaseParts parts();
  [[nodiscard]] BoundMeans measured(std::span<const float> weights, const Examples& examples,
                                    const EvaluationMachine& machine);

  KaemModel& model_;
  TaskData data_;
  TrainingRows rows_;
  GraphPhase phase_;
  ExecutorPool passes_;  // for evaluations
  Numerics numerics_;
};

}  // namespace logpx::kaem
