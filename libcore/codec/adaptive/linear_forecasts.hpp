// Forecasts of a number as weighted sums of others, whose weights follow each number that comes.
//
//   recursive least squares   w = (sum_t k^(n-t) x x^T + r I)^-1 sum_t k^(n-t) x y
//   normalised mean squares   w <- w + m e x / (c + |x|^2)                          e = y - w x
//   signs of errors           w <- w + m sign(e) x / sqrt(1 + |x|^2)
//
// Doubles, + - * / and sqrt in a fixed order: a decoder repeats them to the bit.
#pragma once

#include "libcore/codec/adaptive/forecast_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace logpx::codec::adaptive {

// Added to numbers that are 0, and lost in all others: sums that fade would become denormal, which
// takes a hundred times as long.
constexpr double whisper = 1e-50;

template <std::size_t taps>
class RecursiveSquares {
 public:
  using Taps = std::array<double, taps>;
  // `keep`: what a step leaves of what was known; the weights are found anew every so many numbers.
  struct Pace {
    double keep, ridge;
    int every;
  };

  explicit RecursiveSquares(const Pace& pace)
      : pace_(pace), squares_(taps * taps), products_(), weights_(), x_() {}

  // The taps may be filled before each forecast.
  [[nodiscard]] Taps& around() { return x_; }
  [[nodiscard]] double forecast() const { return kernels_->dot(x_.data(), weights_.data(), taps); }
  void learn(double y) {
    const FitMoments moments{squares_.data(), products_.data()};
    kernels_->follow(moments, x_.data(), y, pace_.keep, taps);
    if (++learned_ % pace_.every == 0) kernels_->solve(moments, pace_.ridge, weights_.data(), taps);
  }

 private:
  const ForecastKernels* kernels_ = &active_forecast_kernels();
  Pace pace_;
  std::vector<double> squares_;
  Taps products_, weights_, x_;
  int learned_ = 0;
};

// The last numbers, the newest first, as one vector.
template <std::size_t count>
class LastNumbers {
 public:
  LastNumbers() : numbers_(room), at_(room - count) {}
  [[nodiscard]] const double* data() const { return numbers_.data() + at_; }
  void add(double x) {
    if (at_ == 0) {
      std::copy_n(numbers_.begin(), count, numbers_.end() - count);
      at_ = room - count;
    }
    numbers_[--at_] = x;
  }

 private:
  static constexpr std::size_t room = 4 * count;
  std::vector<double> numbers_;
  std::size_t at_;
};

enum class StepBy { error, sign };

// A forecast of a number from those before it.
template <std::size_t taps, StepBy step_by>
class FollowingFilter {
 public:
  explicit FollowingFilter(double rate) : rate_(rate), weights_() {}

  [[nodiscard]] double forecast() {
    return forecast_ = kernels_->dot(weights_.data(), last_.data(), taps);
  }
  void learn(double y) {
    const double error = y - forecast_, power = kernels_->dot(last_.data(), last_.data(), taps);
    kernels_->add_scaled(weights_.data(), last_.data(), step(error, power), taps);
    last_.add(y);
  }

 private:
  [[nodiscard]] double step(double error, double power) const {
    if constexpr (step_by == StepBy::error) return rate_ * error / (1e-3 + power);
    else return (error > 0 ? rate_ : error < 0 ? -rate_ : 0) / std::sqrt(1 + power);
  }

  const ForecastKernels* kernels_ = &active_forecast_kernels();
  double rate_, forecast_ = 0;
  std::array<double, taps> weights_;
  LastNumbers<taps> last_;
};

}  // namespace logpx::codec::adaptive
