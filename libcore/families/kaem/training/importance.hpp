// Maximum likelihood by importance sampling: all rows of an update share N_s samples of the prior,
// which the generator decodes once.   [spec/kaem.md section 7]
//
//   prior      over features: tables, samples z and their sums s
//   samples    over samples: heads of p(x|z), noise added before the activation of the mean
//   weights    over rows: w_bs = softmax_s log p(x_b|z_s), resampled; slopes of the heads
//   generator  over samples: back through the same graphs
//   tilt       over features: gradient of the prior; the update of both
#pragma once

#include "libcore/families/kaem/training/importance_step.hpp"
#include "libcore/train/graph_phase.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::kaem {

class ImportanceTraining {
 public:
  // Refers to the model and to the rows.
  ImportanceTraining(KaemModel& model, const FitOptions& options, const TrainingRows& rows);
  ~ImportanceTraining();
  [[nodiscard]] std::vector<Phase*> phases();
  [[nodiscard]] const ImportanceStep& step() const { return step_; }
  void compute_by(const Numerics& numerics) {
    step_.numerics = numerics;
    pairs_->compute_by(numerics);
  }
  [[nodiscard]] TensorRef state() { return TensorRef::of("ess", step_.ess); }
  // The uniforms of the last update once more, through tables of the parameters as they are now.
  void redraw();

 private:
  std::unique_ptr<Phase> samples_phase();
  std::unique_ptr<Phase> generator_phase();
  void bind_samples(const Shard& shard, GraphInputs& inputs) const;
  void bind_slopes(const Shard& shard, GraphInputs& inputs) const;
  void keep_heads(const Shard& shard, const Executor<float>& run, const ShardSums& sums) const;
  void take_heads(const PhaseSums& sums);

  KaemModel& model_;
  FitOptions options_;
  ImportanceStep step_;
  std::vector<EnergyTables> tables_;  // of features
  std::unique_ptr<LikelihoodPairs> pairs_;
  std::vector<std::unique_ptr<Phase>> phases_;
};

}  // namespace logpx::kaem
