#include "libcore/math/log_space.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace logpx {
namespace {

template <typename T>
std::span<T> row(T* first, std::int64_t count) {
  return {first, static_cast<std::size_t>(count)};
}

// c_b = max_i x_ib and e = exp(x - c). Where nothing is finite c is 0, to keep -inf - c defined.
template <typename T>
void shifted_exponentials(const LogMatmul<T>& f, T* c, T* e) {
  std::fill_n(c, f.batch, -std::numeric_limits<T>::infinity());
  for (std::int64_t i = 0; i < f.n; ++i)
    for (std::int64_t b = 0; b < f.batch; ++b) c[b] = std::max(c[b], f.x[i * f.ldx + b]);
  for (std::int64_t b = 0; b < f.batch; ++b) c[b] = std::isfinite(c[b]) ? c[b] : T(0);
  for (std::int64_t i = 0; i < f.n; ++i)
    for (std::int64_t b = 0; b < f.batch; ++b) e[i * f.batch + b] = f.x[i * f.ldx + b] - c[b];
  vec::exp(row<const T>(e, f.n * f.batch), row(e, f.n * f.batch));
}

template <typename T>
void sums(const LogMatmul<T>& f, const T* e, T* s, std::int64_t lds) {
  gemm(Gemm<T>{.m = f.m,
               .n = f.batch,
               .k = f.n,
               .a = f.a,
               .lda = f.n,
               .b = e,
               .ldb = f.batch,
               .c = s,
               .ldc = lds},
       f.product);
}

template <typename T>
void forward(const LogMatmul<T>& f) {
  T *const c = f.workspace, *const e = c + f.batch;
  shifted_exponentials(f, c, e);
  sums(f, e, f.y, f.ldy);
  for (std::int64_t j = 0; j < f.m; ++j) {
    T* const y = f.y + j * f.ldy;
    vec::log(row<const T>(y, f.batch), row(y, f.batch));
    for (std::int64_t b = 0; b < f.batch; ++b) y[b] += c[b];
  }
}

template <typename T>
void backward(const LogMatmul<T>& f) {
  T *const c = f.workspace, *const e = c + f.batch;
  T *const r = e + f.n * f.batch, *const back = r + f.m * f.batch;
  shifted_exponentials(f, c, e);
  sums(f, e, r, f.batch);
  for (std::int64_t j = 0; j < f.m; ++j)
    for (std::int64_t b = 0; b < f.batch; ++b) {
      T& s = r[j * f.batch + b];
      // Under the smallest normal number the quotient could overflow: no flow, as for s = 0.
      s = s < std::numeric_limits<T>::min() ? T(0) : f.dy[j * f.ldy + b] / s;
    }
  gemm(Gemm<T>{.trans_a = Trans::yes,
               .m = f.n,
               .n = f.batch,
               .k = f.m,
               .a = f.a,
               .lda = f.n,
               .b = r,
               .ldb = f.batch,
               .c = back,
               .ldc = f.batch},
       f.product);
  for (std::int64_t i = 0; i < f.n; ++i)
    for (std::int64_t b = 0; b < f.batch; ++b)
      f.dx[i * f.ldx + b] = e[i * f.batch + b] * back[i * f.batch + b];
  if (f.da == nullptr) return;
  gemm(Gemm<T>{.trans_b = Trans::yes,
               .m = f.m,
               .n = f.n,
               .k = f.batch,
               .a = r,
               .lda = f.batch,
               .b = e,
               .ldb = f.batch,
               .c = f.da,
               .ldc = f.n,
               .beta = 1},
       f.product);
}

template <typename T>
void counts_of(std::span<const T> a, std::span<const T> da, std::span<T> counts) {
  LOGPX_ASSERT(a.size() == da.size() && a.size() == counts.size());
  for (std::size_t i = 0; i < a.size(); ++i) counts[i] = a[i] == T(0) ? T(0) : a[i] * da[i];
}

// One layer: where its weights and its values begin, counted in edges and in nodes of all levels.
struct Layer {
  std::int64_t m = 0, n = 0, blocks = 0, edge = 0, node = 0;
  [[nodiscard]] std::int64_t inputs() const { return n * blocks; }
  [[nodiscard]] std::int64_t outputs() const { return m * blocks; }
};

Layer first_layer(std::span<const MonarchFactor> factors) {
  LOGPX_ASSERT(!factors.empty());
  Layer layer{.m = factors[0].m, .n = factors[0].n, .blocks = 1};
  for (const MonarchFactor& factor : factors.subspan(1)) layer.blocks *= factor.n;
  return layer;
}

Layer after(const Layer& last, const MonarchFactor& factor) {
  return {.m = factor.m,
          .n = factor.n,
          .blocks = last.outputs() / factor.n,
          .edge = last.edge + last.m * last.inputs(),
          .node = last.node + last.outputs()};
}

Layer before(const Layer& next, const MonarchFactor& factor) {
  const std::int64_t blocks = next.inputs() / factor.m;
  return {.m = factor.m,
          .n = factor.n,
          .blocks = blocks,
          .edge = next.edge - factor.m * factor.n * blocks,
          .node = next.node - factor.m * blocks};
}

Layer last_layer(std::span<const MonarchFactor> factors) {
  Layer layer = first_layer(factors);
  for (const MonarchFactor& factor : factors.subspan(1)) layer = after(layer, factor);
  return layer;
}

// Block r of a layer: input rows r, R + r, 2R + r, .., output rows r m, r m + 1, ..
template <typename T>
LogMatmul<T> block_of(const LogMonarch<T>& f, const Layer& layer, std::int64_t r) {
  const T* const x = layer.node == 0 ? f.x : f.y + (layer.node - layer.inputs()) * f.batch;
  return {.m = layer.m,
          .n = layer.n,
          .batch = f.batch,
          .a = f.a + layer.edge + r * layer.m * layer.n,
          .x = x + r * f.batch,
          .ldx = layer.blocks * f.batch,
          .ldy = f.batch,
          .workspace = f.workspace,
          .product = f.product};
}

template <typename T>
void forward(const LogMonarch<T>& f) {
  Layer layer = first_layer(f.factors);
  for (std::size_t t = 0; t < f.factors.size(); ++t) {
    if (t > 0) layer = after(layer, f.factors[t]);
    for (std::int64_t r = 0; r < layer.blocks; ++r) {
      LogMatmul<T> block = block_of(f, layer, r);
      block.y = f.y + (layer.node + r * layer.m) * f.batch;
      forward(block);
    }
  }
}

std::int64_t widest(std::span<const MonarchFactor> factors) {
  Layer layer = first_layer(factors);
  std::int64_t nodes = layer.outputs();
  for (const MonarchFactor& factor : factors.subspan(1)) {
    layer = after(layer, factor);
    nodes = std::max(nodes, layer.outputs());
  }
  return nodes;
}

std::int64_t block_workspace(std::span<const MonarchFactor> factors, std::int64_t batch) {
  std::int64_t most = 0;
  for (const MonarchFactor& factor : factors)
    most = std::max(most, log_matmul_workspace(factor.m, factor.n, batch));
  return most;
}

// Two buffers after the blocks' workspace take turns as a layer's dy and dx.
template <typename T>
void backward(const LogMonarch<T>& f) {
  T* to = f.workspace + block_workspace(f.factors, f.batch);
  T* other = to + widest(f.factors) * f.batch;
  const T* dy = f.dy;
  Layer layer = last_layer(f.factors);
  for (std::size_t t = f.factors.size(); t-- > 0;) {
    T* const dx = t == 0 ? f.dx : to;
    for (std::int64_t r = 0; r < layer.blocks; ++r) {
      LogMatmul<T> block = block_of(f, layer, r);
      block.dy = dy + r * layer.m * f.batch;
      block.dx = dx + r * f.batch;
      if (f.da != nullptr) block.da = f.da + layer.edge + r * layer.m * layer.n;
      backward(block);
    }
    if (t > 0) layer = before(layer, f.factors[t - 1]);
    dy = dx;
    std::swap(to, other);
  }
}

}  // namespace

void log_matmul(const LogMatmul<float>& call) { forward(call); }
void log_matmul(const LogMatmul<double>& call) { forward(call); }
void log_matmul_backward(const LogMatmul<float>& call) { backward(call); }
void log_matmul_backward(const LogMatmul<double>& call) { backward(call); }

void expected_counts(std::span<const float> a, std::span<const float> da, std::span<float> counts) {
  counts_of(a, da, counts);
}
void expected_counts(std::span<const double> a, std::span<const double> da,
                     std::span<double> counts) {
  counts_of(a, da, counts);
}

std::int64_t monarch_edges(std::span<const MonarchFactor> factors) {
  const Layer last = last_layer(factors);
  return last.edge + last.m * last.inputs();
}
std::int64_t monarch_nodes(std::span<const MonarchFactor> factors) {
  const Layer last = last_layer(factors);
  return last.node + last.outputs();
}
std::int64_t monarch_workspace(std::span<const MonarchFactor> factors, std::int64_t batch) {
  return block_workspace(factors, batch) + 2 * widest(factors) * batch;
}

void log_monarch(const LogMonarch<float>& call) { forward(call); }
void log_monarch(const LogMonarch<double>& call) { forward(call); }
void log_monarch_backward(const LogMonarch<float>& call) { backward(call); }
void log_monarch_backward(const LogMonarch<double>& call) { backward(call); }

}  // namespace logpx
