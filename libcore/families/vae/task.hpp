// How a VAE is trained: the phases of its algorithms, and what an evaluation measures.
// [vae/README 2.4, 5]
#pragma once

#include "libcore/families/bound_means.hpp"
#include "libcore/families/vae/baselines/monte_carlo_em.hpp"
#include "libcore/families/vae/context_rows.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/families/vae/pseudo_inputs.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/task.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace logpx::vae {

class VaeTask final : public TrainingTask {
 public:
  // Refers to model and data; a data error when a training row is outside of the likelihood's
  // support. Sets the model's data mean. Inputs that are learned, too, set its prior.
  VaeTask(VaeModel& model, const ObjectiveOptions& options, TaskData data, Rng rng,
          std::unique_ptr<PseudoInputs> pseudo = nullptr);
  ~VaeTask() override;

  [[nodiscard]] ParamSet& params() override { return model_.param_set(); }
  [[nodiscard]] std::int64_t rows() const override { return data_.train.count; }
  [[nodiscard]] std::vector<Phase*> phases() override;
  [[nodiscard]] std::vector<ParamGroup> groups() const override;
  [[nodiscard]] TrainReads reads() const override;
  [[nodiscard]] ShardGrain grain() const override;
  [[nodiscard]] std::int64_t extent(std::int64_t row) const override {
    return taken_ ? taken_->extent(row) : 0;
  }
  [[nodiscard]] std::int64_t samples_per_row() const override;
  [[nodiscard]] std::vector<TensorRef> state() override;
  [[nodiscard]] std::int64_t data_bytes() const override;
  [[nodiscard]] RowStore* store() const override { return data_.train.store(); }
  void compute_by(const Numerics& numerics) override;
  // elbo_valid (else elbo_train), elbo_train, recon, kl, active_units, elbo_full_estimate; without
  // an encoder those of MonteCarloEm.
  Metrics evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) override;
  [[nodiscard]] Aim aim() const override { return Aim::maximise; }
  void finished(std::span<const float> weights, Workers& workers) override;
  // Those of latents_at_limits().
  [[nodiscard]] std::vector<std::string> concerns(std::span<const float> weights, Workers& workers,
                                                  Ranks& ranks) override;

 private:
  [[nodiscard]] GraphPhaseParts objective_parts();
  [[nodiscard]] BoundMeans measured(std::span<const float> weights, const TaskRows& examples,
                                    const EvaluationMachine& machine);
  void bind(const Shard& shard, GraphInputs& inputs) const;

  VaeModel& model_;
  ObjectiveOptions options_;
  TaskData data_;
  TrainingRows rows_;
  std::unique_ptr<PseudoInputs> pseudo_;
  std::optional<ContextRows> taken_;  // none: all dimensions are
  std::optional<MonteCarloEm> em_;
  std::vector<std::unique_ptr<Phase>> phases_;
  Numerics numerics_;
  mutable ExecutorPool bound_passes_;  // of evaluations
  Tensor<float> baseline_{Shape{}};    // of score-function: running mean of the reward
};

}  // namespace logpx::vae
