// From scores of subsets to the score at any number of samples, with an interval, and to the better
// of two sets of samples.   [eval/README 10.3]
//
//   const Extrapolation told = extrapolate(*fid, plan, {counts, rng}, settings, workers);
#pragma once

#include "libcore/judge/subset_scores.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace logpx {

// Scores at any number of samples: the intercept of a line through scores of N rows on 1/N, how
// sure it is, and which of two is better [eval/README 10.3].

// weight N: a score of more rows varies less.
enum class PointWeights { equal, size };

// score = intercept + slope / N, by least squares.
struct ScoreLine {
  double intercept = 0, slope = 0;
  std::optional<double> r2;  // none if all scores are the same
  double residual_std = 0, intercept_std_error = 0, slope_std_error = 0;
  std::int64_t points = 0;
  double inverse_mean = 0, inverse_squares = 0;  // of 1/N: its mean, squares around it, weighted
  double total_weight = 0;

  // The value of the line at 1/n, and its standard error.
  [[nodiscard]] double at(double inverse_n) const { return intercept + slope * inverse_n; }
  [[nodiscard]] double std_error_at(double inverse_n) const;
};

// At least three points of two different sizes.
[[nodiscard]] ScoreLine fit_line(std::span<const std::int64_t> sizes,
                                 std::span<const double> scores, PointWeights weights);

// How an interval was made: by scores of resampled rows, by the line's residuals (whose points
// share rows, so that it is too short), or by the spread of shares that rows have in a mean.
enum class IntervalKind { bootstrap, regression, rows };

struct ScoreInterval {
  double low = 0, high = 0;
  IntervalKind kind = IntervalKind::bootstrap;
  [[nodiscard]] bool holds_zero() const { return low <= 0 && 0 <= high; }
};

// The q-quantile of the values, linear between them.
[[nodiscard]] double quantile(std::vector<double> values, double q);
[[nodiscard]] double standard_deviation(std::span<const double> values);

// [t - q_high, t - q_low], q the quantiles of t* - mean t*: repeated rows shift every t* by the
// bias that extrapolation has removed, so percentiles of t* themselves would lie around another
// number.
[[nodiscard]] ScoreInterval centred_interval(double value, std::span<const double> resampled,
                                             double level);
// value +- t error, with t the quantile of `freedom` degrees of freedom.
[[nodiscard]] ScoreInterval regression_interval(double value, double std_error, double freedom,
                                                double level);
// value +- z error.
[[nodiscard]] ScoreInterval rows_interval(double value, double std_error, double level);

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
