#include "libcore/math/normal_tails.hpp"

#include "libcore/math/special.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace logpx {
namespace {

constexpr double without_loss = 1e-280;  // smaller sums take logarithms

// The weight of the parts below their z times `side`.
double log_tail(std::span<const TailPart> parts, double side) {
  double sum = 0;
  for (const TailPart& part : parts)
    sum += part.weight * std::erfc(-(side * part.z + part.half) / std::numbers::sqrt2) / 2;
  if (sum > without_loss) return std::log(sum);
  std::vector<double> logs;
  for (const TailPart& part : parts)
    logs.push_back(std::log(part.weight) + log_ndtr(side * part.z + part.half));
  return log_sum_exp(logs);
}

}  // namespace

LogTails log_tails(std::span<const TailPart> parts) {
  return {.below = log_tail(parts, 1), .above = log_tail(parts, -1)};
}

}  // namespace logpx
