// SLEEF's vector functions over arrays, compiled once per instruction set into namespace LOGPX_ISA:
// sleef.h declares the AVX-512 functions only where the whole file is compiled for AVX-512.
#include "libcore/math/vector_kernels.hpp"

#if LOGPX_HAVE_SLEEF && defined(__x86_64__)
#include <sleef.h>

namespace logpx::vec::LOGPX_ISA {

namespace {

// `finz` functions give the same bits at every width, `cinz` those of CPUs without FMA. `kind` is
// SLEEF's word for floats or doubles and how many a vector has.
#define LOGPX_SLEEF_SET(Set, T, V, prefix, kind, suffix)                                      \
  struct Set {                                                                                \
    using Element = T;                                                                        \
    using Vector = V;                                                                         \
    static constexpr long lanes = sizeof(V) / sizeof(T);                                      \
    static Vector exp(Vector x) { return Sleef_##prefix##_exp##kind##_u10##suffix(x); }       \
    static Vector expm1(Vector x) { return Sleef_##prefix##_expm1##kind##_u10##suffix(x); }   \
    static Vector log(Vector x) { return Sleef_##prefix##_log##kind##_u10##suffix(x); }       \
    static Vector log1p(Vector x) { return Sleef_##prefix##_log1p##kind##_u10##suffix(x); }   \
    static Vector tanh(Vector x) { return Sleef_##prefix##_tanh##kind##_u10##suffix(x); }     \
    static Vector sin(Vector x) { return Sleef_##prefix##_sin##kind##_u10##suffix(x); }       \
    static Vector cos(Vector x) { return Sleef_##prefix##_cos##kind##_u10##suffix(x); }       \
    static Vector erf(Vector x) { return Sleef_##prefix##_erf##kind##_u10##suffix(x); }       \
    static Vector lgamma(Vector x) { return Sleef_##prefix##_lgamma##kind##_u10##suffix(x); } \
  }

// Whether any lane of x is below that of y.
#if defined(__AVX512F__)
LOGPX_SLEEF_SET(Floats, float, __m512, finz, f16, avx512f);
LOGPX_SLEEF_SET(Doubles, double, __m512d, finz, d8, avx512f);
bool any_below(__m512d x, __m512d y) { return _mm512_cmp_pd_mask(x, y, _CMP_LT_OQ) != 0; }
bool any_below(__m512 x, __m512 y) { return _mm512_cmp_ps_mask(x, y, _CMP_LT_OQ) != 0; }
#elif defined(__AVX2__)
LOGPX_SLEEF_SET(Floats, float, __m256, finz, f8, avx2);
LOGPX_SLEEF_SET(Doubles, double, __m256d, finz, d4, avx2);
LOGPX_SLEEF_SET(OneFloat, float, float, finz, f1, purecfma);
LOGPX_SLEEF_SET(OneDouble, double, double, finz, d1, purecfma);
bool any_below(__m256d x, __m256d y) {
  return _mm256_movemask_pd(_mm256_cmp_pd(x, y, _CMP_LT_OQ)) != 0;
}
bool any_below(__m256 x, __m256 y) {
  return _mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_LT_OQ)) != 0;
}
bool any_below(double x, double y) { return x < y; }
bool any_below(float x, float y) { return x < y; }
#else
LOGPX_SLEEF_SET(Floats, float, __m128, cinz, f4, sse2);
LOGPX_SLEEF_SET(Doubles, double, __m128d, cinz, d2, sse2);
bool any_below(__m128d x, __m128d y) { return _mm_movemask_pd(_mm_cmplt_pd(x, y)) != 0; }
bool any_below(__m128 x, __m128 y) { return _mm_movemask_ps(_mm_cmplt_ps(x, y)) != 0; }
#endif

template <typename Set>
struct Formulas : Set {
  using T = typename Set::Element;
  using V = typename Set::Vector;
  static V constant(T value) { return value - V{}; }
  static V exp_of_minus_abs(V x) { return Set::exp(x > V{} ? -x : x); }
  static V sigmoid(V x) {
    const V e = exp_of_minus_abs(x);
    return (x >= V{} ? constant(1) : e) / (constant(1) + e);
  }
  static V softplus(V x) { return (x > V{} ? x : V{}) + Set::log1p(exp_of_minus_abs(x)); }
  static V log_sigmoid(V x) { return -softplus(-x); }
  static V lgamma(V x) {
    if constexpr (sizeof(T) == sizeof(float)) return Set::lgamma(x);
    else return stirling(x);
  }
  // a_0 + x (a_1 + x (a_2 + ...))
  template <int count>
  static V polynomial(const double (&a)[count], V x) {
    V sum = constant(static_cast<T>(a[count - 1]));
    for (int term = count - 2; term >= 0; --term) sum = sum * x + constant(static_cast<T>(a[term]));
    return sum;
  }
  // For x > 0, exact to a few units of rounding of 1 + |ln Gamma(x)|; SLEEF's takes over twice as
  // long. What is below 7 is found 7 places above.
  static V stirling(V x) {
    constexpr T half_log_two_pi = 0.918938533204672741780329736406;
    constexpr double terms[] = {1.0 / 12,   -1.0 / 360,        1.0 / 1260, -1.0 / 1680,
                                1.0 / 1188, -691.0 / 360360.0, 1.0 / 156,  -3617.0 / 122400.0};
    const V from = constant(7);
    const bool shifts = any_below(x, from);
    const V y = x < from ? x + from : x, one_over_y = constant(1) / y;
    V value = (y - constant(0.5)) * Set::log(y) - y + constant(half_log_two_pi) +
              polynomial(terms, one_over_y * one_over_y) * one_over_y;
    if (shifts) {
      V product = x;
      for (int step = 1; step < 7; ++step) product *= x + constant(static_cast<T>(step));
      value = x < from ? value - Set::log(product) : value;
    }
    if (!any_below(constant(static_cast<T>(1e300)), x)) return value;
    return x > constant(static_cast<T>(1e300)) ? x * (Set::log(x) - constant(1)) : value;
  }
  // As exact, in the same way: less the sum of 1 / (x + j), which is the slope of their product
  // over it.
  static V digamma(V x) {
    constexpr double terms[] = {1.0 / 12,  -1.0 / 120,       1.0 / 252, -1.0 / 240,
                                1.0 / 132, -691.0 / 32760.0, 1.0 / 12,  -3617.0 / 8160.0};
    const V from = constant(7);
    const V y = x < from ? x + from : x, one_over_y = constant(1) / y, r = one_over_y * one_over_y;
    const V value = Set::log(y) - constant(0.5) * one_over_y - polynomial(terms, r) * r;
    if (!any_below(x, from)) return value;
    V product = x, slope = constant(1);
    for (int step = 1; step < 7; ++step) {
      const V next = x + constant(static_cast<T>(step));
      slope = slope * next + product;
      product *= next;
    }
    return x < from ? value - slope / product : value;
  }
};

// The tail goes through the same vector function, so a value's bits do not depend on its place.
template <typename Set, typename Set::Vector (*function)(typename Set::Vector)>
void over(const typename Set::Element* x, typename Set::Element* out, long n) {
  using V = typename Set::Vector;
  long i = 0;
  for (; i + Set::lanes <= n; i += Set::lanes) {
    V v;
    __builtin_memcpy(&v, x + i, sizeof v);
    v = function(v);
    __builtin_memcpy(out + i, &v, sizeof v);
  }
  if (i == n) return;
  V v{};
  const auto bytes = static_cast<unsigned long>(n - i) * sizeof(typename Set::Element);
  __builtin_memcpy(&v, x + i, bytes);
  v = function(v);
  __builtin_memcpy(out + i, &v, bytes);
}

// A vector of results, or its first `count` numbers.
template <typename V>
[[gnu::always_inline]] inline void put(V v, float* to, long count) {
  if (to == nullptr) return;
  __builtin_memcpy(to, &v, static_cast<unsigned long>(count) * sizeof(float));
}

template <typename Set>
[[gnu::always_inline]] inline void rbf_vector(const RbfCall& call, float x, long k, long count,
                                              long at) {
  using F = Formulas<Set>;
  using V = typename Set::Vector;
  V points{};
  __builtin_memcpy(&points, call.points + k, static_cast<unsigned long>(count) * sizeof(float));
  const V u = (F::constant(x) - points) * F::constant(call.scale);
  V b = Set::exp(F::constant(-0.5F) * u * u);
  b = b < F::constant(0x1p-40F) ? V{} : b;
  const auto place = [at](float* all) { return all == nullptr ? nullptr : all + at; };
  put(b, place(call.values), count);
  put(F::constant(-call.scale) * u * b, place(call.slopes), count);
  put(F::constant(call.by_tau) * u * u * b, place(call.tau_slopes), count);
}

// The last vector of a row overlaps the one before it.
template <typename Set>
void rbf(const RbfCall& given) {
  const RbfCall call = given;
  constexpr long lanes = Set::lanes;
  for (long row = 0; row < call.rows; ++row) {
    const long begin = row * call.row_step;
    const float x = call.x[row];
    if (call.columns < lanes) {
      rbf_vector<Set>(call, x, 0, call.columns, begin);
      continue;
    }
    long k = 0;
    for (; k + lanes <= call.columns; k += lanes) rbf_vector<Set>(call, x, k, lanes, begin + k);
    const long last = call.columns - lanes;
    if (k < call.columns) rbf_vector<Set>(call, x, last, lanes, begin + last);
  }
}

template <typename Set>
constexpr ArrayFunctions<typename Set::Element> functions() {
  using F = Formulas<Set>;
  return {over<Set, F::exp>,        over<Set, F::expm1>,   over<Set, F::log>,
          over<Set, F::log1p>,      over<Set, F::tanh>,    over<Set, F::sin>,
          over<Set, F::cos>,        over<Set, F::erf>,     over<Set, F::lgamma>,
          over<Set, F::digamma>,    over<Set, F::sigmoid>, over<Set, F::softplus>,
          over<Set, F::log_sigmoid>};
}

}  // namespace

#if defined(__AVX512F__)
constexpr const char* name = "sleef avx512";
#elif defined(__AVX2__)
constexpr const char* name = "sleef avx2";
constinit const VectorKernels scalar_kernels = {"sleef scalar", functions<OneFloat>(),
                                                functions<OneDouble>(), rbf<OneFloat>};
#else
constexpr const char* name = "sleef sse2";
#endif
constinit const VectorKernels kernels = {name, functions<Floats>(), functions<Doubles>(),
                                         rbf<Floats>};

}  // namespace logpx::vec::LOGPX_ISA
#endif
