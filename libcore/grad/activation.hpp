// The activations that fused ops (linear, norms) apply to their result, and their derivatives.
#pragma once

#include <span>

namespace logpx {

// leaky_relu has slope 0.2 below zero; other slopes: leaky_relu(x, slope) of ops_pointwise.hpp.
enum class Activation {
  none,
  relu,
  leaky_relu,
  elu,
  tanh,
  sigmoid,
  softplus,
  silu,
  gelu_erf,
  gelu_tanh
};
inline constexpr double leaky_slope = 0.2;

// Whether the derivative is computed from the result y, else from the argument x: an op keeps it.
[[nodiscard]] bool derivative_from_result(Activation activation);

// y = f(x); y may be x.
void activate(Activation activation, std::span<const float> x, std::span<float> y);
void activate(Activation activation, std::span<const double> x, std::span<double> y);

// d = upstream * f'; `kept` is y or x, see above; d may be `upstream` or `kept`.
void activation_backward(Activation activation, std::span<const float> kept,
                         std::span<const float> upstream, std::span<float> d);
void activation_backward(Activation activation, std::span<const double> kept,
                         std::span<const double> upstream, std::span<double> d);

}  // namespace logpx
