#include "libcore/grad/ops_attention.hpp"
#include "libcore/grad/shape_rule.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <limits>

namespace logpx {
namespace {

class EdgeScoresOp final : public TypedOp<EdgeScoresOp> {
 public:
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

  Scratch scratch(std::span<const Shape>, const Shape&, const Numerics&) const override {
    return {.workspace = heads_};
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const T *factor = f.in(2).data, *bias = f.in(3).data;
    for_each_pair(f, [&](const Pair<T>& pair) {
      T* const to = f.output + pair.out;
      dots(pair, to);
      for (std::int64_t h = 0; h < heads_; ++h)
        to[h] = to[h] * (1 + factor[pair.out + h]) + bias[pair.out + h];
    });
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const T *factor = f.in(2).data, *upstream = f.output_gradient;
    f.add_gradient(3, [&](std::int64_t e) { return upstream[e]; });
    T* const dq = f.wants(0) ? f.begin_gradient(0) : nullptr;
    T* const dk = f.wants(1) ? f.begin_gradient(1) : nullptr;
    T* const dfactor = f.wants(2) ? f.begin_gradient(2) : nullptr;
    T* const row = f.workspace();
    for_each_pair(f, [&](const Pair<T>& pair) {
      const T* const up = upstream + pair.out;
      if (dfactor != nullptr) {
        dots(pair, row);
        for (std::int64_t h = 0; h < heads_; ++h) dfactor[pair.out + h] += up[h] * row[h];
      }
      for (std::int64_t h = 0; h < heads_; ++h)
        row[h] = up[h] * (1 + factor[pair.out + h]) * static_cast<T>(scale_);
      if (dq != nullptr) add_weighted(row, pair.k, pair.width, dq + pair.q_row);
      if (dk != nullptr) add_weighted(row, pair.q, pair.width, dk + pair.k_row);
    });
  }

 private:
  // A query and a key: their channels, and where their rows and their scores begin.
  template <typename T>
  struct Pair {
    const T *q, *k;
    std::int64_t q_row, k_row, out, width;  // width: channels per head
  };

  // to[h] = scale q . k of head h
  template <typename T>
  void dots(const Pair<T>& pair, T* to) const {
    for (std::int64_t h = 0, c = 0; h < heads_; ++h) {
      T sum = 0;
      for (std::int64_t end = c + pair.width; c < end; ++c) sum += pair.q[c] * pair.k[c];
      to[h] = sum * static_cast<T>(scale_);
    }
  }
  // to[c] += weight of c's head times from[c]
  template <typename T>
  void add_weighted(const T* weights, const T* from, std::int64_t width, T* to) const {
    for (std::int64_t h = 0, c = 0; h < heads_; ++h)
      for (std::int64_t end = c + width; c < end; ++c) to[c] += weights[h] * from[c];
  }

  template <typename T, typename Visit>
  void for_each_pair(const Frame<T>& f, Visit visit) const {
    const std::int64_t queries = f.output_shape[1], keys = f.output_shape[2],
                       channels = f.inputs[0].shape[2];
    const T *q = f.in(0).data, *k = f.in(1).data;
    Pair<T> pair{};
    pair.width = channels / heads_;
    for (std::int64_t row = 0; row < f.output_shape[0] * queries; ++row)
      for (std::int64_t j = 0; j < keys; ++j, pair.out += heads_) {
        pair.q_row = row * channels;
        pair.k_row = (row / queries * keys + j) * channels;
        pair.q = q + pair.q_row;
        pair.k = k + pair.k_row;
        visit(pair);
      }
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
  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
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
    const T nothing = -std::numeric_limits<T>::infinity();
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
      for (std::int64_t h = 0; h < heads; ++h)
        p[h] = row.top[h] == nothing ? nothing : scores[j * heads + h] - row.top[h];
      const std::span<T> all(p, static_cast<std::size_t>(heads));
      vec::exp(all, all);
      for (std::int64_t h = 0; h < heads; ++h) row.sums[h] += static_cast<double>(p[h]);
    }
    for (std::int64_t j = 0; j < row.keys; ++j)
      for (std::int64_t h = 0; h < heads; ++h)
        row.p[j * heads + h] =
            row.sums[h] == 0
                ? T(0)
                : static_cast<T>(static_cast<double>(row.p[j * heads + h]) / row.sums[h]);
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
