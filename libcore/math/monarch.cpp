#include "libcore/math/monarch.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/fp_environment.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/fused_panels.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <optional>

namespace logpx {

namespace {

// Blocks of this size and more are faster with OpenBLAS.
constexpr std::int64_t large_block = 96;

// How the blocks of a layer are multiplied.
class Products {
 public:
  Products(std::int64_t m, std::int64_t n)
      : panels_(RepeatableFunctions::on() ? det::active_ordered_panels() : active_fused_panels()),
        by_blas_(!RepeatableFunctions::on() && m >= large_block && n >= large_block) {
    if (!RepeatableFunctions::on()) flush_.emplace();
  }

  template <typename T>
  void operator()(const det::PanelProduct<T>& call) const {
    if (!by_blas_) return call.n == 1 && !call.adds ? multiply_vector(call) : panels_(call);
    const bool a_lies = call.a_k == 1, b_lies = call.b_column == 1;
    gemm(Gemm<T>{.trans_a = a_lies ? Trans::no : Trans::yes,
                 .trans_b = b_lies ? Trans::no : Trans::yes,
                 .m = call.m,
                 .n = call.n,
                 .k = call.k,
                 .a = call.a,
                 .lda = a_lies ? call.a_row : call.a_k,
                 .b = call.b,
                 .ldb = b_lies ? std::max(call.b_k, call.n) : call.b_column,  // k may be 1
                 .c = call.c,
                 .ldc = call.ldc,
                 .beta = call.adds ? T(1) : T(0)});
  }

 private:
  // A single vector has no columns to compute side by side: rows of A take their place, with the
  // same order of additions.
  template <typename T>
  void multiply_vector(const det::PanelProduct<T>& call) const {
    constexpr long at_once = 64;
    T sums[at_once];
    for (long row = 0; row < call.m; row += at_once) {
      const long rows = std::min(at_once, call.m - row);
      panels_(det::PanelProduct<T>{.m = 1,
                                   .n = rows,
                                   .k = call.k,
                                   .a = call.b,
                                   .a_row = 0,
                                   .a_k = call.b_k,
                                   .b = call.a + row * call.a_row,
                                   .b_k = call.a_k,
                                   .b_column = call.a_row,
                                   .c = sums,
                                   .ldc = rows,
                                   .adds = false});
      for (long i = 0; i < rows; ++i) call.c[(row + i) * call.ldc] = sums[i];
    }
  }

  const det::PanelKernels& panels_;
  bool by_blas_;
  std::optional<det::FlushToZero> flush_;
};

// y = A x
template <typename T>
void multiply_layer(const MonarchLayer& layer, const T* tensor, const T* x, T* y,
                    std::int64_t batch) {
  const Products products(layer.m, layer.n);
  for (std::int64_t r = 0; r < layer.blocks; ++r)
    products(det::PanelProduct<T>{.m = layer.m,
                                  .n = batch,
                                  .k = layer.n,
                                  .a = tensor + r * layer.m * layer.n,
                                  .a_row = layer.n,
                                  .a_k = 1,
                                  .b = x + layer.in_row(r, 0) * batch,
                                  .b_k = layer.in_step * batch,
                                  .b_column = 1,
                                  .c = y + layer.out_row(r, 0) * batch,
                                  .ldc = layer.out_step * batch,
                                  .adds = false});
}

// x = A^T y
template <typename T>
void multiply_back(const MonarchLayer& layer, const T* tensor, const T* y, T* x,
                   std::int64_t batch) {
  const Products products(layer.m, layer.n);
  for (std::int64_t r = 0; r < layer.blocks; ++r)
    products(det::PanelProduct<T>{.m = layer.n,
                                  .n = batch,
                                  .k = layer.m,
                                  .a = tensor + r * layer.m * layer.n,
                                  .a_row = 1,
                                  .a_k = layer.n,
                                  .b = y + layer.out_row(r, 0) * batch,
                                  .b_k = layer.out_step * batch,
                                  .b_column = 1,
                                  .c = x + layer.in_row(r, 0) * batch,
                                  .ldc = layer.in_step * batch,
                                  .adds = false});
}

// sums += gradient x^T, block by block
template <typename T>
void add_blocks(const MonarchLayer& layer, const T* gradient, const T* x, T* sums,
                std::int64_t batch) {
  const Products products(layer.m, layer.n);
  for (std::int64_t r = 0; r < layer.blocks; ++r)
    products(det::PanelProduct<T>{.m = layer.m,
                                  .n = layer.n,
                                  .k = batch,
                                  .a = gradient + layer.out_row(r, 0) * batch,
                                  .a_row = layer.out_step * batch,
                                  .a_k = 1,
                                  .b = x + layer.in_row(r, 0) * batch,
                                  .b_k = 1,
                                  .b_column = layer.in_step * batch,
                                  .c = sums + r * layer.m * layer.n,
                                  .ldc = layer.n,
                                  .adds = true});
}

}  // namespace

template <typename T>
MonarchMap<T>::MonarchMap(const Monarch& form, std::span<const T* const> tensors,
                          std::int64_t batch, std::span<T> room)
    : form_(form), tensors_(tensors), batch_(batch), room_(room) {
  LOGPX_ASSERT(tensors.size() == form.layers().size() && std::ssize(room) >= form.room(batch));
}

// Two vectors, used in turn, lie behind the room for those between layers.
template <typename T>
T* MonarchMap<T>::step(std::size_t which) const {
  const auto turn = static_cast<std::int64_t>(which % 2);
  return room_.data() + (form_.inner_rows() + turn * form_.longest_inner()) * batch_;
}

template <typename T>
void MonarchMap<T>::apply(const T* x, T* y) const {
  const auto& layers = form_.layers();
  for (std::size_t t = 0; t < layers.size(); ++t) {
    T* const to = t + 1 == layers.size() ? y : step(t);
    multiply_layer(layers[t], tensors_[t], x, to, batch_);
    x = to;
  }
}

template <typename T>
void MonarchMap<T>::apply_layer(std::size_t t, const T* x, T* y) const {
  multiply_layer(form_.layers()[t], tensors_[t], x, y, batch_);
}

template <typename T>
void MonarchMap<T>::apply_transposed(const T* y, T* x) const {
  const auto& layers = form_.layers();
  for (std::size_t t = layers.size(); t-- > 0;) {
    T* const to = t == 0 ? x : step(t);
    multiply_back(layers[t], tensors_[t], y, to, batch_);
    y = to;
  }
}

template <typename T>
void MonarchMap<T>::apply_keeping(const T* x, T* inner, T* y) const {
  compute_inner(x, inner);
  const MonarchLayer& last = form_.layers().back();
  if (form_.layers().size() > 1) x = inner + (form_.inner_rows() - last.in_rows()) * batch_;
  multiply_layer(last, tensors_.back(), x, y, batch_);
}

// The outputs of all layers but the last, one behind the other.
template <typename T>
void MonarchMap<T>::compute_inner(const T* x, T* inner) const {
  const auto& layers = form_.layers();
  for (std::size_t t = 0; t + 1 < layers.size(); ++t) {
    multiply_layer(layers[t], tensors_[t], x, inner, batch_);
    x = inner;
    inner += layers[t].out_rows() * batch_;
  }
}

template <typename T>
void MonarchMap<T>::add_products(const MonarchFlow<T>& flow) const {
  const auto& layers = form_.layers();
  if (!flow.inner) compute_inner(flow.in, room_.data());
  const T* x = (flow.inner ? flow.inner : room_.data()) + form_.inner_rows() * batch_;
  const T* gradient = flow.gradient;
  for (std::size_t t = layers.size(); t-- > 0;) {
    x = t == 0 ? flow.in : x - layers[t].in_rows() * batch_;
    add_blocks(layers[t], gradient, x, flow.products[t], batch_);
    if (t == 0 && !flow.adjoint) break;
    T* const to = t == 0 ? flow.adjoint : step(t);
    multiply_back(layers[t], tensors_[t], gradient, to, batch_);
    gradient = to;
  }
}

template class MonarchMap<float>;
template class MonarchMap<double>;

}  // namespace logpx
