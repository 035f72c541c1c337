#include "libcore/math/monarch.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx {

template <typename T>
MonarchMap<T>::MonarchMap(const Monarch& form, std::span<const T* const> tensors,
                          std::int64_t batch, std::span<T> room)
    : form_(form), tensors_(tensors), batch_(batch), room_(room) {
  LOGPX_ASSERT(tensors.size() == form.layers().size() && std::ssize(room) >= form.room(batch));
}

// Behind the room for what lies between layers there are two vectors, used in turn.
template <typename T>
T* MonarchMap<T>::step(int which) const {
  const std::int64_t first = form_.inner_rows() + which % 2 * form_.longest_inner();
  return room_.data() + first * batch_;
}

template <typename T>
void MonarchMap<T>::forward(const MonarchLayer& layer, const T* tensor, const T* x, T* y) const {
  for (std::int64_t r = 0; r < layer.blocks; ++r)
    gemm(Gemm<T>{.m = layer.m,
                 .n = batch_,
                 .k = layer.n,
                 .a = tensor + r * layer.m * layer.n,
                 .lda = layer.n,
                 .b = x + layer.in_row(r, 0) * batch_,
                 .ldb = layer.in_step * batch_,
                 .c = y + layer.out_row(r, 0) * batch_,
                 .ldc = layer.out_step * batch_});
}

template <typename T>
void MonarchMap<T>::backward(const MonarchLayer& layer, const T* tensor, const T* y, T* x) const {
  for (std::int64_t r = 0; r < layer.blocks; ++r)
    gemm(Gemm<T>{.trans_a = Trans::yes,
                 .m = layer.n,
                 .n = batch_,
                 .k = layer.m,
                 .a = tensor + r * layer.m * layer.n,
                 .lda = layer.n,
                 .b = y + layer.out_row(r, 0) * batch_,
                 .ldb = layer.out_step * batch_,
                 .c = x + layer.in_row(r, 0) * batch_,
                 .ldc = layer.in_step * batch_});
}

template <typename T>
void MonarchMap<T>::add_layer(const MonarchLayer& layer, const T* gradient, const T* x,
                              T* sums) const {
  for (std::int64_t r = 0; r < layer.blocks; ++r)
    gemm(Gemm<T>{.trans_b = Trans::yes,
                 .m = layer.m,
                 .n = layer.n,
                 .k = batch_,
                 .a = gradient + layer.out_row(r, 0) * batch_,
                 .lda = layer.out_step * batch_,
                 .b = x + layer.in_row(r, 0) * batch_,
                 .ldb = layer.in_step * batch_,
                 .c = sums + r * layer.m * layer.n,
                 .ldc = layer.n,
                 .beta = 1});
}

template <typename T>
void MonarchMap<T>::apply(const T* x, T* y) const {
  const auto& layers = form_.layers();
  for (std::size_t t = 0; t < layers.size(); ++t) {
    T* const to = t + 1 == layers.size() ? y : step(static_cast<int>(t));
    forward(layers[t], tensors_[t], x, to);
    x = to;
  }
}

template <typename T>
void MonarchMap<T>::apply_transposed(const T* y, T* x) const {
  const auto& layers = form_.layers();
  for (std::size_t t = layers.size(); t-- > 0;) {
    T* const to = t == 0 ? x : step(static_cast<int>(t));
    backward(layers[t], tensors_[t], y, to);
    y = to;
  }
}

template <typename T>
void MonarchMap<T>::apply_keeping(const T* x, T* inner, T* y) const {
  const auto& layers = form_.layers();
  for (std::size_t t = 0; t < layers.size(); ++t) {
    T* const to = t + 1 == layers.size() ? y : inner;
    forward(layers[t], tensors_[t], x, to);
    x = to;
    inner = to + layers[t].out_rows() * batch_;
  }
}

template <typename T>
void MonarchMap<T>::add_products(const MonarchFlow<T>& flow) const {
  const auto& layers = form_.layers();
  const T* inner = flow.inner;
  if (!inner) {  // all but the last layer again
    const T* x = flow.in;
    T* to = room_.data();
    for (std::size_t t = 0; t + 1 < layers.size(); ++t) {
      forward(layers[t], tensors_[t], x, to);
      x = to;
      to += layers[t].out_rows() * batch_;
    }
    inner = room_.data();
  }
  inner += form_.inner_rows() * batch_;
  const T* gradient = flow.gradient;
  for (std::size_t t = layers.size(); t-- > 0;) {
    if (t > 0) inner -= layers[t].in_rows() * batch_;
    add_layer(layers[t], gradient, t == 0 ? flow.in : inner, flow.products[t]);
    if (t == 0 && !flow.adjoint) return;
    T* const to = t == 0 ? flow.adjoint : step(static_cast<int>(t));
    backward(layers[t], tensors_[t], gradient, to);
    gradient = to;
  }
}

template class MonarchMap<float>;
template class MonarchMap<double>;

}  // namespace logpx
