// How a model of orders is trained, and what an evaluation measures.   [arm/README 4]
#pragma once

#include "libcore/families/arm/training/objective.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/task.hpp"

#include <span>
#include <vector>

namespace logpx::arm {

// The bound of rows at one place of two orders each, for the curves of training: places are spread
// over the rows, and every evaluation has the same noise.   [arm/README 4.4]
class RowBounds {
 public:
  explicit RowBounds(const ArmModel& model);
  void compute_by(const Numerics& numerics);
  // How many rows are evaluated, from the first on.
  [[nodiscard]] static std::int64_t judged_rows(const TaskRows& examples);
  // Means of objective_terms() over the rows.
  [[nodiscard]] std::vector<double> mean(std::span<const float> weights, const TaskRows& examples,
                                         const EvaluationMachine& machine);

 private:
  void add_block(std::span<const float> weights, const Examples& examples,
                 std::span<const double> times, std::span<double> sums);
  const ArmModel& model_;
  LearnOptions options_;  // the defaults: those of the bound itself
  ExecutorPool passes_;
};

class ArmTask final : public TrainingTask {
 public:
  // Refers to model and data; a data error when a row holds what the model cannot read.
  ArmTask(ArmModel& model, const LearnOptions& options, TaskData data);

  [[nodiscard]] ParamSet& params() override { return model_.param_set(); }
  [[nodiscard]] std::int64_t rows() const override { return data_.train.count; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {&phase_}; }
  [[nodiscard]] std::vector<ParamGroup> groups() const override;
  [[nodiscard]] ShardGrain grain() const override;
  [[nodiscard]] std::int64_t extent(std::int64_t row) const override;
  [[nodiscard]] std::int64_t data_bytes() const override { return data_.bytes(); }
  [[nodiscard]] RowStore* store() const override { return data_.train.store(); }
  void compute_by(const Numerics& numerics) override;
  // nll_bound_valid, or nll_bound_train without validation rows, in nats per row; its parts recon
  // and kl_order likewise; q_entropy, that of the first choice, and its share of log L; beta.
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;

 private:
  void bind(const Shard& shard, GraphInputs& inputs) const;
  ArmModel& model_;
  LearnOptions options_;
  FactorCourse entropy_, kl_;
  TaskData data_;
  LevelRows rows_;
  GraphPhase phase_;
  RowBounds bounds_;
  Numerics numerics_;
};

}  // namespace logpx::arm
