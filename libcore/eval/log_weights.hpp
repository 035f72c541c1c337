// Importance weights one after another: a running maximum and sums, so that memory does not grow
// with their number.   [eval/README 2]
#pragma once

#include <cstdint>
#include <limits>

namespace logpx {

class LogWeights {
 public:
  void add(double log_weight);
  void add(const LogWeights& others);
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double log_mean() const;                // log (1/K) sum_k w_k
  [[nodiscard]] double mean_log() const;                // (1/K) sum_k log w_k
  [[nodiscard]] double sample_size() const;             // the effective one, (sum w)^2 / sum w^2
  [[nodiscard]] double share(double log_weight) const;  // of one weight in the sum

 private:
  std::int64_t count_ = 0;
  double high_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0, squares_ = 0, logs_ = 0;  // the first two of e^(log w - high)
};

// The same weights in two halves: how far their log means lie apart tells the error of the whole,
// |a - b| / 2.
class HalvedWeights {
 public:
  explicit HalvedWeights(std::int64_t total) : total_(total) {}
  void add(double log_weight) { halves_[2 * all().count() >= total_ ? 1 : 0].add(log_weight); }
  [[nodiscard]] LogWeights all() const;
  [[nodiscard]] bool has_error() const { return total_ > 1; }
  [[nodiscard]] double error() const;

 private:
  std::int64_t total_;
  LogWeights halves_[2];
};

}  // namespace logpx
