#include "libcore/judge/extrapolation.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/math/special.hpp"
#include "libcore/math/student.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

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

namespace {

// How many resamples are scored together, so that lists of rows do not grow with their number.
constexpr std::int64_t replicates_of_batch = 16;

struct SizeMeans {
  std::vector<std::int64_t> sizes;  // rising
  std::vector<double> scores;       // the mean over repeats
};

SizeMeans means_of(std::span<const ScorePoint> points) {
  SizeMeans means;
  std::vector<std::int64_t> counts;
  for (const ScorePoint& point : points) {
    const auto place = std::ranges::lower_bound(means.sizes, point.n) - means.sizes.begin();
    if (place == std::ssize(means.sizes) || means.sizes[at(place)] != point.n) {
      means.sizes.insert(means.sizes.begin() + place, point.n);
      means.scores.insert(means.scores.begin() + place, 0);
      counts.insert(counts.begin() + place, 0);
    }
    means.scores[at(place)] += point.score;
    ++counts[at(place)];
  }
  for (std::size_t i = 0; i < counts.size(); ++i) means.scores[i] /= static_cast<double>(counts[i]);
  return means;
}

std::vector<ScorePoint> points_of(std::span<const Subset> subsets, std::span<const double> scores) {
  std::vector<ScorePoint> points;
  for (std::size_t i = 0; i < subsets.size(); ++i)
    points.push_back({subsets[i].size, subsets[i].repeat, scores[i]});
  return points;
}

}  // namespace

double Extrapolation::std_error_at(double inverse_n) const {
  if (resampled_intercepts.empty()) return line.std_error_at(inverse_n);
  std::vector<double> heights = resampled_intercepts;
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] += resampled_slopes[i] * inverse_n;
  return standard_deviation(heights);
}

double Extrapolation::bias_at_most() const { return line.slope / static_cast<double>(most); }

std::optional<std::int64_t> Extrapolation::rows_for_one_percent() const {
  const double n = std::ceil(std::fabs(line.slope) / (0.01 * line.intercept));
  constexpr double most_rows = 1e15;
  if (!(line.intercept > 0) || !(n < most_rows)) return std::nullopt;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(n));
}

Extrapolation extrapolate(std::span<const ScorePoint> points,
                          const ExtrapolationSettings& settings) {
  const SizeMeans means = means_of(points);
  Extrapolation result{.points = {points.begin(), points.end()},
                       .line = fit_line(means.sizes, means.scores, settings.weights)};
  result.std_error = result.line.intercept_std_error;
  result.interval =
      regression_interval(result.line.intercept, result.std_error,
                          static_cast<double>(result.line.points - 2), settings.level);
  result.most = means.sizes.back();
  result.at_most = means.scores.back();
  return result;
}

Extrapolation extrapolate(SubsetScore& score, const SubsetPlan& plan, const Sampled& sampled,
                          const ExtrapolationSettings& settings, Workers& workers) {
  const std::vector<Subset> subsets = subsets_of(plan, sampled.counts, sampled.rng, 0);
  Extrapolation result = extrapolate(points_of(subsets, score.of(subsets, workers)), settings);
  if (settings.bootstrap < 2) return result;

  std::vector<double> at_most;
  for (std::int64_t first = 1; first <= settings.bootstrap; first += replicates_of_batch) {
    if (settings.resampled) settings.resampled(first - 1);
    const std::int64_t end = std::min(settings.bootstrap + 1, first + replicates_of_batch);
    std::vector<Subset> all;
    for (std::int64_t replicate = first; replicate < end; ++replicate)
      std::ranges::move(
          subsets_of(plan, sampled.counts, sampled.rng, static_cast<std::uint32_t>(replicate)),
          std::back_inserter(all));
    const std::vector<ScorePoint> points = points_of(all, score.of(all, workers));
    for (std::size_t begin = 0; begin < points.size(); begin += subsets.size()) {
      const SizeMeans means = means_of(std::span(points).subspan(begin, subsets.size()));
      const ScoreLine line = fit_line(means.sizes, means.scores, settings.weights);
      result.resampled_intercepts.push_back(line.intercept);
      result.resampled_slopes.push_back(line.slope);
      at_most.push_back(means.scores.back());
    }
  }
  result.std_error = standard_deviation(result.resampled_intercepts);
  result.at_most_std_error = standard_deviation(at_most);
  result.interval =
      centred_interval(result.line.intercept, result.resampled_intercepts, settings.level);
  return result;
}

ScoreDifference difference(const Extrapolation& a, const Extrapolation& b, double level) {
  ScoreDifference result{.value = a.line.intercept - b.line.intercept};
  if (!a.resampled_intercepts.empty()) {
    LOGPX_ASSERT(a.resampled_intercepts.size() == b.resampled_intercepts.size());
    std::vector<double> resampled = a.resampled_intercepts;
    for (std::size_t i = 0; i < resampled.size(); ++i) resampled[i] -= b.resampled_intercepts[i];
    result.std_error = standard_deviation(resampled);
    result.interval = centred_interval(result.value, resampled, level);
    return result;
  }
  result.std_error = std::hypot(a.std_error, b.std_error);
  result.interval =
      regression_interval(result.value, result.std_error,
                          static_cast<double>(a.line.points + b.line.points - 4), level);
  return result;
}

Better better_of(const ScoreDifference& difference, WantedSide wanted) {
  if (difference.interval.holds_zero()) return Better::neither;
  const bool a_is_lower = difference.interval.high < 0;
  return a_is_lower == (wanted == WantedSide::low) ? Better::a : Better::b;
}

}  // namespace logpx
