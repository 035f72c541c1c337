// Maximum likelihood by importance sampling: all rows of an update share N_s samples of the prior,
// which the generator decodes once.   [kaem/README 6]
//
//   prior      over features: tables, samples z and their sums s
//   samples    over samples: heads of p(x|z), noise added before the activation of the mean
//   weights    over rows: w_bs = softmax_s log p(x_b|z_s), resampled; slopes of the heads
//   edges, curves   with --lambda-reg: penalties/curve_penalties.hpp
//   generator  over samples: back through the same graphs
//   tilt       over features: gradient of the prior; the update of both
#pragma once

#include "libcore/families/kaem/penalties/curve_penalties.hpp"
#include "libcore/families/kaem/training/importance_step.hpp"
#include "libcore/families/kaem/way_of_training.hpp"
#include "libcore/train/graph_phase.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::kaem {

class ImportanceTraining final : public WayOfTraining {
 public:
  // Refers to the model and to the rows.
  ImportanceTraining(KaemModel& model, const FitOptions& options, const TrainingRows& rows);
  ~ImportanceTraining() override;
  [[nodiscard]] std::vector<Phase*> phases() override;
  void compute_by(const Numerics& numerics) override {
    step_.numerics = numerics;
    pairs_->compute_by(numerics);
    penalties_.compute_by(numerics);
  }
  [[nodiscard]] std::vector<TensorRef> state() override {
    return {TensorRef::of("ess", step_.ess)};
  }
  // The samples of the last update, drawn again by the parameters as they are now.
  [[nodiscard]] GridSamples grid_samples() override;
  [[nodiscard]] Metrics metrics() const override {
    return {{"ess_min", step_.ess[ImportanceStep::least]}};
  }
  // Warns of weights of which hardly more than one counts.
  [[nodiscard]] std::vector<std::string> concerns() const override;

 private:
  std::unique_ptr<GraphPhase> samples_phase();
  std::unique_ptr<Phase> generator_phase(GraphPhase& samples);
  void bind_samples(const Shard& shard, GraphInputs& inputs) const;
  void bind_slopes(const Shard& shard, GraphInputs& inputs) const;
  void keep_heads(const Shard& shard, const Executor<float>& run, const ShardSums& sums) const;
  void take_heads(const PhaseSums& sums);

  KaemModel& model_;
  FitOptions options_;
  ImportanceStep step_;
  std::vector<HeadForm> forms_;
  std::vector<EnergyTables> tables_;  // one for each feature
  std::unique_ptr<LikelihoodPairs> pairs_;
  CurvePenalties penalties_;
  std::vector<std::unique_ptr<Phase>> phases_;
};

}  // namespace logpx::kaem
