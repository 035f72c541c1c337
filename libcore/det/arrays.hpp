// The elementary functions of functions.hpp over arrays, several elements at a time and with the
// same bits. float32 activations are widened, evaluated, rounded once.
// [det/README 5]
#pragma once

#include "libcore/det/isa.hpp"

#include <span>

namespace logpx::det {

struct ArrayKernels;
[[nodiscard]] const ArrayKernels& array_kernels_of(Isa isa);

// y = f(x) for each element; y may be x.
void exp(std::span<const double> x, std::span<double> y);
void log(std::span<const double> x, std::span<double> y);  // x > 0, finite
void sigmoid(std::span<const double> x, std::span<double> y);
void tanh(std::span<const double> x, std::span<double> y);
void softplus(std::span<const double> x, std::span<double> y);
void ndtr(std::span<const double> x, std::span<double> y);

void exp(std::span<const float> x, std::span<float> y);
void sigmoid(std::span<const float> x, std::span<float> y);
void tanh(std::span<const float> x, std::span<float> y);
void softplus(std::span<const float> x, std::span<float> y);
void ndtr(std::span<const float> x, std::span<float> y);

// p(k + 1) / p(k) of the beta-binomial of ratios.size() trials, k from 0.   [codec/README 3.2]
void beta_binomial_ratios(double alpha, double beta, std::span<double> ratios);

// Not rounded to float: probabilities as the coder takes them, and the gates of silu and gelu.
void sigmoid(std::span<const float> x, std::span<double> y);
void ndtr(std::span<const float> x, std::span<double> y);

}  // namespace logpx::det
