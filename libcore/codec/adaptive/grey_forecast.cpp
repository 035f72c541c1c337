#include "libcore/codec/adaptive/grey_forecast.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::codec::adaptive {
namespace {

constexpr std::size_t most_columns = 1 << 16;  // rows that are longer share them
constexpr double least_grey_error = 1.0 / 64;

double within_grey(double value) { return value > 0 ? (value < 255 ? value : 255) : 0; }

}  // namespace

GreyForecast::GreyForecast(const Form& form)
    : row_(form.row), above_(std::min<std::size_t>(form.row, most_columns), {8, 8, 8}) {}

void GreyForecast::foretell(const Past& past) {
  const auto at = [&past](std::size_t distance) { return past.back(distance) + whisper; };
  const std::size_t r = row_;
  near_.around() = {at(1),         at(r),     at(r + 1), at(r - 1),     at(2), at(2 * r),
                    at(2 * r - 1), at(r + 2), at(r - 2), at(2 * r + 1), at(3), 1};
  const std::array further = {at(3 * r), at(2 * r + 2), at(2 * r - 2), at(r + 3),
                              at(r - 3), at(3 * r - 1), at(3 * r + 1), at(4)};
  std::ranges::copy(near_.around(), wide_.around().begin());
  std::ranges::copy(further, wide_.around().begin() + near);
  values_[0] = within_grey(near_.forecast());
  values_[1] = within_grey(wide_.forecast());
  expect_errors();
  values_[mean] = within_grey(weighted_mean());
}

void GreyForecast::expect_errors() {
  const Errors &here = above_[column_],
               &behind = above_[column_ + 1 < above_.size() ? column_ + 1 : column_];
  for (std::size_t k = 0; k < ways; ++k)
    expected_errors_[k] = (2.0 * left_[k] + here[k] + behind[k]) / 4;
}

double GreyForecast::weighted_mean() const {
  double weights = 0, sum = 0;
  for (std::size_t k = 0; k < mean; ++k) {
    const double off = expected_errors_[k], weight = 1 / (off * off + 0.01);
    weights += weight;
    sum += weight * values_[k];
  }
  return sum / weights;
}

void GreyForecast::learn(std::uint8_t pixel) {
  for (std::size_t k = 0; k < ways; ++k) {
    const double off = std::max(least_grey_error, std::abs(pixel - values_[k]));
    left_[k] = static_cast<float>(left_[k] + (off - left_[k]) / 4);
    above_[column_][k] = static_cast<float>((above_[column_][k] + off) / 2);
  }
  near_.learn(pixel);
  wide_.learn(pixel);
  pass();
}

}  // namespace logpx::codec::adaptive
