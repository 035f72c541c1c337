// Training on a loss that follows from each row alone, -log p(x) or a bound without noise: one
// phase, evaluated as its mean over training and validation rows. A family overrides what it does
// differently.
//
//   RowLossTask task(params, data, [&](Var x) { return log_likelihood(x); });
#pragma once

#include "libcore/model/plain_rows.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/task.hpp"

#include <span>
#include <vector>

namespace logpx {

class RowLossTask : public TrainingTask {
 public:
  // Refers to the data.
  RowLossTask(ParamSet& params, const TaskData& data, const RowLogP& log_p);

  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return data_.train.rows.count; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {&phase_}; }
  [[nodiscard]] std::int64_t data_bytes() const override;
  void compute_by(const Numerics& numerics) override;
  // log_p_valid where there are such rows, log_p_train: nats per row.
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;
  [[nodiscard]] Aim aim() const override { return Aim::maximise; }

 private:
  [[nodiscard]] double mean_log_p(std::span<const float> weights, const Examples& examples,
                                  const EvaluationMachine& machine) const;
  ParamSet& params_;
  TaskData data_;
  GraphPhase phase_;
  RowLosses losses_;
  Numerics numerics_;
};

}  // namespace logpx
