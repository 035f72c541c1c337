// Functions of one element: a rule holds value and slope, Unary makes an op of it.
#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/elementwise.hpp"
#include "libcore/grad/elementwise_gates.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/math/special.hpp"

#include <memory>
#include <numbers>

namespace logpx {
namespace {

using namespace elementwise;

template <typename Rule>
struct Unary final : TypedOp<Unary<Rule>> {
  Rule rule;
  explicit Unary(Rule r) : rule(r) {}
  const char* name() const override { return Rule::name; }
  Shape infer(std::span<const Shape> in) const override { return in[0]; }
  Keeps keeps() const override {
    return Rule::from_result ? Keeps{.output = true} : Keeps{.inputs = 1};
  }
  bool in_place() const override { return true; }

  template <typename T>
  void forward(const Frame<T>& f) const {
    rule.value(std::span<const T>(f.in(0).span()), f.out().span());
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    const std::span<const T> kept =
        Rule::from_result ? std::span<const T>(f.out().span()) : f.in(0).span();
    const T* upstream = f.upstream().data;
    in_blocks(kept.size(), [&](std::size_t first, std::size_t n) {
      Run<T> slope;
      rule.slope(kept.subspan(first, n), std::span(slope).first(n));
      T* const to = f.gradient(0) + first;
      if (f.accumulates(0))
        for (std::size_t i = 0; i < n; ++i) to[i] += upstream[first + i] * slope[i];
      else
        for (std::size_t i = 0; i < n; ++i) to[i] = upstream[first + i] * slope[i];
    });
  }
};

template <typename Rule>
Var apply(Var x, Rule rule = {}) {
  return x.graph().apply(std::make_unique<Unary<Rule>>(rule), {x});
}

struct Affine final : TypedOp<Affine> {
  double scale, shift;
  Affine(double a, double b) : scale(a), shift(b) {}
  const char* name() const override { return "affine"; }
  Shape infer(std::span<const Shape> in) const override { return in[0]; }
  bool in_place() const override { return true; }
  template <typename T>
  void forward(const Frame<T>& f) const {
    const T a = static_cast<T>(scale), b = static_cast<T>(shift);
    const T* x = f.in(0).data;
    T* y = f.out().data;
    const std::int64_t n = f.out().size();
    for (std::int64_t i = 0; i < n; ++i) y[i] = a * x[i] + b;
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    const T a = static_cast<T>(scale);
    const T* upstream = f.upstream().data;
    f.add_gradient(0, [=](std::int64_t i) { return a * upstream[i]; });
  }
};

// Rules given per element derive from these.
template <typename Rule>
struct ValueEach {
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<const Rule&>(*this).of(x[i]);
  }
};
template <typename Rule>
struct SlopeEach {
  template <typename T>
  void slope(std::span<const T> kept, std::span<T> d) const {
    for (std::size_t i = 0; i < d.size(); ++i)
      d[i] = static_cast<const Rule&>(*this).slope_of(kept[i]);
  }
};
void negate(auto d) {
  for (auto& value : d) value = -value;
}

struct Exp : SlopeEach<Exp> {
  static constexpr const char* name = "exp";
  static constexpr bool from_result = true;
  void value(auto x, auto y) const { vec::exp(x, y); }
  auto slope_of(auto y) const { return y; }
};

struct Expm1 {
  static constexpr const char* name = "expm1";
  static constexpr bool from_result = false;  // y + 1 would lose digits for negative x
  void value(auto x, auto y) const { vec::expm1(x, y); }
  void slope(auto x, auto d) const { vec::exp(x, d); }
};

struct Log : SlopeEach<Log> {
  static constexpr const char* name = "log";
  static constexpr bool from_result = false;
  void value(auto x, auto y) const { vec::log(x, y); }
  auto slope_of(auto x) const { return 1 / x; }
};

struct Log1p : SlopeEach<Log1p> {
  static constexpr const char* name = "log1p";
  static constexpr bool from_result = false;
  void value(auto x, auto y) const { vec::log1p(x, y); }
  auto slope_of(auto x) const { return 1 / (1 + x); }
};

struct Lgamma {
  static constexpr const char* name = "lgamma";
  static constexpr bool from_result = false;
  void value(auto x, auto y) const { vec::lgamma(x, y); }
  void slope(auto x, auto d) const { vec::digamma(x, d); }
};

struct Sin {
  static constexpr const char* name = "sin";
  static constexpr bool from_result = false;
  void value(auto x, auto y) const { vec::sin(x, y); }
  void slope(auto x, auto d) const { vec::cos(x, d); }
};

struct Cos {
  static constexpr const char* name = "cos";
  static constexpr bool from_result = false;
  void value(auto x, auto y) const { vec::cos(x, y); }
  void slope(auto x, auto d) const {
    vec::sin(x, d);
    negate(d);
  }
};

struct Erf {
  static constexpr const char* name = "erf";
  static constexpr bool from_result = false;
  void value(auto x, auto y) const { vec::erf(x, y); }
  template <typename T>
  void slope(std::span<const T> x, std::span<T> d) const {
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = -x[i] * x[i];
    vec::exp(d, d);
    for (T& value : d) value *= T(2 * std::numbers::inv_sqrtpi);
  }
};

struct LogSigmoid {
  static constexpr const char* name = "log_sigmoid";
  static constexpr bool from_result = true;  // sigmoid(-x) = 1 - e^y
  void value(auto x, auto y) const { vec::log_sigmoid(x, y); }
  void slope(auto y, auto d) const {
    vec::expm1(y, d);
    negate(d);
  }
};

struct Abs : ValueEach<Abs>, SlopeEach<Abs> {
  static constexpr const char* name = "abs";
  static constexpr bool from_result = false;
  auto of(auto x) const { return std::abs(x); }
  template <typename T>
  T slope_of(T x) const {
    return static_cast<T>((x > 0) - (x < 0));
  }
};

struct Square : ValueEach<Square>, SlopeEach<Square> {
  static constexpr const char* name = "square";
  static constexpr bool from_result = false;
  auto of(auto x) const { return x * x; }
  auto slope_of(auto x) const { return 2 * x; }
};

struct Sqrt : ValueEach<Sqrt>, SlopeEach<Sqrt> {
  static constexpr const char* name = "sqrt";
  static constexpr bool from_result = true;
  auto of(auto x) const { return std::sqrt(x); }
  template <typename T>
  T slope_of(T y) const {
    return T(0.5) / y;
  }
};

struct Pow : ValueEach<Pow>, SlopeEach<Pow> {
  static constexpr const char* name = "pow";
  static constexpr bool from_result = false;
  double exponent;
  explicit Pow(double power) : exponent(power) {}
  template <typename T>
  T of(T x) const {
    return static_cast<T>(power(static_cast<double>(x), exponent));
  }
  template <typename T>
  T slope_of(T x) const {
    return static_cast<T>(exponent * power(static_cast<double>(x), exponent - 1));
  }
  // libm's differs between machines.
  static double power(double x, double exponent) {
    if (!RepeatableFunctions::on() || !(std::fabs(x) > 0) || !std::isfinite(x))
      return std::pow(x, exponent);  // exact, or no number
    const double size = det_exp(exponent * det_log(std::fabs(x)));
    if (x > 0) return size;
    if (exponent != std::floor(exponent)) return std::numeric_limits<double>::quiet_NaN();
    return std::fmod(exponent, 2) == 0 ? size : -size;
  }
};

struct Clamp : ValueEach<Clamp>, SlopeEach<Clamp> {
  static constexpr const char* name = "clamp";
  static constexpr bool from_result = false;
  double low, high;
  Clamp(double lowest, double highest) : low(lowest), high(highest) {}
  template <typename T>
  T of(T x) const {
    return std::min(std::max(x, T(low)), T(high));
  }
  template <typename T>
  T slope_of(T x) const {
    return x >= T(low) && x <= T(high) ? T(1) : T(0);
  }
};

// s = low + softplus(x - low); y = high - softplus(high - s)
struct SmoothClamp {
  static constexpr const char* name = "smooth_clamp";
  static constexpr bool from_result = false;
  double low, high;
  // low + softplus(x - low)
  template <typename T>
  void from_below(std::span<const T> x, std::span<T> s) const {
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = x[i] - T(low);
    vec::softplus(s, s);
    for (T& value : s) value += T(low);
  }
  template <typename T>
  void value(std::span<const T> x, std::span<T> y) const {
    from_below(x, y);
    for (T& s : y) s = T(high) - s;
    vec::softplus(y, y);
    for (T& s : y) s = T(high) - s;
  }
  template <typename T>
  void slope(std::span<const T> x, std::span<T> d) const {
    Run<T> above;
    const std::span<T> upper = std::span(above).first(d.size());
    from_below(x, upper);
    for (std::size_t i = 0; i < d.size(); ++i) {
      upper[i] = T(high) - upper[i];
      d[i] = x[i] - T(low);
    }
    vec::sigmoid(upper, upper);
    vec::sigmoid(d, d);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] *= upper[i];
  }
};

}  // namespace

Var affine(Var x, double scale, double shift) {
  return x.graph().apply(std::make_unique<Affine>(scale, shift), {x});
}
Var abs(Var x) { return apply<Abs>(x); }
Var square(Var x) { return apply<Square>(x); }
Var sqrt(Var x) { return apply<Sqrt>(x); }
Var exp(Var x) { return apply<Exp>(x); }
Var expm1(Var x) { return apply<Expm1>(x); }
Var log(Var x) { return apply<Log>(x); }
Var log1p(Var x) { return apply<Log1p>(x); }
Var pow(Var x, double exponent) { return apply(x, Pow{exponent}); }
Var sin(Var x) { return apply<Sin>(x); }
Var cos(Var x) { return apply<Cos>(x); }
Var erf(Var x) { return apply<Erf>(x); }
Var lgamma(Var x) { return apply<Lgamma>(x); }
Var tanh(Var x) { return apply<Tanh>(x); }
Var sigmoid(Var x) { return apply<Sigmoid>(x); }
Var log_sigmoid(Var x) { return apply<LogSigmoid>(x); }
Var softplus(Var x) { return apply<Softplus>(x); }
Var relu(Var x) { return apply<Relu>(x); }
Var leaky_relu(Var x, double slope) { return apply(x, LeakyRelu{slope}); }
Var elu(Var x, double alpha) { return apply(x, Elu{alpha}); }
Var silu(Var x) { return apply<Silu>(x); }
Var gelu_erf(Var x) { return apply<GeluErf>(x); }
Var gelu_tanh(Var x) { return apply<GeluTanh>(x); }
Var clamp(Var x, double low, double high) { return apply(x, Clamp{low, high}); }
Var smooth_clamp(Var x, double low, double high) { return apply(x, SmoothClamp{low, high}); }

}  // namespace logpx
