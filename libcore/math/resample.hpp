// Importance weights, and samples drawn again by them.   [math/README 9]
//
//   const double log_mean = importance_weights(log_likelihoods, weights);
//   if (effective_size(weights) < gamma * n) resample(Resampler::residual, weights, u, indices);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// weights = softmax(log_weights), which sum to 1; gives log mean e^log_weights. When all are -inf,
// or one is NaN or +inf, that is a numeric error.
double importance_weights(std::span<const double> log_weights, std::span<double> weights);

// 1 / sum w^2, for weights that sum to 1.
[[nodiscard]] double effective_size(std::span<const double> weights);

// The standard error of log mean e^log_weights (at least two weights), from the log means of two
// halves: it also shows when a few weights make up the mean. 1 if a half has no weight at all.
[[nodiscard]] double error_by_halves(std::span<const double> log_weights);

// residual     floor(N w) copies of each, the rest drawn by what is left: copies by index first,
//              then draws in order
// systematic   (u_0 + i) / N       stratified   (u_i + i) / N       multinomial   u_i
// none         index i stays i: the weights go on
enum class Resampler { residual, systematic, stratified, multinomial, none };

// N = indices.size() draws. `uniforms` holds as many (one suffices for systematic, none for none);
// residual takes those that it needs from the start.
void resample(Resampler resampler, std::span<const double> weights,
              std::span<const double> uniforms, std::span<std::int64_t> indices);
// The same in memory that is kept from call to call.
struct ResampleMemory {
  std::vector<double> sums, left;
};
void resample(Resampler resampler, std::span<const double> weights,
              std::span<const double> uniforms, std::span<std::int64_t> indices,
              ResampleMemory& memory);

// How often each of `items` was drawn.
[[nodiscard]] std::vector<std::int64_t> draw_counts(std::span<const std::int64_t> indices,
                                                    std::int64_t items);

// The first j of positive weight whose running sum reaches u; the last of them for u past the sum.
[[nodiscard]] std::int64_t chosen_index(std::span<const double> running_sums, double u);

}  // namespace logpx
