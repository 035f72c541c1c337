#include "libcore/math/conv.hpp"

#include "libcore/math/conv_paths.hpp"

namespace logpx {

namespace {

Product product_of(Convolution path) {
  return path == Convolution::ordered ? Product::ordered : Product::blas;
}

}  // namespace

std::int64_t conv_workspace(const ConvShape& shape, Convolution path) {
  return unfolded_workspace(shape, product_of(path));
}

void conv_forward(const ConvCall<float>& call) { unfolded_forward(call, product_of(call.path)); }
void conv_forward(const ConvCall<double>& call) { unfolded_forward(call, product_of(call.path)); }
void conv_backward_data(const ConvCall<float>& call) {
  unfolded_backward_data(call, product_of(call.path));
}
void conv_backward_data(const ConvCall<double>& call) {
  unfolded_backward_data(call, product_of(call.path));
}
template <typename T>
void backward_weights(const ConvCall<T>& call) {
  unfolded_backward_weights(call, product_of(call.path));
  if (call.dbias) conv_backward_bias(call);
}
void conv_backward_weights(const ConvCall<float>& call) { backward_weights(call); }
void conv_backward_weights(const ConvCall<double>& call) { backward_weights(call); }

Convolution best_convolution() { return Convolution::im2col; }

}  // namespace logpx
