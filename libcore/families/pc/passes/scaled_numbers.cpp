#include "libcore/families/pc/passes/scaled_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx::pc {

double scaled_down(double y, std::int64_t exponent) {
  constexpr std::int64_t least = -1100;
  return std::ldexp(y, static_cast<int>(std::max(exponent, least)));
}

void ScaledNumber::add(const ScaledNumber& other) {
  const std::int64_t both = std::max(exponent, other.exponent);
  y = scaled_down(y, exponent - both) + scaled_down(other.y, other.exponent - both);
  exponent = both;
}

double ScaledNumber::ln() const {
  if (!(y > 0)) return -std::numeric_limits<double>::infinity();
  return std::log(y) + static_cast<double>(exponent) * std::numbers::ln2;
}

void ScaledNumbers::rescale() {
  const double largest = y.empty() ? 0 : std::ranges::max(y);
  if (!(largest > 0)) return;
  int shift = 0;
  static_cast<void>(std::frexp(largest, &shift));
  for (double& one : y) one = std::ldexp(one, -shift);
  exponent += shift;
}

ScaledNumbers joined(std::span<const ScaledNumbers* const> parts) {
  ScaledNumbers all{.y = {}, .exponent = no_exponent};
  for (const ScaledNumbers* const part : parts)
    all.exponent = std::max(all.exponent, part->exponent);
  for (const ScaledNumbers* const part : parts)
    for (const double y : part->y) all.y.push_back(scaled_down(y, part->exponent - all.exponent));
  return all;
}

}  // namespace logpx::pc
