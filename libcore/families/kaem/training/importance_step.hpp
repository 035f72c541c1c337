// What the phases of a way of training leave for the next ones of the same step.
#pragma once

#include "libcore/families/kaem/training/fit_options.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/train/phase.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace logpx::kaem {

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

struct WeightParts {
  const KaemModel& model;
  const FitOptions& options;
  ImportanceStep& step;
  const TrainingRows& rows;
  LikelihoodPairs& pairs;
};
// Weights of all samples for each row, and the slopes of the heads.
[[nodiscard]] std::unique_ptr<Phase> weights_phase(const WeightParts& parts);

}  // namespace logpx::kaem
