#include "libcore/math/resample.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/math/vector_math.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace logpx {
namespace {

// A product N w that should be whole may fall short of it by rounding.
constexpr double whole_slack = 1e-9;

void sum_along(std::span<const double> weights, std::vector<double>& sums) {
  sums.resize(weights.size());
  std::partial_sum(weights.begin(), weights.end(), sums.begin());
}

void residual(std::span<const double> weights, std::span<const double> uniforms,
              std::span<std::int64_t> indices, ResampleMemory& memory) {
  const auto draws = static_cast<double>(indices.size());
  std::vector<double>& left = memory.left;
  left.resize(weights.size());
  std::size_t filled = 0;
  for (std::size_t s = 0; s < weights.size(); ++s) {
    const double copies = std::floor(draws * weights[s] + whole_slack);
    left[s] = std::max(0.0, draws * weights[s] - copies);
    for (auto copy = static_cast<std::int64_t>(copies); copy > 0 && filled < indices.size(); --copy)
      indices[filled++] = static_cast<std::int64_t>(s);
  }
  if (filled == indices.size()) return;
  const double whole = std::accumulate(left.begin(), left.end(), 0.0);
  for (double& share : left) share /= whole;
  sum_along(left, memory.sums);
  LOGPX_ASSERT(uniforms.size() >= indices.size() - filled);
  for (std::size_t i = 0; filled < indices.size(); ++i)
    indices[filled++] = chosen_index(memory.sums, uniforms[i]);
}

}  // namespace

double importance_weights(std::span<const double> log_weights, std::span<double> weights) {
  LOGPX_ASSERT(!log_weights.empty() && log_weights.size() == weights.size());
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const double value : log_weights) {
    if (std::isnan(value)) largest = value;
    if (!(value <= largest)) largest = value;
    if (std::isnan(largest)) break;
  }
  if (!std::isfinite(largest))
    fail(ErrorKind::numeric, "importance weights",
         std::isnan(largest) ? "one is not a number"
         : largest > 0       ? "one is infinite"
                             : "all of them are 0");
  for (std::size_t s = 0; s < weights.size(); ++s) weights[s] = log_weights[s] - largest;
  vec::exp(std::span<const double>(weights), weights);
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return largest + det_log(sum / static_cast<double>(weights.size()));
}

double effective_size(std::span<const double> weights) {
  double squares = 0;
  for (const double weight : weights) squares += weight * weight;
  return 1 / squares;
}

double error_by_halves(std::span<const double> log_weights) {
  const std::size_t half = log_weights.size() / 2;
  LOGPX_ASSERT(half > 0);
  const auto first = static_cast<double>(half), all = static_cast<double>(log_weights.size()),
             rest = all - first;
  const double distance = log_sum_exp(log_weights.first(half)) - std::log(first) -
                          log_sum_exp(log_weights.subspan(half)) + std::log(rest);
  return std::isfinite(distance) ? std::abs(distance) * std::sqrt(first * rest) / all : 1;
}

std::int64_t chosen_index(std::span<const double> running_sums, double u) {
  LOGPX_ASSERT(!running_sums.empty());
  auto found = std::lower_bound(running_sums.begin(), running_sums.end(), u);
  if (found == running_sums.end())  // the sum rounds below 1: the last that adds to it
    found = std::lower_bound(running_sums.begin(), running_sums.end(), running_sums.back());
  if (u <= 0) found = std::upper_bound(running_sums.begin(), running_sums.end(), 0.0);
  LOGPX_ASSERT(found != running_sums.end());
  return found - running_sums.begin();
}

void resample(Resampler resampler, std::span<const double> weights,
              std::span<const double> uniforms, std::span<std::int64_t> indices) {
  ResampleMemory memory;
  resample(resampler, weights, uniforms, indices, memory);
}

void resample(Resampler resampler, std::span<const double> weights,
              std::span<const double> uniforms, std::span<std::int64_t> indices,
              ResampleMemory& memory) {
  const std::size_t n = indices.size();
  if (resampler == Resampler::none) {
    LOGPX_ASSERT(n == weights.size());
    std::iota(indices.begin(), indices.end(), std::int64_t{0});
    return;
  }
  if (resampler == Resampler::residual) return residual(weights, uniforms, indices, memory);
  LOGPX_ASSERT(uniforms.size() >= (resampler == Resampler::systematic ? 1 : n));
  sum_along(weights, memory.sums);
  for (std::size_t i = 0; i < n; ++i) {
    const double u = uniforms[resampler == Resampler::systematic ? 0 : i];
    const bool shared = resampler != Resampler::multinomial;
    indices[i] = chosen_index(memory.sums,
                              shared ? (u + static_cast<double>(i)) / static_cast<double>(n) : u);
  }
}

std::vector<std::int64_t> draw_counts(std::span<const std::int64_t> indices, std::int64_t items) {
  std::vector<std::int64_t> counts(at(items));
  for (const std::int64_t index : indices) ++counts[at(index)];
  return counts;
}

}  // namespace logpx
