// From scores of subsets to the score at any number of samples, with an interval, and to the better
// of two sets of samples.   [eval/README 10.3]
//
//   const Extrapolation told = extrapolate(*fid, plan, {counts, rng}, settings, workers);
#pragma once

#include "libcore/judge/score_line.hpp"
#include "libcore/judge/subset_scores.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace logpx {

struct ScorePoint {
  std::int64_t n = 0, repeat = 0;
  double score = 0;
};

struct ExtrapolationSettings {
  PointWeights weights = PointWeights::equal;
  std::int64_t bootstrap = 0;  // resamples; 0: the interval is that of the regression
  double level = 0.95;
  std::function<void(std::int64_t)> resampled = {};  // told how many are done; may throw
};

struct Extrapolation {
  std::vector<ScorePoint> points;
  ScoreLine line;  // through the mean score of each size
  ScoreInterval interval = {};
  double std_error = 0;   // of the intercept, from what the interval is made of
  std::int64_t most = 0;  // the largest size
  double at_most = 0;     // the mean score there
  std::optional<double> at_most_std_error = {};                          // with a bootstrap
  std::vector<double> resampled_intercepts = {}, resampled_slopes = {};  // one for each resample

  // The standard error of the line at 1/n, from what the interval is made of.
  [[nodiscard]] double std_error_at(double inverse_n) const;
  // slope / N at the largest size.
  [[nodiscard]] double bias_at_most() const;
  // The N at which the bias is 1 % of the intercept; none if that is not above 0.
  [[nodiscard]] std::optional<std::int64_t> rows_for_one_percent() const;
};

struct Sampled {
  SideCounts counts;
  Rng rng;
};
[[nodiscard]] Extrapolation extrapolate(SubsetScore& score, const SubsetPlan& plan,
                                        const Sampled& sampled,
                                        const ExtrapolationSettings& settings, Workers& workers);
// From scores that were measured elsewhere: the interval is that of the regression.
[[nodiscard]] Extrapolation extrapolate(std::span<const ScorePoint> points,
                                        const ExtrapolationSettings& settings);

// A - B.
struct ScoreDifference {
  double value = 0, std_error = 0;
  ScoreInterval interval = {};
};
// With a bootstrap, each resample of A is paired with that of B from the same numbers.
[[nodiscard]] ScoreDifference difference(const Extrapolation& a, const Extrapolation& b,
                                         double level);

enum class Better { a, b, neither };
enum class WantedSide { low, high };
// Decided by the side of 0 on which the interval lies.
[[nodiscard]] Better better_of(const ScoreDifference& difference, WantedSide wanted);

}  // namespace logpx
