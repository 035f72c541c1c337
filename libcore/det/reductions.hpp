// Sums, maxima, softmax and norms that give the same bits on every machine, in float64.
// [det/README 4]
#pragma once

#include <span>

namespace logpx::det {

// Eight partial sums p[j] over i = j mod 8, then ((p0+p4)+(p2+p6))+((p1+p5)+(p3+p7)).
[[nodiscard]] double sum8(std::span<const double> v);

// For float and double; -inf for an empty x. NaNs are passed over.
template <typename T>
[[nodiscard]] T largest_of(std::span<const T> x);

// p_i = e^(x_i - max) / sum8; `p` may be `x`. An all -inf or empty x gives zeros.
void softmax(std::span<const double> x, std::span<double> p);

// max + ln sum8(e^(x_i - max)); -inf for an all -inf or empty x.
[[nodiscard]] double log_sum_exp(std::span<const double> x);

// y = ((x - mean) / sqrt(variance + eps)) gamma + beta over the whole vector. Without gamma and
// beta (empty spans) they count as 1 and 0. `y` may be `x`.
struct Affine {
  std::span<const float> gamma, beta;
};
void layer_norm(std::span<const float> x, Affine affine, double eps, std::span<float> y);

// One example [channels, pixels]: each of `groups` groups of channels is normalised over channel,
// row, column in this order; gamma and beta are per channel.
struct GroupNormShape {
  std::size_t channels, groups, pixels;
};
void group_norm(std::span<const float> x, GroupNormShape shape, Affine affine, double eps,
                std::span<float> y);

// Batch norm by stored statistics, folded once: y = x scale + shift in float64.
struct FoldedNorm {
  double scale = 1, shift = 0;
};
struct StoredStatistics {
  double mean = 0, variance = 1, gamma = 1, beta = 0;
};
[[nodiscard]] FoldedNorm fold(const StoredStatistics& channel, double eps);
void apply(const FoldedNorm& channel, std::span<const float> x, std::span<float> y);

}  // namespace logpx::det
