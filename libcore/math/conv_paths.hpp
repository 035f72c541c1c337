// The convolution kernels by path; conv.cpp chooses among them.
#pragma once

#include "libcore/math/conv_call.hpp"

#include <algorithm>

namespace logpx {

// Products over the unfolded image.
template <typename T>
void unfolded_forward(const ConvCall<T>& call);
template <typename T>
void unfolded_backward_data(const ConvCall<T>& call);
template <typename T>
void unfolded_backward_weights(const ConvCall<T>& call, Product product);
[[nodiscard]] std::int64_t unfolded_workspace(const ConvShape& shape);

// For each output the contributing (ky, kx, channel) ascending, in one accumulator that starts with
// the bias: what a decoder repeats.   [math/README 3.3]
template <typename T>
void ordered_forward(const ConvCall<T>& call);
template <typename T>
void ordered_backward_data(const ConvCall<T>& call);
[[nodiscard]] std::int64_t ordered_workspace(const ConvShape& shape);

// dx = beta dx + bias of its channel, to which sums over taps are then added.
template <typename T>
void start_images(const ConvCall<T>& call) {
  const ConvShape& s = call.shape;
  const std::int64_t pixels = s.in_height * s.in_width;
  T* out = call.dx;
  for (std::int64_t plane = 0; plane < s.images * s.in_channels; ++plane, out += pixels) {
    const T value = call.bias ? call.bias[plane % s.in_channels] : T(0);
    if (call.beta == T(0)) std::fill_n(out, pixels, value);
    else
      for (std::int64_t p = 0; p < pixels; ++p) out[p] = call.beta * out[p] + value;
  }
}

// dbias (+)= sums of dy per channel, in double.
template <typename T>
void conv_backward_bias(const ConvCall<T>& call);

// Paths onednn and bf16.
void onednn_forward(const ConvCall<float>& call);
void onednn_backward_data(const ConvCall<float>& call);
void onednn_backward_weights(const ConvCall<float>& call);
[[nodiscard]] std::int64_t onednn_workspace(const ConvShape& shape, Convolution path);

}  // namespace logpx
