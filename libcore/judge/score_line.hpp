// Scores at any number of samples: the intercept of a line through scores of N rows on 1/N, how
// sure it is, and which of two is better [eval/README 10.3].
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx {

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

}  // namespace logpx
