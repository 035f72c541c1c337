// What a model expects of one value of a row given others, and what such predictions are worth
// where the truth is known.   [eval/README 9]
//
//   const Outlook outlook(queries, place, {.table = table});
//   const double best = outlook.best(), mean = outlook.mean(), low = outlook.quantile(0.05);
//   const PredictionScore score = score_predictions(judged);
#pragma once

#include "libcore/math/normal_mixture.hpp"
#include "libcore/model/queries.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// p of each category; or of a real number its distribution and moments, as ModelQueries has them.
struct Expected {
  std::span<const double> table = {};
  NormalMixture normals = {};
  RealMoments moments = {};
};

// In the numbers that the data store. What is new to the model's table has no value: all but p()
// leaves it out.
class Outlook {
 public:
  Outlook(const ModelQueries& queries, std::int64_t place, Expected expected);

  [[nodiscard]] std::span<const double> p() const { return expected_.table; }
  // The first of the most probable categories.
  [[nodiscard]] std::int64_t best_category() const { return best_category_; }
  // The most probable value of a table, else the mean.
  [[nodiscard]] double best() const { return best_; }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double deviation() const { return deviation_; }
  // The least value so that at least u, between 0 and 1, lies at or below it.
  [[nodiscard]] double quantile(double u) const;

 private:
  void read_table(const ModelQueries& queries, std::int64_t place);

  Expected expected_;
  bool whole_;
  std::vector<double> values_ = {}, below_ = {};  // of a table, ascending; p of all up to each
  std::int64_t best_category_ = 0;
  double best_ = 0, mean_ = 0, deviation_ = 0;
};

// A prediction beside its truth.
struct Judged {
  double nats = 0;  // log p of the truth
  // For categories: how probable the best one is, and whether it is the truth.
  bool is_category = false, right = false;
  double confidence = 0;
  // For numbers, but for those that are new to the model's table: whether the truth lies between
  // the quantiles 0.05 and 0.95.
  bool is_number = false, covered = false;
  double truth = 0, mean = 0;
};

// Means over predictions; NaN where there is nothing to take one of.
struct PredictionScore {
  double log_loss = 0;
  // The share that is right; in ten bins of how sure predictions are, the mean distance from that
  // to the share that is right.
  double accuracy = 0, calibration_error = 0;
  // The root of the mean square of truth - mean, 1 - this mean square over the variance of the
  // truth, and the share of truths that is covered.
  double rmse = 0, r2 = 0, coverage = 0;
};
[[nodiscard]] PredictionScore score_predictions(std::span<const Judged> predictions);

}  // namespace logpx
