#include "libcore/codec/adaptive/sample_forecast.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::codec::adaptive {
namespace {

constexpr std::size_t all_known = ~std::size_t{0};
constexpr double least_error = 1.0 / 1024;
constexpr double rate_in_time = 0.07, rate_in_rasters = 0.2;

}  // namespace

SampleForecast::SampleForecast(const Form& form)
    : bytes_(form.samples.bytes),
      half_(std::ldexp(1.0, 8 * form.samples.bytes - 1)),
      channels_(form.samples.channels),
      known_(form.samples.offset == 0 ? all_known : 0) {
  if (form.row == 0) {
    place_taps_in_time();
  } else {
    above_.assign(form.row / bytes_, {64, 64, 64, 64});
    place_taps_in_raster(form.row / bytes_, form.plane / bytes_);
  }
}

// Samples of its own channel, then of all others, the newest first.
void SampleForecast::place_taps_in_time() {
  const std::size_t channels = channels_.size();
  const auto place = [channels](auto& distances, std::size_t own) {
    std::size_t i = 0;
    for (; i < own; ++i) distances[i] = (i + 1) * channels;
    for (std::size_t d = 1; i < distances.size(); ++d)
      if (d % channels != 0) distances[i++] = d;
  };
  place(far_, channels == 1 ? wide : channels == 2 ? 20 : 16);
  place(near_, channels == 1 ? narrow : channels == 2 ? 10 : 8);
}

void SampleForecast::place_taps_in_raster(std::size_t r, std::size_t p) {
  const std::size_t c = channels_.size();
  const std::array<std::size_t, 24> own = {c,
                                           r,
                                           r + c,
                                           r - c,
                                           2 * c,
                                           2 * r,
                                           r + 2 * c,
                                           r - 2 * c,
                                           2 * r - c,
                                           2 * r + c,
                                           3 * c,
                                           3 * r,
                                           2 * r + 2 * c,
                                           2 * r - 2 * c,
                                           p != 0 ? p : 4 * c,
                                           p != 0 ? p - c : 5 * c,
                                           p != 0 ? p + c : r + 3 * c,
                                           p != 0 ? p - r : r - 3 * c,
                                           p != 0 ? p + r : 3 * r - c,
                                           p != 0 ? 2 * p : 3 * r + c,
                                           4 * c,
                                           5 * c,
                                           4 * r,
                                           r + 4 * c};
  std::vector<std::size_t> others;
  for (const std::size_t from : {std::size_t{0}, c, r})
    for (std::size_t k = 1; k < c; ++k) others.push_back(from + k);
  const auto place = [&](auto& distances, std::size_t most_others) {
    const std::size_t last = std::min(others.size(), most_others);
    std::size_t i = 0;
    for (; i < std::min(own.size(), distances.size() - last); ++i) distances[i] = own[i];
    for (std::size_t k = 0; k < last; ++k) distances[i++] = others[k];
  };
  place(far_, 8);
  place(near_, 6);
}

double SampleForecast::sample_at(const Past& past, std::size_t distance) const {
  if (distance > known_) return whisper;
  const std::uint8_t* const at = past.now - distance * bytes_;
  std::uint32_t sample = at[0];
  for (std::size_t i = 1; i < bytes_; ++i) sample = sample << 8 | at[i];
  return sample - half_ + whisper;
}

template <std::size_t taps>
void SampleForecast::gather(const Past& past, const std::array<std::size_t, taps>& distances,
                            std::array<double, taps>& around) const {
  for (std::size_t i = 0; i < taps; ++i)
    around[i] = distances[i] == 0 ? whisper : sample_at(past, distances[i]);
}

void SampleForecast::expect_errors(const Channel& channel) {
  expected_errors_ = channel.errors;
  if (above_.empty()) return;
  const std::size_t row = above_.size(), step = channels_.size();
  const auto& here = above_[column_];
  const auto& before = above_[column_ >= step ? column_ - step : column_];
  const auto& behind = above_[column_ + step < row ? column_ + step : column_];
  for (std::size_t k = 0; k < ways; ++k)
    expected_errors_[k] = (expected_errors_[k] + (double{here[k]} + before[k] + behind[k]) / 3) / 2;
}

double SampleForecast::weighted_mean() const {
  double weights = 0, sum = 0;
  for (std::size_t k = 0; k < mean; ++k) {
    const double square = 1 / (expected_errors_[k] * expected_errors_[k] + 1e-3);
    const double weight = square * square;
    weights += weight;
    sum += weight * values_[k];
  }
  return sum / weights;
}

void SampleForecast::foretell(const Past& past) {
  Channel& channel = channels_[channel_];
  gather(past, far_, channel.long_fit.around());
  gather(past, near_, channel.short_fit.around());
  values_[0] = within(channel.long_fit.forecast());
  channel.first_value = channel.first.forecast();
  channel.second_value = channel.second.forecast();
  values_[1] =
      within(values_[0] + channel.first_value + channel.second_value + channel.third.forecast());
  values_[2] = within(channel.short_fit.forecast());
  expect_errors(channel);
  values_[mean] = within(weighted_mean());
}

void SampleForecast::learn(std::uint32_t sample) {
  Channel& channel = channels_[channel_];
  const double y = sample - half_, rate = above_.empty() ? rate_in_time : rate_in_rasters;
  for (std::size_t k = 0; k < ways; ++k) {
    const double error = std::max(least_error, std::abs(y - values_[k]));
    channel.errors[k] += (error - channel.errors[k]) * rate;
    if (!above_.empty()) {
      float& above = above_[column_][k];
      above = static_cast<float>((above + error) / 2);
    }
  }
  channel.long_fit.learn(y);
  channel.short_fit.learn(y);
  const double left = y - values_[0], left_by_first = left - channel.first_value;
  channel.first.learn(left);
  channel.second.learn(left_by_first);
  channel.third.learn(left_by_first - channel.second_value);
  if (++column_ >= above_.size()) column_ = 0;
  if (++channel_ == channels_.size()) channel_ = 0;
  if (known_ != all_known) ++known_;
}

}  // namespace logpx::codec::adaptive
