#include "libcore/grad/ops_attention.hpp"

#include "libcore/grad/axes.hpp"
#include "libcore/grad/softmax_row.hpp"
#include "libcore/math/blas.hpp"

#include <cmath>

namespace logpx {
namespace {

// One head of one example: matrices inside q, k, v and out, by pointer and row stride.
template <typename T>
struct Head {
  std::int64_t queries, keys, width, value_width;  // width: channels of q and k
  std::int64_t stride, value_stride;
  std::int64_t q_offset, k_offset, v_offset, out_offset;
  const T* mask;
  Product product;

  // scores [N,M] = scale q k^T
  void scores(const T* q, const T* k, T* to) const {
    gemm(Gemm<T>{.trans_b = Trans::yes,
                 .m = queries,
                 .n = keys,
                 .k = width,
                 .a = q + q_offset,
                 .lda = stride,
                 .b = k + k_offset,
                 .ldb = stride,
                 .c = to,
                 .ldc = keys,
                 .alpha = scale()},
         product);
  }
  void probabilities(const T* q, const T* k, T* to) const {
    scores(q, k, to);
    for (std::int64_t i = 0; i < queries; ++i)
      softmax_row(std::span(to + i * keys, static_cast<std::size_t>(keys)), mask);
  }
  [[nodiscard]] T scale() const {
    return static_cast<T>(1 / std::sqrt(static_cast<double>(width)));
  }
};

struct Attention final : TypedOp<Attention> {
  Attention(AttentionOptions options, bool masked) : options_(options), masked_(masked) {}

  const char* name() const override { return "attention"; }

  Shape infer(std::span<const Shape> in) const override {
    const Shape &q = in[0], &k = in[1], &v = in[2];
    expect_fit(q.rank() == 3 && k.rank() == 3 && v.rank() == 3, in,
               "queries, keys and values are [B,N,C]");
    expect_fit(q[0] == k[0] && k[0] == v[0] && q[2] == k[2] && k[1] == v[1], in,
               "queries, keys and values do not go together");
    const std::int64_t heads = options_.heads;
    expect_fit(heads >= 1 && q[2] % heads == 0 && v[2] % heads == 0, in,
               std::to_string(heads) + " heads do not divide the channels");
    if (masked_)
      expect_fit(in[3] == Shape{k[0], k[1]}, in,
                 "the key mask must be " + Shape{k[0], k[1]}.text());
    return {q[0], q[1], v[2]};
  }

  Keeps keeps() const override { return {.inputs = recomputes() && masked_ ? 0b1111u : 0b0111u}; }

  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    const std::int64_t matrix = in[0][1] * in[1][1];
    if (recomputes()) return {.workspace = 2 * matrix};
    return {.saved = in[0][0] * options_.heads * matrix, .workspace = matrix};
  }

  double flops(std::span<const Shape> in, const Shape&) const override {
    const double pairs = static_cast<double>(in[0][0] * in[0][1] * in[1][1]);
    return 2 * pairs * static_cast<double>(in[0][2] + in[2][2]);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    for_each_head(f, [&](const Head<T>& head, T* p) {
      head.probabilities(f.in(0).data, f.in(1).data, p);
      gemm(Gemm<T>{.m = head.queries,
                   .n = head.value_width,
                   .k = head.keys,
                   .a = p,
                   .lda = head.keys,
                   .b = f.in(2).data + head.v_offset,
                   .ldb = head.value_stride,
                   .c = f.output + head.out_offset,
                   .ldc = head.value_stride},
           head.product);
    });
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    LOGPX_ASSERT(!masked_ || !f.wants(3));
    for_each_head(f, [&](const Head<T>& head, T* p) {
      if (recomputes()) head.probabilities(f.in(0).data, f.in(1).data, p);
      const T* const upstream = f.output_gradient + head.out_offset;
      if (f.wants(2))
        gemm(Gemm<T>{.trans_a = Trans::yes,
                     .m = head.keys,
                     .n = head.value_width,
                     .k = head.queries,
                     .a = p,
                     .lda = head.keys,
                     .b = upstream,
                     .ldb = head.value_stride,
                     .c = f.gradient(2) + head.v_offset,
                     .ldc = head.value_stride,
                     .beta = f.beta(2)},
             head.product);
      if (f.wants(0) || f.wants(1)) backward_scores(f, head, p);
    });
  }

 private:
  [[nodiscard]] bool recomputes() const {
    return options_.probabilities == Probabilities::recomputed;
  }

  // ds = p (dp - <dp, p>), dp = upstream v^T; then dq = scale ds k and dk = scale ds^T q.
  template <typename T>
  void backward_scores(const Frame<T>& f, const Head<T>& head, const T* p) const {
    T* const ds = f.workspace() + (recomputes() ? head.queries * head.keys : 0);
    gemm(Gemm<T>{.trans_b = Trans::yes,
                 .m = head.queries,
                 .n = head.keys,
                 .k = head.value_width,
                 .a = f.output_gradient + head.out_offset,
                 .lda = head.value_stride,
                 .b = f.in(2).data + head.v_offset,
                 .ldb = head.value_stride,
                 .c = ds,
                 .ldc = head.keys},
         head.product);
    for (std::int64_t i = 0; i < head.queries; ++i) {
      const auto keys = static_cast<std::size_t>(head.keys);
      softmax_row_backward(std::span<const T>(p + i * head.keys, keys),
                           std::span(ds + i * head.keys, keys));
    }
    if (f.wants(0))
      gemm(Gemm<T>{.m = head.queries,
                   .n = head.width,
                   .k = head.keys,
                   .a = ds,
                   .lda = head.keys,
                   .b = f.in(1).data + head.k_offset,
                   .ldb = head.stride,
                   .c = f.gradient(0) + head.q_offset,
                   .ldc = head.stride,
                   .alpha = head.scale(),
                   .beta = f.beta(0)},
           head.product);
    if (f.wants(1))
      gemm(Gemm<T>{.trans_a = Trans::yes,
                   .m = head.keys,
                   .n = head.width,
                   .k = head.queries,
                   .a = ds,
                   .lda = head.keys,
                   .b = f.in(0).data + head.q_offset,
                   .ldb = head.stride,
                   .c = f.gradient(1) + head.k_offset,
                   .ldc = head.stride,
                   .alpha = head.scale(),
                   .beta = f.beta(1)},
           head.product);
  }

  // visit(head, p): p is where this head's probabilities [N,M] lie.
  template <typename T, typename Visit>
  void for_each_head(const Frame<T>& f, Visit visit) const {
    const Shape q = f.inputs[0].shape, k = f.inputs[1].shape, v = f.inputs[2].shape;
    Head<T> head{};
    head.queries = q[1];
    head.keys = k[1];
    head.stride = q[2];
    head.value_stride = v[2];
    head.width = q[2] / options_.heads;
    head.value_width = v[2] / options_.heads;
    head.product = f.numerics.product;
    const T* const mask = masked_ ? static_cast<const T*>(f.inputs[3].data) : nullptr;
    T* p = recomputes() ? f.workspace() : f.saved();
    for (std::int64_t b = 0; b < q[0]; ++b)
      for (std::int64_t h = 0; h < options_.heads; ++h) {
        head.q_offset = b * q[1] * q[2] + h * head.width;
        head.k_offset = b * k[1] * k[2] + h * head.width;
        head.v_offset = b * v[1] * v[2] + h * head.value_width;
        head.out_offset = b * q[1] * v[2] + h * head.value_width;
        head.mask = mask == nullptr ? nullptr : mask + b * k[1];
        visit(head, p);
        if (!recomputes()) p += head.queries * head.keys;
      }
  }

  AttentionOptions options_;
  bool masked_;
};

}  // namespace

Var attention(Var q, Var k, Var v, AttentionOptions options) {
  return q.graph().apply(std::make_unique<Attention>(options, false), {q, k, v});
}

Var attention(Var q, Var k, Var v, Var key_mask, AttentionOptions options) {
  return q.graph().apply(std::make_unique<Attention>(options, true), {q, k, v, key_mask});
}

}  // namespace logpx
