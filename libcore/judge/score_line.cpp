#include "libcore/judge/score_line.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/special.hpp"
#include "libcore/math/student.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx {
namespace {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double ScoreLine::std_error_at(double inverse_n) const {
  const double away = inverse_n - inverse_mean;
  return residual_std * std::sqrt(1 / total_weight + away * away / inverse_squares);
}

ScoreLine fit_line(std::span<const std::int64_t> sizes, std::span<const double> scores,
                   PointWeights weights) {
  const std::size_t count = sizes.size();
  LOGPX_ASSERT(count >= 3 && scores.size() == count);
  std::vector<double> x(count), weight(count, 1);
  ScoreLine line;
  line.points = std::ssize(sizes);
  double score_mean = 0;
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = 1 / static_cast<double>(sizes[i]);
    if (weights == PointWeights::size) weight[i] = static_cast<double>(sizes[i]);
    line.total_weight += weight[i];
    line.inverse_mean += weight[i] * x[i];
    score_mean += weight[i] * scores[i];
  }
  line.inverse_mean /= line.total_weight;
  score_mean /= line.total_weight;

  double products = 0, score_squares = 0, residuals = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double away = x[i] - line.inverse_mean, rise = scores[i] - score_mean;
    line.inverse_squares += weight[i] * away * away;
    products += weight[i] * away * rise;
    score_squares += weight[i] * rise * rise;
  }
  LOGPX_ASSERT(line.inverse_squares > 0);
  line.slope = products / line.inverse_squares;
  line.intercept = score_mean - line.slope * line.inverse_mean;
  for (std::size_t i = 0; i < count; ++i) {
    const double residual = scores[i] - score_mean - line.slope * (x[i] - line.inverse_mean);
    residuals += weight[i] * residual * residual;
  }
  if (std::ranges::any_of(scores, [&](double score) { return score != scores[0]; }))
    line.r2 = 1 - residuals / score_squares;
  line.residual_std = std::sqrt(residuals / static_cast<double>(count - 2));
  line.slope_std_error = line.residual_std / std::sqrt(line.inverse_squares);
  line.intercept_std_error =
      line.residual_std * std::sqrt(1 / line.total_weight +
                                    line.inverse_mean * line.inverse_mean / line.inverse_squares);
  return line;
}

double quantile(std::vector<double> values, double q) {
  LOGPX_ASSERT(!values.empty() && q >= 0 && q <= 1);
  std::ranges::sort(values);
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

double standard_deviation(std::span<const double> values) {
  LOGPX_ASSERT(values.size() >= 2);
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

ScoreInterval centred_interval(double value, std::span<const double> resampled, double level) {
  const double mean = mean_of(resampled);
  std::vector<double> moves(resampled.begin(), resampled.end());
  for (double& move : moves) move -= mean;
  return {.low = value - quantile(moves, (1 + level) / 2),
          .high = value - quantile(moves, (1 - level) / 2),
          .kind = IntervalKind::bootstrap};
}

ScoreInterval regression_interval(double value, double std_error, double freedom, double level) {
  const double reach = student_quantile((1 + level) / 2, freedom) * std_error;
  return {.low = value - reach, .high = value + reach, .kind = IntervalKind::regression};
}

ScoreInterval rows_interval(double value, double std_error, double level) {
  const double reach = normal_quantile((1 + level) / 2) * std_error;
  return {.low = value - reach, .high = value + reach, .kind = IntervalKind::rows};
}

}  // namespace logpx
