// Draws through which gradients flow, and gates on gradients.
#include "libcore/grad/ops_sample.hpp"
#include "libcore/grad/row_function.hpp"

namespace logpx {
namespace {

struct Reparameterise {
  static constexpr const char* name = "reparameterise";
  static constexpr std::size_t operands = 3;  // mean, log_var, noise
  static constexpr bool in_double = false;
  template <typename C>
  static void deviation(std::span<const C> log_var, std::span<C> result) {
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = C(0.5) * log_var[i];
    vec::exp(result, result);
  }
  template <typename C>
  void value(const OperandBlock<C>& in, std::span<C> y) const {
    deviation(in[1], y);
    for (std::size_t i = 0; i < in.n; ++i) y[i] = in[0][i] + y[i] * in[2][i];
  }
  template <typename C>
  void slopes(const OperandBlock<C>& in, const OperandSlopes<C>& d) const {
    deviation(in[1], d[2]);
    for (std::size_t i = 0; i < in.n; ++i) {
      d[0][i] = 1;
      d[1][i] = C(0.5) * d[2][i] * in[2][i];
    }
  }
};

struct Dropout {
  static constexpr const char* name = "dropout";
  static constexpr std::size_t operands = 2;  // x, mask
  static constexpr bool in_double = false;
  double scale;
  template <typename C>
  void value(const OperandBlock<C>& in, std::span<C> y) const {
    for (std::size_t i = 0; i < in.n; ++i) y[i] = in[0][i] * in[1][i] * C(scale);
  }
  template <typename C>
  void slopes(const OperandBlock<C>& in, const OperandSlopes<C>& d) const {
    for (std::size_t i = 0; i < in.n; ++i) {
      d[0][i] = in[1][i] * C(scale);
      d[1][i] = 0;
    }
  }
};

// -log(-log u); slope -1 / (u log u)
struct Gumbel {
  static constexpr const char* name = "gumbel";
  static constexpr std::size_t operands = 1;
  static constexpr bool in_double = false;
  template <typename C>
  static void negative_log(std::span<const C> u, std::span<C> y) {
    vec::log(u, y);
    for (C& value : y) value = -value;
  }
  template <typename C>
  void value(const OperandBlock<C>& in, std::span<C> y) const {
    negative_log<C>(in[0], y);
    negative_log<C>(y, y);
  }
  template <typename C>
  void slopes(const OperandBlock<C>& in, const OperandSlopes<C>& d) const {
    negative_log<C>(in[0], d[0]);
    for (std::size_t i = 0; i < in.n; ++i) d[0][i] = 1 / (in[0][i] * d[0][i]);
  }
};

struct StopGradient final : TypedOp<StopGradient> {
  const char* name() const override { return "stop_gradient"; }
  Shape infer(std::span<const Shape> in) const override { return in[0]; }
  bool in_place() const override { return true; }
  bool differentiable() const override { return false; }
  template <typename T>
  void forward(const Frame<T>& f) const {
    if (f.output != f.in(0).data) std::copy_n(f.in(0).data, f.out().size(), f.output);
  }
  template <typename T>
  void backward(const Frame<T>&) const {}
};

struct StraightThrough final : TypedOp<StraightThrough> {
  const char* name() const override { return "straight_through"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0] == in[1], in, "hard and soft values differ in shape");
    return in[0];
  }
  bool in_place() const override { return true; }
  template <typename T>
  void forward(const Frame<T>& f) const {
    if (f.output != f.in(0).data) std::copy_n(f.in(0).data, f.out().size(), f.output);
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (f.wants(0)) (void)f.begin_gradient(0);
    f.add_gradient(1, [u = f.output_gradient](std::int64_t i) { return u[i]; });
  }
};

struct StraightBeyond final : TypedOp<StraightBeyond> {
  Limits limits;
  explicit StraightBeyond(Limits within) : limits(within) {}
  const char* name() const override { return "straight_beyond"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0] == in[1], in, "hard and soft values differ in shape");
    return in[0];
  }
  Keeps keeps() const override { return {.inputs = 2}; }
  template <typename T>
  void forward(const Frame<T>& f) const {
    std::copy_n(f.in(0).data, f.out().size(), f.output);
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    const T *soft = f.in(1).data, *u = f.output_gradient;
    const auto within = [&](std::int64_t i) {
      return soft[i] >= T(limits.low) && soft[i] <= T(limits.high);
    };
    f.add_gradient(0, [&](std::int64_t i) { return within(i) ? u[i] : T(0); });
    f.add_gradient(1, [&](std::int64_t i) { return within(i) ? T(0) : u[i]; });
  }
};

struct ScaleGradient final : TypedOp<ScaleGradient> {
  double factor;
  explicit ScaleGradient(double by) : factor(by) {}
  const char* name() const override { return "scale_gradient"; }
  Shape infer(std::span<const Shape> in) const override { return in[0]; }
  bool in_place() const override { return true; }
  template <typename T>
  void forward(const Frame<T>& f) const {
    if (f.output != f.in(0).data) std::copy_n(f.in(0).data, f.out().size(), f.output);
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    f.add_gradient(0, [u = f.output_gradient, by = static_cast<T>(factor)](std::int64_t i) {
      return by * u[i];
    });
  }
};

int widest_rank(const std::vector<Var>& operands) {
  int rank = 0;
  for (const Var& operand : operands) rank = std::max(rank, operand.shape().rank());
  return rank;
}

}  // namespace

Var reparameterise(Var mean, Var log_var, Var noise) {
  return row_function(Reparameterise{}, {mean, log_var, noise},
                      widest_rank({mean, log_var, noise}));
}
Var dropout(Var x, Var mask, double rate) {
  return row_function(Dropout{1 / (1 - rate)}, {x, mask}, widest_rank({x, mask}));
}
Var gumbel(Var uniform) { return row_function(Gumbel{}, {uniform}, uniform.shape().rank()); }
Var stop_gradient(Var x) { return x.graph().apply(std::make_unique<StopGradient>(), {x}); }
Var straight_through(Var hard, Var soft) {
  return hard.graph().apply(std::make_unique<StraightThrough>(), {hard, soft});
}
Var straight_beyond(Var hard, Var soft, Limits limits) {
  return hard.graph().apply(std::make_unique<StraightBeyond>(limits), {hard, soft});
}
Var scale_gradient(Var x, double factor) {
  return x.graph().apply(std::make_unique<ScaleGradient>(factor), {x});
}

}  // namespace logpx
