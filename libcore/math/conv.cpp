#include "libcore/math/conv.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/conv_paths.hpp"
#include "libcore/math/onednn.hpp"

#include <algorithm>
#include <type_traits>

namespace logpx {
namespace {

// A pointwise convolution is one product of matrices as they lie (78 against 65 GFLOP/s with
// oneDNN's reordering, which costs more than bf16 saves).
bool planned_for_onednn(const ConvShape& s, Convolution path) {
  const bool pointwise = s.kernel == PerAxis(1) && s.stride == 1 && s.pad == PerAxis(0);
  return (path == Convolution::onednn || path == Convolution::bf16) && !pointwise;
}

// A plan does not know who will run it, and who needs repeatable numbers gets ordered products.
bool by_onednn(const ConvShape& s, Convolution path) {
  return planned_for_onednn(s, path) && !RepeatableFunctions::on();
}

// It is slow where the image has few channels (38 against 105 GFLOP/s at 64 -> 3).
bool data_by_onednn(const ConvShape& s, Convolution path) {
  return by_onednn(s, path) && s.in_channels > 4;
}

Product product_of(Convolution path) {
  return path == Convolution::ordered ? Product::ordered : Product::blas;
}

template <typename T>
void convolve(const ConvCall<T>& call) {
  if (call.path == Convolution::ordered) return ordered_forward(call);
  if constexpr (std::is_same_v<T, float>)
    if (by_onednn(call.shape, call.path)) return onednn_forward(call);
  unfolded_forward(call);
}

template <typename T>
void backward_data(const ConvCall<T>& call) {
  if (call.path == Convolution::ordered) return ordered_backward_data(call);
  if constexpr (std::is_same_v<T, float>)
    if (data_by_onednn(call.shape, call.path)) return onednn_backward_data(call);
  unfolded_backward_data(call);
}

template <typename T>
void backward_weights(const ConvCall<T>& call) {
  if (call.dbias) conv_backward_bias(call);
  if constexpr (std::is_same_v<T, float>)
    if (by_onednn(call.shape, call.path)) return onednn_backward_weights(call);
  unfolded_backward_weights(call, product_of(call.path));
}

}  // namespace

std::int64_t conv_workspace(const ConvShape& shape, Convolution path) {
  if (path == Convolution::ordered) return ordered_workspace(shape);
  const std::int64_t unfolded = unfolded_workspace(shape);
  if (!planned_for_onednn(shape, path)) return unfolded;
  return std::max(onednn_workspace(shape, path), unfolded);
}

void conv_forward(const ConvCall<float>& call) { convolve(call); }
void conv_forward(const ConvCall<double>& call) { convolve(call); }
void conv_backward_data(const ConvCall<float>& call) { backward_data(call); }
void conv_backward_data(const ConvCall<double>& call) { backward_data(call); }
void conv_backward_weights(const ConvCall<float>& call) { backward_weights(call); }
void conv_backward_weights(const ConvCall<double>& call) { backward_weights(call); }

Convolution best_convolution() {
  return LOGPX_HAVE_ONEDNN ? Convolution::onednn : Convolution::im2col;
}

bool convolution_available(Convolution path) {
  if (path == Convolution::bf16) return !bf16_kernels().empty();
  return path != Convolution::onednn || LOGPX_HAVE_ONEDNN;
}

#if !LOGPX_HAVE_ONEDNN
void onednn_forward(const ConvCall<float>&) { LOGPX_ASSERT(LOGPX_HAVE_ONEDNN); }
void onednn_backward_data(const ConvCall<float>&) { LOGPX_ASSERT(LOGPX_HAVE_ONEDNN); }
void onednn_backward_weights(const ConvCall<float>&) { LOGPX_ASSERT(LOGPX_HAVE_ONEDNN); }
std::int64_t onednn_workspace(const ConvShape&, Convolution) { return 0; }
#endif

}  // namespace logpx
