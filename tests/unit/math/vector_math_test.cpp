#include "libcore/math/vector_math.hpp"

#include "libcore/det/isa.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/math/vector_kernels.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace logpx::vector_math_test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

using Functions = vec::ArrayFunctions<float>;

struct Case {
  const char* name;
  vec::ArrayFunction<float> Functions::*member;
  long double (*exact)(long double);
  float low, high;  // range of the sweep
  double ulps;
};

long double exact_sigmoid(long double x) { return 1 / (1 + expl(-x)); }
long double exact_softplus(long double x) { return x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x)); }
long double exact_log_sigmoid(long double x) { return -exact_softplus(-x); }

using F = Functions;
using K = vec::VectorKernels;
const std::vector<Case> cases = {{"exp", &F::exp, expl, -110, 100, 1.05},
                                 {"expm1", &F::expm1, expm1l, -30, 88, 1.05},
                                 {"log", &F::log, logl, 0, 1e38f, 1.05},
                                 {"log1p", &F::log1p, log1pl, -1, 1e38f, 1.05},
                                 {"tanh", &F::tanh, tanhl, -20, 20, 1.05},
                                 {"sin", &F::sin, sinl, -1e6f, 1e6f, 1.05},
                                 {"cos", &F::cos, cosl, -1e6f, 1e6f, 1.05},
                                 {"erf", &F::erf, erfl, -6, 6, 1.05},
                                 {"sigmoid", &F::sigmoid, exact_sigmoid, -87, 100, 4},
                                 {"softplus", &F::softplus, exact_softplus, -87, 100, 4},
                                 {"log_sigmoid", &F::log_sigmoid, exact_log_sigmoid, -100, 87, 4}};

std::vector<const K*> tables() {
  std::vector<const K*> all = {&vec::plain_kernels};
  if (&vec::active_kernels() != all[0]) all.push_back(&vec::active_kernels());
  return all;
}

// An even sweep of [low, high] and one of all magnitudes inside it.
std::vector<float> sweep(const Case& c) {
  std::vector<float> x;
  for (int i = 0; i <= 20000; ++i)
    x.push_back(static_cast<float>(c.low + (static_cast<double>(c.high) - c.low) * i / 20000));
  for (std::uint32_t bits = 0; bits < 0x7f800000u; bits += 49999) {
    const float v = std::bit_cast<float>(bits);
    if (v <= c.high) x.push_back(v);
    if (-v >= c.low) x.push_back(-v);
  }
  return x;
}

std::vector<float> applied(vec::ArrayFunction<float> function, const std::vector<float>& x) {
  std::vector<float> out(x.size());
  function(x.data(), out.data(), static_cast<long>(x.size()));
  return out;
}

// Units in the last place of a float32 of this size.
double ulp_of(long double value) {
  int exponent = 0;
  frexpl(value, &exponent);
  return std::ldexp(1.0, std::max(exponent, -125) - 24);
}

bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

}  // namespace

TEST_CASE("vector_math: within the stated units in the last place of libm's long double") {
  for (const K* table : tables())
    for (const Case& c : cases) {
      CAPTURE(std::string(table->name));
      CAPTURE(std::string(c.name));
      const std::vector<float> x = sweep(c), y = applied(table->floats.*c.member, x);
      double worst = 0;
      float worst_x = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const long double exact = c.exact(x[i]);
        if (fabsl(exact) > std::numeric_limits<float>::max() || std::isinf(exact)) continue;
        const double error = static_cast<double>(fabsl(y[i] - exact)) / ulp_of(exact);
        if (!(error <= worst)) worst = std::isnan(error) ? 1e30 : error, worst_x = x[i];
      }
      CAPTURE(worst_x);
      CHECK(worst <= c.ulps);  // SLEEF promises 1.0; a little above it near subnormals
    }
}

TEST_CASE("vector_math: special arguments") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto value = [](const K& table, vec::ArrayFunction<float> F::*member, float x) {
    float y = 0;
    (table.floats.*member)(&x, &y, 1);
    return y;
  };
  for (const K* t : tables()) {
    CAPTURE(std::string(t->name));
    for (const Case& c : cases) {
      CAPTURE(std::string(c.name));
      CHECK(std::isnan(value(*t, c.member, nan)));
    }
    CHECK(std::isnan(value(*t, &F::lgamma, nan)));
    CHECK(value(*t, &F::exp, infinity) == infinity);
    CHECK(value(*t, &F::exp, 89) == infinity);
    CHECK(same(value(*t, &F::exp, -infinity), 0.0f));
    CHECK(same(value(*t, &F::exp, -0.0f), 1.0f));
    CHECK(same(value(*t, &F::expm1, -infinity), -1.0f));
    CHECK(same(value(*t, &F::expm1, -0.0f), -0.0f));
    CHECK(value(*t, &F::log, 0.0f) == -infinity);
    CHECK(value(*t, &F::log, -0.0f) == -infinity);
    CHECK(value(*t, &F::log, infinity) == infinity);
    CHECK(std::isnan(value(*t, &F::log, -1)));
    CHECK(value(*t, &F::log1p, -1) == -infinity);
    CHECK(same(value(*t, &F::log1p, -0.0f), -0.0f));
    CHECK(same(value(*t, &F::tanh, infinity), 1.0f));
    CHECK(same(value(*t, &F::tanh, -infinity), -1.0f));
    CHECK(same(value(*t, &F::tanh, -0.0f), -0.0f));
    CHECK(std::isnan(value(*t, &F::sin, infinity)));
    CHECK(std::isnan(value(*t, &F::cos, -infinity)));
    CHECK(same(value(*t, &F::erf, infinity), 1.0f));
    CHECK(same(value(*t, &F::erf, -infinity), -1.0f));
    CHECK(same(value(*t, &F::sigmoid, -infinity), 0.0f));
    CHECK(same(value(*t, &F::sigmoid, infinity), 1.0f));
    CHECK(value(*t, &F::softplus, infinity) == infinity);
    CHECK(value(*t, &F::softplus, -infinity) == 0);
    CHECK(value(*t, &F::log_sigmoid, -infinity) == -infinity);
  }
}

TEST_CASE("vector_math: lgamma over its poles, its zeros and its tail") {
  for (const K* table : tables()) {
    std::vector<float> x;
    for (int i = 1; i < 4000; ++i) x.push_back(static_cast<float>(i) * 0.01f);
    for (float v = 1e-30f; v < 1e36f; v *= 1.7f) x.push_back(v);
    const std::vector<float> y = applied(table->floats.lgamma, x);
    CAPTURE(std::string(table->name));
    for (std::size_t i = 0; i < x.size(); ++i) {
      int sign = 0;
      const auto exact = static_cast<double>(lgammal_r(x[i], &sign));
      CAPTURE(x[i]);
      CHECK(std::fabs(y[i] - exact) <= 2e-7 * std::fabs(exact) + 1e-7);
    }
  }
}

TEST_CASE("vector_math: a value has the same bits at every place and length") {
  std::vector<float> x;
  for (int i = 0; i < 100; ++i) x.push_back(0.37f * static_cast<float>(i) - 17.1f);
  x[13] = 1e30f;  // sin and cos leave their fast path for the vector that holds it
  x[50] = infinity;
  for (const Case& c : cases) {
    CAPTURE(std::string(c.name));
    const vec::ArrayFunction<float> function = vec::active_kernels().floats.*c.member;
    const std::vector<float> whole = applied(function, x);
    bool equal = true;
    for (std::size_t first = 0; first < 20; ++first)
      for (std::size_t length = 0; length < 40; ++length) {
        const std::vector<float> part(x.begin() + static_cast<long>(first),
                                      x.begin() + static_cast<long>(first + length));
        const std::vector<float> y = applied(function, part);
        for (std::size_t i = 0; i < length; ++i)
          equal &= same(y[i], whole[first + i]) || std::isnan(y[i]);
      }
    CHECK(equal);
  }
}

TEST_CASE("vector_math: the variants with fused multiply-add agree bit for bit") {
#if LOGPX_HAVE_SLEEF && defined(__x86_64__)
  if (!isa_available(Isa::v3)) return;
  std::vector<const K*> variants = {&vec::v3::scalar_kernels, &vec::v3::kernels};
  if (isa_available(Isa::v4)) variants.push_back(&vec::v4::kernels);
  for (const Case& c : cases) {
    CAPTURE(std::string(c.name));
    std::vector<float> x = sweep(c);
    x.insert(x.end(), {infinity, -infinity, 0.0f, -0.0f, 1e-40f, -1e-40f});
    const std::vector<float> first = applied(variants[0]->floats.*c.member, x);
    for (const K* variant : variants) {
      CAPTURE(std::string(variant->name));
      const std::vector<float> y = applied(variant->floats.*c.member, x);
      std::size_t different = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        different += !same(y[i], first[i]) && !(std::isnan(y[i]) && std::isnan(first[i]));
      CHECK(different == 0);
    }
  }
#endif
}

TEST_CASE(
    "vector_math: doubles are within rounding of libm's long double, the same bits anywhere") {
  using D = vec::ArrayFunctions<double>;
  struct DoubleCase {
    const char* name;
    vec::ArrayFunction<double> D::*member;
    long double (*exact)(long double);
    double low, high, ulps;
  };
  const std::vector<DoubleCase> doubles = {
      {"exp", &D::exp, expl, -700, 700, 1.05},
      {"expm1", &D::expm1, expm1l, -30, 700, 1.05},
      {"log", &D::log, logl, 1e-300, 1e300, 1.05},
      {"log1p", &D::log1p, log1pl, -0.999, 1e300, 1.05},
      {"tanh", &D::tanh, tanhl, -20, 20, 2},
      {"erf", &D::erf, erfl, -6, 6, 1.05},
      {"sigmoid", &D::sigmoid, exact_sigmoid, -700, 700, 4},
      {"softplus", &D::softplus, exact_softplus, -700, 700, 4},
      {"log_sigmoid", &D::log_sigmoid, exact_log_sigmoid, -700, 700, 4}};
  for (const DoubleCase& c : doubles) {
    CAPTURE(std::string(c.name));
    std::vector<double> x;
    for (int i = 0; i <= 3000; ++i) x.push_back(c.low + (c.high - c.low) * i / 3000);
    for (double v = 1e-12; v < c.high; v *= 1.31) x.push_back(v);
    for (const K* table : tables()) {
      CAPTURE(std::string(table->name));
      const vec::ArrayFunction<double> function = table->doubles.*c.member;
      std::vector<double> y(x.size());
      function(x.data(), y.data(), std::ssize(x));
      double worst = 0;
      std::size_t moved = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const long double exact = c.exact(x[i]);
        int exponent = 0;
        frexpl(exact, &exponent);
        worst = std::max(worst, std::fabs(static_cast<double>(y[i] - exact)) /
                                    std::ldexp(1.0, std::max(exponent, -1021) - 53));
        double alone = 0;
        function(&x[i], &alone, 1);
        moved += std::bit_cast<std::uint64_t>(alone) != std::bit_cast<std::uint64_t>(y[i]);
      }
      CHECK(worst <= c.ulps);
      CHECK(moved == 0);
    }
  }
}

TEST_CASE("vector_math: out may be x, and double has its own versions") {
  std::vector<float> x = {-1, 0, 0.5f, 3};
  std::vector<float> y(4);
  vec::exp(x, y);
  vec::exp(x, x);
  CHECK(x == y);
  const std::vector<double> d = {-800, -1, 0, 2, 800};
  std::vector<double> s(5);
  vec::softplus(d, s);
  CHECK(s[0] == 0);
  CHECK(s[2] == doctest::Approx(std::log(2)).epsilon(1e-15));
  CHECK(s[4] == 800);
  vec::sigmoid(d, s);
  CHECK(s[1] + 1 / (1 + std::exp(-1.0)) == doctest::Approx(1).epsilon(1e-15));
}

TEST_CASE("vector_math: the repeatable functions hide nothing that is not a number") {
  const RepeatableFunctions repeatable;
  using Floats = void (*)(std::span<const float>, std::span<float>);
  const Floats functions[] = {
      vec::exp, vec::expm1,  vec::log,     vec::log1p,   vec::tanh,     vec::sin,        vec::cos,
      vec::erf, vec::lgamma, vec::digamma, vec::sigmoid, vec::softplus, vec::log_sigmoid};
  for (std::size_t f = 0; f < std::size(functions); ++f) {
    CAPTURE(f);
    for (const float sign : {1.0F, -1.0F}) {
      std::vector<float> x(21, std::copysign(std::numeric_limits<float>::quiet_NaN(), sign));
      functions[f](x, x);
      for (const float y : x) CHECK(std::isnan(y));
    }
  }
  std::vector<float> x = {0, -0.0F, infinity, -1}, y(4);
  vec::log(x, y);
  CHECK(y[0] == -infinity);
  CHECK(y[2] == infinity);
  CHECK(std::isnan(y[3]));
  vec::expm1(x, y);
  CHECK(same(y[1], -0.0F));
}

TEST_CASE("vector math: the kernel of radial functions gives the bits of one pass after another") {
  const vec::VectorKernels& kernels = vec::active_kernels();
  if (kernels.rbf == nullptr) return;
  for (const std::size_t columns : {1, 3, 6, 9, 16, 21, 40}) {
    CAPTURE(columns);
    const std::vector<float> x = {-7, -0.3F, 0, 1.1F, 4};
    const std::size_t step = columns + 2, size = x.size() * step;
    std::vector<float> points(columns), values(size, 7), slopes(size, 7), by_tau(size, 7);
    for (std::size_t k = 0; k < columns; ++k) points[k] = -3 + 0.3F * static_cast<float>(k);
    const float scale = 2.7F, tau = 1.3F;
    kernels.rbf({x.data(), points.data(), static_cast<long>(x.size()), static_cast<long>(columns),
                 static_cast<long>(step), scale, tau, values.data(), slopes.data(), by_tau.data()});
    for (std::size_t r = 0; r < x.size(); ++r)
      for (std::size_t k = 0; k < step; ++k) {
        const std::size_t i = r * step + k;
        if (k >= columns) {  // what lies beside stays
          CHECK((values[i] == 7 && slopes[i] == 7 && by_tau[i] == 7));
          continue;
        }
        const float u = (x[r] - points[k]) * scale;
        float b = applied(kernels.floats.exp, {-0.5F * u * u})[0];
        if (b < 0x1p-40F) b = 0;
        CHECK(same(values[i], b));
        CHECK(same(slopes[i], -scale * u * b));
        CHECK(same(by_tau[i], tau * u * u * b));
      }
  }
}

}  // namespace logpx::vector_math_test
