// The convolution kernels by path; conv.cpp chooses among them.
#pragma once

#include "libcore/math/conv.hpp"

#include <algorithm>

namespace logpx {

// Products over the unfolded image, by OpenBLAS (im2col) or in the fixed order of coding.md 1.3.
template <typename T>
void unfolded_forward(const ConvCall<T>& call, Product product);
template <typename T>
void unfolded_backward_data(const ConvCall<T>& call, Product product);
template <typename T>
void unfolded_backward_weights(const ConvCall<T>& call, Product product);
[[nodiscard]] std::int64_t unfolded_workspace(const ConvShape& shape, Product product);

// out[c,:,:] = beta out + bias[c]; what a sum over taps is then added to.
template <typename T>
void start_planes(T* out, std::int64_t channels, std::int64_t pixels, const T* bias, T beta) {
  for (std::int64_t c = 0; c < channels; ++c, out += pixels) {
    const T value = bias ? bias[c] : T(0);
    if (beta == T(0)) std::fill_n(out, pixels, value);
    else
      for (std::int64_t p = 0; p < pixels; ++p) out[p] = beta * out[p] + value;
  }
}

// dbias (+)= sums of dy per channel, in double.
template <typename T>
void conv_backward_bias(const ConvCall<T>& call);

#if LOGPX_HAVE_ONEDNN
void onednn_forward(const ConvCall<float>& call);
void onednn_backward_data(const ConvCall<float>& call);
void onednn_backward_weights(const ConvCall<float>& call);
#endif

}  // namespace logpx
