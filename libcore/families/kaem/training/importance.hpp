// Maximum likelihood by importance sampling: all rows of an update share N_s samples of the prior,
// which the generator decodes once.   [kaem/README 6]
//
//   prior      over features: tables, samples z and their sums s
//   samples    over samples: heads of p(x|z), noise added before the activation of the mean
//   weights    over rows: w_bs = softmax_s log p(x_b|z_s), resampled; slopes of the heads
//   edges, curves   with --lambda-reg: penalties/curve_penalties.hpp
//   generator  over samples: back through the same graphs
//   tilt       over features: gradient of the prior; the update of both
//
// Where the generator sees the symbols of a row, `pairs`, over rows, takes the place of samples,
// weights and generator.
#pragma once

#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/penalties/curve_penalties.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/families/kaem/training/fit_options.hpp"
#include "libcore/families/kaem/way_of_training.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/phase.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::kaem {

// What the phases of a way of training leave for the next ones of the same step.

// Samples of z with their weights, which stand for the posteriors of all rows of the step.
struct PosteriorPoints {
  explicit PosteriorPoints(const PriorForm& form) : values(form) {}
  void resize(std::int64_t samples);

  Numerics numerics;  // for what is computed outside of graphs
  PriorValues values;
  PriorDraws draws;
  std::vector<float> s;         // [S,Q]
  std::vector<double> weights;  // [S]: mean weights over the rows
  std::vector<double> by_s;     // [S,Q]: slopes of the mean objective
};

struct ImportanceStep : PosteriorPoints {
  ImportanceStep(const KaemModel& model, const FitOptions& options);

  std::vector<std::vector<float>> heads;    // [S, D per_dim] each, or [1] where shared
  std::vector<std::vector<double>> slopes;  // of the mean objective by the heads
  // Effective samples in the epoch so far: its number, the least of any row, the sum of the means
  // of its updates, and how many updates it has had.
  enum Size { epoch, least, sum, updates, sizes };
  Tensor<double> ess{Shape{sizes}};
  void note_sizes(const StepPlace& place, std::span<const double> found);
  [[nodiscard]] double mean_ess() const { return ess[updates] == 0 ? 0 : ess[sum] / ess[updates]; }

  [[nodiscard]] std::int64_t slope_count() const;
};

// The phases over features and rows; all refer to what they are given.
struct PriorParts {
  const KaemModel& model;
  const FitOptions& options;
  PosteriorPoints& step;
  std::vector<EnergyTables>& tables;  // one for each feature
};
// Tables and samples; the gradient, whose update moves the generator, too: a pathwise one needs
// the tables that the samples of this step were drawn from.
[[nodiscard]] std::unique_ptr<Phase> prior_phase(const PriorParts& parts);
[[nodiscard]] std::unique_ptr<Phase> tilt_phase(const PriorParts& parts);
// Before a pathwise tilt, where the uniforms of the draws were found otherwise: rebuilds the tables
// for them. A rank has those of its own features only.
[[nodiscard]] std::unique_ptr<Phase> retrace_phase(const PriorParts& parts);

struct WeightParts {
  const KaemModel& model;
  const FitOptions& options;
  ImportanceStep& step;
  const TrainingRows& rows;
  LikelihoodPairs& pairs;
};
// Weights of all samples for each row, and the slopes of the heads.
[[nodiscard]] std::unique_ptr<Phase> weights_phase(const WeightParts& parts);

struct PairParts {
  const KaemModel& model;
  const FitOptions& options;
  ImportanceStep& step;
  const TrainingRows& rows;
};
// Both for a generator that takes tokens, with its gradient.
[[nodiscard]] std::unique_ptr<Phase> pairs_phase(const PairParts& parts);

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
  void add_shared_phases(const TrainingRows& rows);
  std::unique_ptr<GraphPhase> samples_phase();
  std::unique_ptr<Phase> generator_phase(GraphPhase& samples);
  void bind_samples(const Shard& shard, GraphInputs& inputs) const;
  void bind_slopes(const Shard& shard, GraphInputs& inputs) const;
  void keep_heads(const Shard& shard, const Executor<float>& run, const ShardSums& sums) const;
  void take_heads(const PhaseSums& sums);
  // A generator under batch norm goes by each shard's own statistics while it learns.
  [[nodiscard]] std::int64_t statistic_count() const;
  void keep_statistics(const Shard& shard, const Executor<float>& run,
                       std::span<double> sums) const;
  void take_statistics(std::span<const double> means);

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
