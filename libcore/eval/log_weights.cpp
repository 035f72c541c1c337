#include "libcore/eval/log_weights.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

void LogWeights::add(double log_weight) {
  ++count_;
  logs_ += log_weight;
  if (log_weight == -std::numeric_limits<double>::infinity()) return;
  if (log_weight > high_) {
    const double shrink = std::exp(high_ - log_weight);
    sum_ *= shrink;
    squares_ *= shrink * shrink;
    high_ = log_weight;
  }
  const double weight = std::exp(log_weight - high_);
  sum_ += weight;
  squares_ += weight * weight;
}

void LogWeights::add(const LogWeights& others) {
  count_ += others.count_;
  logs_ += others.logs_;
  if (others.sum_ == 0) return;
  if (sum_ == 0) high_ = others.high_;  // avoids -inf - -inf below
  const double high = std::max(high_, others.high_);
  const double mine = std::exp(high_ - high), theirs = std::exp(others.high_ - high);
  sum_ = sum_ * mine + others.sum_ * theirs;
  squares_ = squares_ * mine * mine + others.squares_ * theirs * theirs;
  high_ = high;
}

double LogWeights::log_mean() const {
  return high_ + std::log(sum_) - std::log(static_cast<double>(count_));
}

double LogWeights::mean_log() const { return logs_ / static_cast<double>(count_); }

double LogWeights::sample_size() const { return squares_ > 0 ? sum_ * sum_ / squares_ : 0; }

double LogWeights::share(double log_weight) const { return std::exp(log_weight - high_) / sum_; }

LogWeights HalvedWeights::all() const {
  LogWeights both = halves_[0];
  both.add(halves_[1]);
  return both;
}

double HalvedWeights::error() const {
  return std::abs(halves_[0].log_mean() - halves_[1].log_mean()) / 2;
}

}  // namespace logpx
