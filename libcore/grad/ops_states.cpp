#include "libcore/grad/ops_states.hpp"

#include "libcore/grad/activation.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_norm.hpp"
#include "libcore/grad/softmax_row.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace logpx {
namespace {

// The places of inputs: a weight stands before its bias.
struct StatesIn {
  enum { first, query, key = 3, value = 5, next = 7, scale = 9, shift, added };
};

struct StatesExtent {
  std::int64_t rows, count, width;  // B, N, C

  [[nodiscard]] std::int64_t states() const { return rows * count * width; }
  [[nodiscard]] std::int64_t pairs() const { return count * (count - 1) / 2; }  // of one row
};

// What forward leaves to backward.
template <typename T>
struct SavedStates {
  SavedStates(T* memory, const StatesExtent& e)
      : query(memory),
        key(query + e.states()),
        value(key + e.states()),
        seen(value + e.states()),
        centred(seen + e.states()),
        inverse(centred + e.states()),
        chances(inverse + e.rows * e.count) {}
  static std::int64_t size(const StatesExtent& e) {
    return 5 * e.states() + e.rows * e.count + e.rows * e.pairs();
  }
  T *query, *key, *value;  // [B,N,C]
  T* seen;                 // s + attention
  T* centred;              // the normalised numbers, before scale and shift
  T* inverse;              // [B,N]: 1 / their deviation
  T* chances;              // [B, N (N - 1) / 2]: of every state, those that it looks at
};

// One step of all rows: products with a matrix [C,C], and what attention sees.
template <typename T>
class StateWalk {
 public:
  StateWalk(const Frame<T>& f, const StatesExtent& e) : f_(f), e_(e), saved_(f.saved(), e) {}

  void forward() const {
    for (std::int64_t b = 0; b < e_.rows; ++b)
      std::copy_n(f_.in(StatesIn::first).data + b * e_.width, e_.width, f_.output + place(b, 0));
    for (std::int64_t t = 0; t + 1 < e_.count; ++t) {
      apply(StatesIn::query, f_.output, t, saved_.query);
      apply(StatesIn::key, f_.output, t, saved_.key);
      apply(StatesIn::value, f_.output, t, saved_.value);
      for (std::int64_t b = 0; b < e_.rows; ++b) look(b, t);
      apply(StatesIn::next, saved_.seen, t, saved_.centred);
      for (std::int64_t b = 0; b < e_.rows; ++b) step(b, t);
    }
    for (std::int64_t b = 0; b < e_.rows; ++b)  // nothing follows the last
      for (T* const to : {saved_.seen, saved_.centred})
        std::fill_n(to + place(b, e_.count - 1), e_.width, T(0));
  }

  void backward() const {
    T* const by_state = f_.workspace();
    T* const by_query = by_state + e_.states();
    T* const by_key = by_query + e_.states();
    T* const by_value = by_key + e_.states();
    T* const by_next = by_value + e_.states();
    T* const by_seen = by_next + e_.states();
    T* const by_norm = by_seen + e_.states();
    std::copy_n(f_.output_gradient, e_.states(), by_state);
    std::fill_n(by_query, 6 * e_.states(), T(0));
    for (std::int64_t t = e_.count - 1; t-- > 0;) {
      for (std::int64_t b = 0; b < e_.rows; ++b)
        step_back(place(b, t), by_state + place(b, t + 1), by_norm, by_next);
      go_back(StatesIn::next, by_next, t, by_seen);
      for (std::int64_t b = 0; b < e_.rows; ++b) {
        look_back(b, t, {by_seen + place(b, t), by_query, by_key, by_value});
        for (std::int64_t c = 0; c < e_.width; ++c)
          by_state[place(b, t) + c] += by_seen[place(b, t) + c];
      }
      go_back(StatesIn::query, by_query, t, by_state);
      go_back(StatesIn::key, by_key, t, by_state);
      go_back(StatesIn::value, by_value, t, by_state);
    }
    layer_gradient(StatesIn::query, f_.output, by_query);
    layer_gradient(StatesIn::key, f_.output, by_key);
    layer_gradient(StatesIn::value, f_.output, by_value);
    layer_gradient(StatesIn::next, saved_.seen, by_next);
    add_columns(StatesIn::scale, [&](std::int64_t i) { return by_norm[i] * saved_.centred[i]; });
    add_columns(StatesIn::shift, [&](std::int64_t i) { return by_norm[i]; });
    input_gradients(by_state);
  }

 private:
  // Where state t of row b begins.
  [[nodiscard]] std::int64_t place(std::int64_t b, std::int64_t t) const {
    return (b * e_.count + t) * e_.width;
  }
  [[nodiscard]] std::int64_t stride() const { return e_.count * e_.width; }
  [[nodiscard]] T* chances_of(std::int64_t b, std::int64_t t) const {
    return saved_.chances + b * e_.pairs() + t * (t + 1) / 2;
  }
  [[nodiscard]] T sharpness() const {
    return static_cast<T>(1 / std::sqrt(static_cast<double>(e_.width)));
  }

  // y_t = x_t w + b, all rows.
  void apply(int layer, const T* x, std::int64_t t, T* y) const {
    for (std::int64_t b = 0; b < e_.rows; ++b)
      std::copy_n(f_.in(layer + 1).data, e_.width, y + place(b, t));
    add_step_product(layer, Trans::no, x + place(0, t), y + place(0, t));
  }
  // dx_t += dy_t w'
  void go_back(int layer, const T* by_y, std::int64_t t, T* by_x) const {
    add_step_product(layer, Trans::yes, by_y + place(0, t), by_x + place(0, t));
  }
  // Adds the product of one step of all rows with a layer's matrix.
  void add_step_product(int layer, Trans trans, const T* from, T* to) const {
    gemm(Gemm<T>{.trans_b = trans,
                 .m = e_.rows,
                 .n = e_.width,
                 .k = e_.width,
                 .a = from,
                 .lda = stride(),
                 .b = f_.in(layer).data,
                 .ldb = e_.width,
                 .c = to,
                 .ldc = stride(),
                 .beta = 1},
         f_.numerics.product);
  }

  // A product of a row vector [n] with a matrix [n,m] or, transposed, [m,n]; added to what is
  // there by `beta`.
  void row_product(const T* row, std::int64_t n, const T* matrix, Trans trans, T* to,
                   std::int64_t m, T alpha, T beta) const {
    gemm(Gemm<T>{.trans_b = trans,
                 .m = 1,
                 .n = m,
                 .k = n,
                 .a = row,
                 .lda = n,
                 .b = matrix,
                 .ldb = e_.width,
                 .c = to,
                 .ldc = m,
                 .alpha = alpha,
                 .beta = beta},
         f_.numerics.product);
  }

  // seen_t = s_t + attention(s_t; s_0..t)
  void look(std::int64_t b, std::int64_t t) const {
    T* const p = chances_of(b, t);
    row_product(saved_.query + place(b, t), e_.width, saved_.key + place(b, 0), Trans::yes, p,
                t + 1, sharpness(), 0);
    softmax_row<T>(std::span(p, static_cast<std::size_t>(t + 1)), nullptr);
    std::copy_n(f_.output + place(b, t), e_.width, saved_.seen + place(b, t));
    row_product(p, t + 1, saved_.value + place(b, 0), Trans::no, saved_.seen + place(b, t),
                e_.width, 1, 1);
  }
  struct LookGradient {
    const T* seen;  // of the step
    T *query, *key, *value;
  };
  void look_back(std::int64_t b, std::int64_t t, const LookGradient& by) const {
    const T* const p = chances_of(b, t);
    const std::int64_t here = place(b, t), start = place(b, 0), width = e_.width;
    static thread_local std::vector<T> memory;  // graphs run without allocations
    memory.resize(static_cast<std::size_t>(e_.count));
    const std::span<T> ds(memory.data(), static_cast<std::size_t>(t + 1));
    row_product(by.seen, width, saved_.value + start, Trans::yes, ds.data(), t + 1, 1, 0);
    softmax_row_backward(std::span<const T>(p, ds.size()), ds);
    for (T& d : ds) d *= sharpness();
    row_product(ds.data(), t + 1, saved_.key + start, Trans::no, by.query + here, width, 1, 0);
    for (std::int64_t j = 0; j <= t; ++j) {
      T *const by_key = by.key + start + j * width, *const by_value = by.value + start + j * width;
      const T* const query = saved_.query + here;
      const T d = ds[static_cast<std::size_t>(j)], chance = p[j];
      for (std::int64_t c = 0; c < width; ++c) {
        by_key[c] += d * query[c];
        by_value[c] += chance * by.seen[c];
      }
    }
  }

  // s_t+1 from seen_t, whose product lies where the normalised numbers are to be.
  void step(std::int64_t b, std::int64_t t) const {
    const auto n = static_cast<double>(e_.width);
    T* const x = saved_.centred + place(b, t);
    const T mean = static_cast<T>(row_sum(e_.width, [&](std::int64_t c) { return x[c]; }) / n);
    const double squares =
        row_sum(e_.width, [&](std::int64_t c) { return (x[c] - mean) * (x[c] - mean); });
    const T inverse = static_cast<T>(1 / std::sqrt(squares / n + NormOptions{}.eps));
    saved_.inverse[b * e_.count + t] = inverse;
    for (std::int64_t c = 0; c < e_.width; ++c) x[c] = (x[c] - mean) * inverse;
    const std::span<T> y(f_.output + place(b, t + 1), static_cast<std::size_t>(e_.width));
    scaled(x, y);
    activate(Activation::gelu_erf, std::span<const T>(y), y);
    if (!takes_more()) return;
    const T* const more = f_.in(StatesIn::added).data + place(b, t);
    for (std::size_t c = 0; c < y.size(); ++c) y[c] += more[c];
  }
  void scaled(const T* x, std::span<T> y) const {
    const T *const factor = f_.in(StatesIn::scale).data, *const term = f_.in(StatesIn::shift).data;
    for (std::size_t c = 0; c < y.size(); ++c) y[c] = x[c] * factor[c] + term[c];
  }
  // `here` is the place of the step; by_next gets the gradient before the norm.
  void step_back(std::int64_t here, const T* by_state, T* by_norm, T* by_next) const {
    const auto width = static_cast<std::size_t>(e_.width);
    const T* const x = saved_.centred + here;
    const std::span<T> dy(by_norm + here, width);
    scaled(x, dy);
    activation_backward(Activation::gelu_erf, std::span<const T>(dy),
                        std::span<const T>(by_state, width), dy);
    T* const dx = by_next + here;
    const T* const factor = f_.in(StatesIn::scale).data;
    for (std::size_t c = 0; c < width; ++c) dx[c] = dy[c] * factor[c];
    const auto n = static_cast<double>(e_.width);
    const T mean = static_cast<T>(row_sum(e_.width, [&](std::int64_t c) { return dx[c]; }) / n);
    const T slope =
        static_cast<T>(row_sum(e_.width, [&](std::int64_t c) { return dx[c] * x[c]; }) / n);
    const T inverse = saved_.inverse[here / e_.width];
    for (std::size_t c = 0; c < width; ++c) dx[c] = (dx[c] - mean - x[c] * slope) * inverse;
  }

  void layer_gradient(int layer, const T* x, const T* by_y) const {
    if (f_.wants(layer))
      gemm(Gemm<T>{.trans_a = Trans::yes,
                   .m = e_.width,
                   .n = e_.width,
                   .k = e_.rows * e_.count,
                   .a = x,
                   .lda = e_.width,
                   .b = by_y,
                   .ldb = e_.width,
                   .c = f_.gradient(layer),
                   .ldc = e_.width,
                   .beta = f_.beta(layer)},
           f_.numerics.product);
    add_columns(layer + 1, [&](std::int64_t i) { return by_y[i]; });
  }
  // The sum of each column of [B N, C].
  template <typename Value>
  void add_columns(int input, Value value) const {
    f_.add_gradient(input, [&](std::int64_t c) {
      return static_cast<T>(
          row_sum(e_.rows * e_.count, [&](std::int64_t row) { return value(row * e_.width + c); }));
    });
  }
  void input_gradients(const T* by_state) const {
    f_.add_gradient(StatesIn::first, [&](std::int64_t i) {
      return by_state[place(i / e_.width, 0) + i % e_.width];
    });
    if (!takes_more()) return;
    f_.add_gradient(StatesIn::added, [&](std::int64_t i) {
      const bool last = i / e_.width % e_.count == e_.count - 1;
      return last ? T(0) : by_state[i + e_.width];
    });
  }
  [[nodiscard]] bool takes_more() const { return f_.inputs.size() > StatesIn::added; }

  const Frame<T>& f_;
  StatesExtent e_;
  SavedStates<T> saved_;
};

class AttentiveStates final : public TypedOp<AttentiveStates> {
 public:
  explicit AttentiveStates(std::int64_t count) : count_(count) {}
  const char* name() const override { return "attentive_states"; }

  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[StatesIn::first].rank() == 2 && count_ >= 1, in, "the first state is [B,C]");
    const std::int64_t width = in[StatesIn::first][1];
    for (int layer = StatesIn::query; layer <= StatesIn::next; layer += 2) {
      const auto place = static_cast<std::size_t>(layer);
      expect_fit(in[place] == Shape{width, width} && in[place + 1] == Shape{width}, in,
                 "layers go from the width of a state to the same");
    }
    expect_fit(in[StatesIn::scale] == Shape{width} && in[StatesIn::shift] == Shape{width}, in,
               "scale and shift have the width of a state");
    const Shape all{in[StatesIn::first][0], count_, width};
    expect_fit(in.size() <= StatesIn::added || in[StatesIn::added] == all, in,
               "what is added must be " + all.text());
    return all;
  }

  Keeps keeps() const override {
    const auto bit = [](int input) { return 1U << static_cast<unsigned>(input); };
    return {.inputs = bit(StatesIn::query) | bit(StatesIn::key) | bit(StatesIn::value) |
                      bit(StatesIn::next) | bit(StatesIn::scale) | bit(StatesIn::shift),
            .output = true};
  }
  Scratch scratch(std::span<const Shape>, const Shape& output, const Numerics&) const override {
    const StatesExtent e = extent(output);
    return {.saved = SavedStates<float>::size(e), .workspace = 7 * e.states()};
  }
  double flops(std::span<const Shape>, const Shape& output) const override {
    const auto width = static_cast<double>(output[2]);
    return static_cast<double>(output.elements()) *
           (8 * width + 2 * static_cast<double>(count_) + 20);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    StateWalk<T>(f, extent(f.output_shape)).forward();
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    StateWalk<T>(f, extent(f.output_shape)).backward();
  }

 private:
  static StatesExtent extent(const Shape& output) { return {output[0], output[1], output[2]}; }
  std::int64_t count_;
};

}  // namespace

Var attentive_states(Var first_state, const StateSteps& steps) {
  std::vector<Var> inputs = {first_state};
  for (const StateSteps::Layer& layer : {steps.query, steps.key, steps.value, steps.next}) {
    inputs.push_back(layer.w);
    inputs.push_back(layer.b);
  }
  inputs.push_back(steps.scale);
  inputs.push_back(steps.shift);
  if (steps.added) inputs.push_back(*steps.added);
  return first_state.graph().apply(std::make_unique<AttentiveStates>(steps.count), inputs);
}

}  // namespace logpx
