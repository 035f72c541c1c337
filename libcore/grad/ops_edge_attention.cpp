#include "libcore/grad/ops_attention.hpp"
#include "libcore/grad/shape_rule.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>

namespace logpx {
namespace {

struct EdgeScoresOp final : TypedOp<EdgeScoresOp> {
  EdgeScoresOp(std::int64_t heads, double scale) : heads_(heads), scale_(scale) {}

  const char* name() const override { return "edge_scores"; }

  Shape infer(std::span<const Shape> in) const override {
    const Shape &q = in[0], &k = in[1];
    expect_fit(q.rank() == 3 && k.rank() == 3 && q[0] == k[0] && q[2] == k[2], in,
               "queries and keys do not go together");
    expect_fit(heads_ >= 1 && q[2] % heads_ == 0, in,
               std::to_string(heads_) + " heads do not divide the channels");
    const Shape out{q[0], q[1], k[1], heads_};
    expect_fit(in[2] == out && in[3] == out, in, "edge features must be " + out.text());
    return out;
  }

  Keeps keeps() const override { return {.inputs = 0b0111}; }

  double flops(std::span<const Shape> in, const Shape& out) const override {
    return static_cast<double>(out.rows()) * static_cast<double>(2 * in[0][2] + 3 * heads_);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const T *factor = f.in(2).data, *bias = f.in(3).data;
    T* to = f.output;
    for_each_pair(f, [&](std::int64_t q_row, std::int64_t k_row, std::int64_t pair) {
      const std::int64_t at = pair * heads_;
      for (std::int64_t h = 0; h < heads_; ++h)
        to[at + h] = dot(f, q_row, k_row, h) * (1 + factor[at + h]) + bias[at + h];
    });
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const T *q = f.in(0).data, *k = f.in(1).data, *factor = f.in(2).data, *up = f.output_gradient;
    f.add_gradient(3, [&](std::int64_t e) { return up[e]; });
    T* const dq = f.wants(0) ? f.begin_gradient(0) : nullptr;
    T* const dk = f.wants(1) ? f.begin_gradient(1) : nullptr;
    T* const dfactor = f.wants(2) ? f.begin_gradient(2) : nullptr;
    const std::int64_t width = channels(f) / heads_;
    for_each_pair(f, [&](std::int64_t q_row, std::int64_t k_row, std::int64_t pair) {
      for (std::int64_t h = 0; h < heads_; ++h) {
        const std::int64_t at = pair * heads_ + h;
        if (dfactor != nullptr) dfactor[at] += up[at] * dot(f, q_row, k_row, h);
        const T weight = up[at] * (1 + factor[at]) * static_cast<T>(scale_);
        for (std::int64_t c = h * width; c < (h + 1) * width; ++c) {
          if (dq != nullptr) dq[q_row + c] += weight * k[k_row + c];
          if (dk != nullptr) dk[k_row + c] += weight * q[q_row + c];
        }
      }
    });
  }

 private:
  template <typename T>
  static std::int64_t channels(const Frame<T>& f) {
    return f.inputs[0].shape[2];
  }

  template <typename T>
  T dot(const Frame<T>& f, std::int64_t q_row, std::int64_t k_row, std::int64_t h) const {
    const auto* q = static_cast<const T*>(f.inputs[0].data) + q_row;
    const auto* k = static_cast<const T*>(f.inputs[1].data) + k_row;
    const std::int64_t width = channels(f) / heads_;
    T sum = 0;
    for (std::int64_t c = h * width; c < (h + 1) * width; ++c) sum += q[c] * k[c];
    return sum * static_cast<T>(scale_);
  }

  // visit(first element of the query's row, of the key's row, number of the pair)
  template <typename T, typename Visit>
  static void for_each_pair(const Frame<T>& f, Visit visit) {
    const std::int64_t batch = f.output_shape[0], queries = f.output_shape[1],
                       keys = f.output_shape[2], width = channels(f);
    std::int64_t pair = 0;
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t i = 0; i < queries; ++i)
        for (std::int64_t j = 0; j < keys; ++j)
          visit((b * queries + i) * width, (b * keys + j) * width, pair++);
  }

  std::int64_t heads_;
  double scale_;
};

struct EdgeAttention final : TypedOp<EdgeAttention> {
  explicit EdgeAttention(Probabilities kept) : kept_(kept) {}

  const char* name() const override { return "edge_attention"; }

  Shape infer(std::span<const Shape> in) const override {
    const Shape &s = in[0], &v = in[1];
    expect_fit(s.rank() == 4 && v.rank() == 3 && s[0] == v[0] && s[2] == v[1], in,
               "scores and values do not go together");
    expect_fit(v[2] % s[3] == 0, in, std::to_string(s[3]) + " heads do not divide the channels");
    expect_fit(in[2] == Shape{v[0], v[1]}, in, "the key mask must be " + Shape{v[0], v[1]}.text());
    return {s[0], s[1], v[2]};
  }

  Keeps keeps() const override { return {.inputs = recomputes() ? 0b111u : 0b010u}; }

  // A row of probabilities, one of their gradients, and a sum in double per head.
  Scratch scratch(std::span<const Shape> in, const Shape&) const override {
    const std::int64_t row = in[0][2] * in[0][3];
    return {.saved = recomputes() ? 0 : in[0].elements(), .workspace = 2 * row + 3 * in[0][3] + 16};
  }

  double flops(std::span<const Shape> in, const Shape&) const override {
    return static_cast<double>(in[0][0] * in[0][1] * in[0][2]) *
           static_cast<double>(2 * in[1][2] + 8 * in[0][3]);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const T* const v = f.in(1).data;
    for_each_row(f, [&](const Row<T>& row) {
      softmax(f, row);
      std::fill_n(f.output + row.out, row.channels, T(0));
      for (std::int64_t j = 0; j < row.keys; ++j)
        for_each_channel(row, [&](std::int64_t h, std::int64_t c) {
          f.output[row.out + c] += row.p[j * row.heads + h] * v[row.value(j) + c];
        });
    });
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    LOGPX_ASSERT(!f.wants(2));
    const T* const v = f.in(1).data;
    T* const ds = f.wants(0) ? f.begin_gradient(0) : nullptr;
    T* const dv = f.wants(1) ? f.begin_gradient(1) : nullptr;
    for_each_row(f, [&](const Row<T>& row) {
      if (recomputes()) softmax(f, row);
      const T* const up = f.output_gradient + row.out;
      if (dv != nullptr)
        for (std::int64_t j = 0; j < row.keys; ++j)
          for_each_channel(row, [&](std::int64_t h, std::int64_t c) {
            dv[row.value(j) + c] += row.p[j * row.heads + h] * up[c];
          });
      if (ds != nullptr) backward_scores(row, up, v, ds);
    });
  }

 private:
  // One query of one example: probabilities [M,H] and where its operands begin.
  template <typename T>
  struct Row {
    std::int64_t keys, heads, channels, width;  // width: channels per head
    std::int64_t scores, out, first_value;
    const T* mask;
    T *p, *dp, *top;
    double* sums;
    [[nodiscard]] std::int64_t value(std::int64_t j) const { return first_value + j * channels; }
  };

  [[nodiscard]] bool recomputes() const { return kept_ == Probabilities::recomputed; }

  // visit(head, channel)
  template <typename T, typename Visit>
  static void for_each_channel(const Row<T>& row, Visit visit) {
    for (std::int64_t h = 0, c = 0; h < row.heads; ++h)
      for (std::int64_t end = c + row.width; c < end; ++c) visit(h, c);
  }

  template <typename T>
  static void softmax(const Frame<T>& f, const Row<T>& row) {
    const std::int64_t heads = row.heads;
    const auto* scores = static_cast<const T*>(f.inputs[0].data) + row.scores;
    bool any = false;
    for (std::int64_t j = 0; j < row.keys; ++j) {
      if (row.mask[j] == T(0)) continue;
      for (std::int64_t h = 0; h < heads; ++h)
        row.top[h] = any ? std::max(row.top[h], scores[j * heads + h]) : scores[j * heads + h];
      any = true;
    }
    std::fill_n(row.p, row.keys * heads, T(0));
    if (!any) return;
    std::fill_n(row.sums, heads, 0.0);
    for (std::int64_t j = 0; j < row.keys; ++j) {
      if (row.mask[j] == T(0)) continue;
      T* const p = row.p + j * heads;
      for (std::int64_t h = 0; h < heads; ++h) p[h] = scores[j * heads + h] - row.top[h];
      const std::span<T> all(p, static_cast<std::size_t>(heads));
      vec::exp(all, all);
      for (std::int64_t h = 0; h < heads; ++h) row.sums[h] += static_cast<double>(p[h]);
    }
    for (std::int64_t j = 0; j < row.keys; ++j)
      for (std::int64_t h = 0; h < heads; ++h)
        row.p[j * heads + h] =
            static_cast<T>(static_cast<double>(row.p[j * heads + h]) / row.sums[h]);
  }

  // dp = upstream . v per head; ds = p (dp - sum over keys of dp p).
  template <typename T>
  static void backward_scores(const Row<T>& row, const T* up, const T* v, T* ds) {
    const std::int64_t heads = row.heads;
    std::fill_n(row.dp, row.keys * heads, T(0));
    std::fill_n(row.sums, heads, 0.0);
    for (std::int64_t j = 0; j < row.keys; ++j) {
      T* const dp = row.dp + j * heads;
      for_each_channel(
          row, [&](std::int64_t h, std::int64_t c) { dp[h] += up[c] * v[row.value(j) + c]; });
      for (std::int64_t h = 0; h < heads; ++h)
        row.sums[h] += static_cast<double>(dp[h]) * static_cast<double>(row.p[j * heads + h]);
    }
    for (std::int64_t j = 0; j < row.keys; ++j)
      for (std::int64_t h = 0; h < heads; ++h) {
        const std::int64_t at = j * heads + h;
        ds[row.scores + at] += row.p[at] * (row.dp[at] - static_cast<T>(row.sums[h]));
      }
  }

  template <typename T, typename Visit>
  void for_each_row(const Frame<T>& f, Visit visit) const {
    const Shape s = f.inputs[0].shape, v = f.inputs[1].shape;
    Row<T> row{};
    row.keys = s[2];
    row.heads = s[3];
    row.channels = v[2];
    row.width = v[2] / s[3];
    const std::int64_t pairs = row.keys * row.heads;
    // The doubles come first: the workspace is aligned there.
    row.sums = reinterpret_cast<double*>(f.workspace());
    T* const free = f.workspace() + (2 * row.heads + 15) / 16 * 16;
    row.dp = free;
    row.p = free + pairs;
    for (std::int64_t n = 0; n < s[0] * s[1]; ++n) {
      row.scores = n * pairs;
      row.out = n * row.channels;
      row.first_value = n / s[1] * row.keys * row.channels;
      row.mask = static_cast<const T*>(f.inputs[2].data) + n / s[1] * row.keys;
      if (!recomputes()) row.p = f.saved() + n * pairs;
      row.top = free + 2 * pairs;
      visit(row);
    }
  }

  Probabilities kept_;
};

}  // namespace

Var edge_scores(const EdgeScores& call) {
  return call.q.graph().apply(std::make_unique<EdgeScoresOp>(call.heads, call.scale),
                              {call.q, call.k, call.edge_factor, call.edge_bias});
}

Var edge_attention(Var scores, Var v, Var key_mask, Probabilities probabilities) {
  return scores.graph().apply(std::make_unique<EdgeAttention>(probabilities),
                              {scores, v, key_mask});
}

}  // namespace logpx
