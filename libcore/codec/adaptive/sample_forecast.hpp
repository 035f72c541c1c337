// A sample foretold in four ways: by two sums that least squares keep fitting to what came last, a
// long memory and a short one; by the first of them and what three filters, one after another, find
// in its errors; and by the mean of these, in which each counts by how far it was off of late.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/linear_forecasts.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace logpx::codec::adaptive {

class SampleForecast {
 public:
  static constexpr int ways = 4;
  static constexpr std::size_t mean = 3;  // the number of the last way

  explicit SampleForecast(const Form& form);

  // Foretells the sample that comes next. Its past is the last bytes of it, the highest of each
  // sample first and its sign turned over, so that samples count from 0.
  void foretell(const Past& past);
  void learn(std::uint32_t sample);

  // From 0 to the greatest sample.
  [[nodiscard]] double value(std::size_t way) const { return values_[way] + half_; }
  // How far it may be off.
  [[nodiscard]] double error(std::size_t way) const { return expected_errors_[way]; }
  [[nodiscard]] std::size_t channel() const { return channel_; }

 private:
  static constexpr std::size_t wide = 32, narrow = 16;
  using Errors = std::array<double, ways>;

  struct Channel {
    RecursiveSquares<wide> long_fit{{.keep = 0.998, .ridge = 0.001, .every = 8}};
    RecursiveSquares<narrow> short_fit{{.keep = 0.985, .ridge = 0.001, .every = 2}};
    FollowingFilter<256, StepBy::error> first{0.004};
    FollowingFilter<32, StepBy::error> second{0.002};
    FollowingFilter<16, StepBy::sign> third{0.002};
    double first_value = 0, second_value = 0;
    Errors errors = {64, 64, 64, 64};
  };

  void place_taps_in_time();
  void place_taps_in_raster(std::size_t row, std::size_t plane);
  template <std::size_t taps>
  void gather(const Past& past, const std::array<std::size_t, taps>& distances,
              std::array<double, taps>& around) const;
  [[nodiscard]] double sample_at(const Past& past, std::size_t distance) const;
  void expect_errors(const Channel& channel);
  [[nodiscard]] double weighted_mean() const;
  [[nodiscard]] double within(double value) const {
    return value < half_ ? (value > -half_ ? value : -half_) : half_ - 1;
  }

  std::size_t bytes_;
  double half_;
  std::array<std::size_t, wide> far_ = {};  // distances of taps, in samples
  std::array<std::size_t, narrow> near_ = {};
  std::vector<Channel> channels_;
  std::size_t channel_ = 0, known_;  // of the next sample, and samples before it
  std::size_t column_ = 0;
  std::vector<std::array<float, ways>> above_;  // errors in the rows above; empty where none are
  Errors values_ = {}, expected_errors_ = {};
};

}  // namespace logpx::codec::adaptive
