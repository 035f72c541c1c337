// How a diffusion model is trained, and what an evaluation measures.
// [vdm/README 7]
#pragma once

#include "libcore/families/vdm/model.hpp"
#include "libcore/families/vdm/training/loss_phase.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/task.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::vdm {

// The bound of rows at one time each, for the curves of training: times are stratified over the
// rows, and every evaluation has the same noise.   [vdm/README 7.3]

// Nats of all components, in the units of x as it is stored; means over the rows.
struct BoundTerms {
  double diffusion = 0, prior = 0, recon = 0;
  [[nodiscard]] double total() const { return diffusion + prior + recon; }
};

class RowBounds {
 public:
  explicit RowBounds(const VdmModel& model);
  void compute_by(const Numerics& numerics);
  [[nodiscard]] BoundTerms mean(std::span<const float> weights, const TaskRows& examples,
                                const EvaluationMachine& machine);

 private:
  struct Place {
    std::int64_t first = 0, of = 0;  // of a block of rows
  };
  [[nodiscard]] BoundTerms sum_of(std::span<const float> weights, const Examples& examples,
                                  Place place);
  const VdmModel& model_;
  ExecutorPool passes_;
};

class VdmTask final : public TrainingTask {
 public:
  // Keeps references to model and data; a data error when the model cannot read a row.
  VdmTask(VdmModel& model, const LearnOptions& options, LossWeight weight, TaskData data);
  ~VdmTask() override;

  [[nodiscard]] ParamSet& params() override { return model_.param_set(); }
  [[nodiscard]] std::int64_t rows() const override { return data_.train.count; }
  [[nodiscard]] std::vector<Phase*> phases() override;
  [[nodiscard]] std::vector<ParamGroup> groups() const override;
  [[nodiscard]] ShardGrain grain() const override;
  [[nodiscard]] TrainReads reads() const override;
  [[nodiscard]] std::int64_t data_bytes() const override { return data_.bytes(); }
  [[nodiscard]] RowStore* store() const override { return data_.train.store(); }
  void compute_by(const Numerics& numerics) override;
  // Keeps an endpoint within 0.05 of where the step found it.
  void updated(const StepPlace& place, Optimizer* optimizer) override;
  // bits_per_dim_valid, or bits_per_dim_train without such rows, for real numbers nats_valid or
  // nats_train; its parts diffusion, prior and recon likewise; gamma_0, gamma_1.
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;
  // Measures the curve that fitted grids follow.
  void finished(std::span<const float> weights, Workers& workers) override;

 private:
  VdmModel& model_;
  LearnOptions options_;
  TaskData data_;
  StepRows rows_;
  LossPhase loss_;
  std::unique_ptr<Phase> ends_;  // of --endpoint-grad boundary
  std::unique_ptr<Phase> phase_;
  RowBounds bounds_;
  Numerics numerics_;
  Endpoints before_;  // where the current step found them
};

}  // namespace logpx::vdm
