// Scores of pairs of nodes, and attention by them.
#include "libcore/base/index.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/graph_kernels.hpp"
#include "libcore/grad/ops_graph.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <memory>

namespace logpx {
namespace {

// Slopes of input k from element `first` on, in rows of `width`; unwanted ones go to a row of the
// workspace.
template <typename T>
SlopeRows<T> slope_rows(const Frame<T>& f, int k, std::int64_t first, std::int64_t width,
                        T* unwanted) {
  if (!f.wants(k)) return {unwanted, 0};
  return {f.gradient(k) + first, static_cast<long>(width)};
}

struct EdgeScoresOp final : TypedOp<EdgeScoresOp> {
  explicit EdgeScoresOp(double s) : scale(s) {}
  double scale;

  const char* name() const override { return "edge_scores"; }

  Shape infer(std::span<const Shape> in) const override {
    const Shape &q = in[0], &k = in[1];
    expect_fit(q.rank() == 3 && k.rank() == 3 && q[0] == k[0] && q[2] == k[2], in,
               "queries and keys do not go together");
    const Shape gates{q[0], q[1], k[1], 2 * q[2]};
    expect_fit(in[2] == gates, in, "gates must be " + gates.text());
    return {q[0], q[1], k[1], q[2]};
  }

  Keeps keeps() const override { return {.inputs = 0b111}; }

  double flops(std::span<const Shape>, const Shape& out) const override {
    return 5 * static_cast<double>(out.elements());
  }

  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    return {.workspace = 4 * in[0][2]};
  }

  template <typename T>
  EdgeScoreCall<T> call_of(const Frame<T>& f, std::int64_t example) const {
    const Shape& out = f.output_shape;
    EdgeScoreCall<T> call{};
    call.queries = out[1];
    call.keys = out[2];
    call.channels = out[3];
    call.q = f.in(0).data + example * out[1] * out[3];
    call.k = f.in(1).data + example * out[2] * out[3];
    call.gates = f.in(2).data + example * 2 * out[1] * out[2] * out[3];
    call.scale = static_cast<T>(scale);
    return call;
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t size = f.out().size() / f.output_shape[0];
    for (std::int64_t b = 0; b < f.output_shape[0]; ++b) {
      EdgeScoreCall<T> call = call_of(f, b);
      call.scores = f.output + b * size;
      graph_kernels<T>().edge_scores(call);
    }
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const Shape& out = f.output_shape;
    const std::int64_t c = out[3], size = f.out().size() / out[0];
    for (const int k : {0, 1})
      if (f.wants(k)) (void)f.begin_gradient(k);
    for (std::int64_t b = 0; b < out[0]; ++b) {
      EdgeScoreCall<T> call = call_of(f, b);
      call.upstream = f.output_gradient + b * size;
      call.dq = slope_rows(f, 0, b * out[1] * c, c, f.workspace());
      call.dk = slope_rows(f, 1, b * out[2] * c, c, f.workspace() + c);
      call.dgates = slope_rows(f, 2, 2 * b * size, 2 * c, f.workspace() + 2 * c);
      call.adds_gates = f.wants(2) && f.accumulates(2);
      graph_kernels<T>().edge_score_slopes(call);
    }
  }
};

struct EdgeAttention final : TypedOp<EdgeAttention> {
  explicit EdgeAttention(Probabilities p) : kept(p) {}
  Probabilities kept;

  const char* name() const override { return "edge_attention"; }

  Shape infer(std::span<const Shape> in) const override {
    const Shape &s = in[0], &v = in[1];
    expect_fit(s.rank() == 4 && v.rank() == 3 && s[0] == v[0] && s[2] == v[1] && s[3] == v[2], in,
               "scores and values do not go together");
    expect_fit(in[2] == Shape{v[0], v[1]}, in, "the key mask must be " + Shape{v[0], v[1]}.text());
    return {s[0], s[1], v[2]};
  }

  [[nodiscard]] bool recomputes() const { return kept == Probabilities::recomputed; }

  Keeps keeps() const override {
    return {.inputs = recomputes() ? 0b111u : 0b010u, .output = true};
  }

  // Probabilities of an example, a row for each of three uses, and the results once more.
  Scratch scratch(std::span<const Shape> in, const Shape& out, const Numerics&) const override {
    const std::int64_t example = in[0].elements() / std::max<std::int64_t>(in[0][0], 1);
    return {.saved = recomputes() ? 0 : in[0].elements(),
            .workspace = (recomputes() ? example + out[1] * out[2] : 0) + 2 * in[0][3]};
  }

  double flops(std::span<const Shape> in, const Shape&) const override {
    return 10 * static_cast<double>(in[0].elements());
  }

  template <typename T>
  struct Places {
    T *p, *out, *row;
  };

  // Probabilities of example b, and the values' mean under them.
  template <typename T>
  static void forward_of(const Frame<T>& f, std::int64_t b, const Places<T>& places) {
    const Shape& s = f.inputs[0].shape;
    const std::int64_t size = s[1] * s[2] * s[3];
    KeyShiftCall<T> shift{};
    shift.queries = s[1];
    shift.keys = s[2];
    shift.channels = s[3];
    shift.scores = f.in(0).data + b * size;
    shift.mask = f.in(2).data + b * s[2];
    shift.p = places.p;
    shift.largest = places.row;
    graph_kernels<T>().shift_by_largest(shift);
    const std::span<T> all(places.p, at(size));
    vec::exp(all, all);
    KeyMeanCall<T> mean = mean_call(f, b, places.p);
    mean.out = places.out;
    mean.sums = places.row;
    graph_kernels<T>().mean_of_keys(mean);
  }

  template <typename T>
  static KeyMeanCall<T> mean_call(const Frame<T>& f, std::int64_t b, T* p) {
    const Shape& s = f.inputs[0].shape;
    KeyMeanCall<T> call{};
    call.queries = s[1];
    call.keys = s[2];
    call.channels = s[3];
    call.p = p;
    call.v = f.in(1).data + b * s[2] * s[3];
    return call;
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const Shape& s = f.inputs[0].shape;
    const std::int64_t size = s[1] * s[2] * s[3];
    for (std::int64_t b = 0; b < s[0]; ++b)
      forward_of(f, b,
                 {.p = recomputes() ? f.workspace() + 2 * s[3] : f.saved() + b * size,
                  .out = f.output + b * s[1] * s[3],
                  .row = f.workspace()});
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    LOGPX_ASSERT(!f.wants(2));
    const Shape& s = f.inputs[0].shape;
    const std::int64_t c = s[3], size = s[1] * s[2] * c;
    if (f.wants(1)) (void)f.begin_gradient(1);
    for (std::int64_t b = 0; b < s[0]; ++b) {
      T* p = f.saved() + b * size;
      if (recomputes()) {
        p = f.workspace() + 2 * c;
        forward_of(f, b, {.p = p, .out = p + size, .row = f.workspace()});
      }
      KeyMeanCall<T> call = mean_call(f, b, p);
      call.out = f.output + b * s[1] * c;
      call.upstream = f.output_gradient + b * s[1] * c;
      call.dscores = slope_rows(f, 0, b * size, c, f.workspace());
      call.dv = slope_rows(f, 1, b * s[2] * c, c, f.workspace() + c);
      call.adds_scores = f.wants(0) && f.accumulates(0);
      graph_kernels<T>().mean_of_keys_slopes(call);
    }
  }
};

}  // namespace

Var edge_scores(const EdgeScores& call) {
  return call.q.graph().apply(std::make_unique<EdgeScoresOp>(call.scale),
                              {call.q, call.k, call.gates});
}

Var edge_attention(Var scores, Var v, Var key_mask, Probabilities probabilities) {
  return scores.graph().apply(std::make_unique<EdgeAttention>(probabilities),
                              {scores, v, key_mask});
}

}  // namespace logpx
