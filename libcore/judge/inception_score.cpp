#include "libcore/judge/inception_score.hpp"

#include "libcore/math/special.hpp"

#include <cmath>

namespace logpx {

InceptionScores::InceptionScores(const FeatureView& logits) : classes_(logits.d) {
  for (std::int64_t i = 0; i < logits.n; ++i) {
    const std::span<const double> row(logits.row(i), at(logits.d));
    const double log_sum = log_sum_exp(row);
    double sum = 0;
    for (const double logit : row) {
      probabilities_.push_back(std::exp(logit - log_sum));
      sum += probabilities_.back() * (logit - log_sum);
    }
    negative_entropy_.push_back(sum);
  }
}

double InceptionScores::score(const RowList& rows) const {
  std::vector<double> mean(at(classes_));
  double divergence = 0;
  const auto n = static_cast<double>(rows.size());
  for (const std::uint32_t row : rows) {
    divergence += negative_entropy_[row];
    for (std::int64_t c = 0; c < classes_; ++c)
      mean[at(c)] += probabilities_[at(row * classes_ + c)];
  }
  divergence /= n;
  for (const double sum : mean)
    if (sum > 0) divergence -= sum / n * std::log(sum / n);
  return std::exp(divergence);
}

}  // namespace logpx
