// Convolution over a batch of images, NCHW: three kernels serve conv2d and its transpose (whose
// forward is backward-data of the other).   [math/README 3.3]
#pragma once

#include "libcore/math/conv_call.hpp"

#include <cstdint>
#include <string>

namespace logpx {

// Workspace in elements for any of the three kernels on this path: at most 16 MiB, except for
// oneDNN, which keeps blocked copies of the operands there.
[[nodiscard]] std::int64_t conv_workspace(const ConvShape& shape, Convolution path);

// y = conv(x, w) + bias.
void conv_forward(const ConvCall<float>& call);
void conv_forward(const ConvCall<double>& call);
// dx (+)= conv^T(dy, w); with bias (per input channel of the transpose) when `bias` is set.
void conv_backward_data(const ConvCall<float>& call);
void conv_backward_data(const ConvCall<double>& call);
// dw (+)= x * dy; dbias (+)= sums of dy when set.
void conv_backward_weights(const ConvCall<float>& call);
void conv_backward_weights(const ConvCall<double>& call);

[[nodiscard]] bool convolution_available(Convolution path);

}  // namespace logpx
