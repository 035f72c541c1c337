#include "libcore/eval/prediction.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace logpx {
namespace {

constexpr std::size_t sureness_bins = 10;

// NaN for none.
double mean_of_sum(double sum, std::int64_t count) {
  return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

void score_categories(std::span<const Judged> predictions, PredictionScore& score) {
  std::array<double, sureness_bins> distances = {};  // of a bin: the sum of confidence - right
  std::int64_t count = 0, right = 0;
  for (const Judged& one : predictions) {
    if (!one.is_category) continue;
    ++count;
    right += one.right ? 1 : 0;
    const auto bin = static_cast<std::size_t>(std::max(0.0, one.confidence) * sureness_bins);
    distances[std::min(bin, sureness_bins - 1)] += one.confidence - (one.right ? 1 : 0);
  }
  double off = 0;
  for (const double distance : distances) off += std::abs(distance);
  score.accuracy = mean_of_sum(static_cast<double>(right), count);
  score.calibration_error = mean_of_sum(off, count);
}

void score_numbers(std::span<const Judged> predictions, PredictionScore& score) {
  std::int64_t count = 0, covered = 0;
  double truths = 0, errors = 0, spread = 0;
  for (const Judged& one : predictions) {
    if (!one.is_number) continue;
    ++count;
    covered += one.covered ? 1 : 0;
    truths += one.truth;
    errors += (one.truth - one.mean) * (one.truth - one.mean);
  }
  const double middle = mean_of_sum(truths, count);
  for (const Judged& one : predictions)
    if (one.is_number) spread += (one.truth - middle) * (one.truth - middle);
  score.rmse = std::sqrt(mean_of_sum(errors, count));
  score.r2 = spread > 0 ? 1 - errors / spread : std::numeric_limits<double>::quiet_NaN();
  score.coverage = mean_of_sum(static_cast<double>(covered), count);
}

}  // namespace

Outlook::Outlook(const ModelQueries& queries, std::int64_t place, Expected expected)
    : expected_(std::move(expected)), whole_(!queries.has_density(place)) {
  if (!queries.is_real(place)) {
    read_table(queries, place);
    return;
  }
  const RealMoments& moments = expected_.moments;
  best_ = mean_ = moments.mean;
  deviation_ = std::sqrt(std::max(0.0, moments.square - mean_ * mean_));
}

void Outlook::read_table(const ModelQueries& queries, std::int64_t place) {
  const std::span<const double> known = p().first(at(queries.known_at(place)));
  best_category_ = std::ranges::max_element(known) - known.begin();
  best_ = queries.value_at(place, best_category_);
  const double sum = std::accumulate(known.begin(), known.end(), 0.0), total = sum > 0 ? sum : 1;
  double square = 0, below = 0;
  for (std::int64_t k = 0; k < std::ssize(known); ++k) {
    values_.push_back(queries.value_at(place, k));
    mean_ += known[at(k)] / total * values_.back();
    below_.push_back(below += known[at(k)] / total);
  }
  for (std::size_t k = 0; k < known.size(); ++k)
    square += known[k] / total * (values_[k] - mean_) * (values_[k] - mean_);
  deviation_ = std::sqrt(square);
}

double Outlook::quantile(double u) const {
  LOGPX_ASSERT(u > 0 && u < 1);
  if (values_.empty()) {
    const double x = expected_.normals.quantile(u);
    return whole_ ? std::ceil(x - 0.5) : x;
  }
  constexpr double rounding = 1e-12;
  const auto found = std::ranges::lower_bound(below_, u - rounding);
  return found == below_.end() ? values_.back() : values_[at(found - below_.begin())];
}

PredictionScore score_predictions(std::span<const Judged> predictions) {
  double nats = 0;
  for (const Judged& one : predictions) nats += one.nats;
  PredictionScore score{.log_loss = mean_of_sum(-nats, std::ssize(predictions))};
  score_categories(predictions, score);
  score_numbers(predictions, score);
  return score;
}

}  // namespace logpx
