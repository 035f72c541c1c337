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
  // log(1 + u) for u > -1, exact to a few units of rounding: what 1 + u loses of u is given back.
  // SLEEF's log1p, which is exact to one, takes longer.
  static V log_above_one(V u) {
    const V sum = constant(1) + u;
    return Set::log(sum) + (u - (sum - constant(1))) / sum;
  }
  static V softplus(V x) { return (x > V{} ? x : V{}) + log_above_one(exp_of_minus_abs(x)); }
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
  // Stirling's series of ln Gamma and of its slope stand on y, which is x, or 7 places above it
  // where x is below 7. What lies between is the product of x to x + 6, and the sum of their
  // inverses: the slope of that product over it. SLEEF's ln Gamma takes over twice as long.
  struct Shifted {
    V y, inverse;
    V product = constant(1), sum = V{};
    bool shifts;

    explicit Shifted(V x) : y(x < constant(7) ? x + constant(7) : x), inverse(constant(1) / y) {
      shifts = any_below(x, constant(7));
      if (!shifts) return;
      V all = x, slope = constant(1);
      for (int step = 1; step < 7; ++step) {
        const V next = x + constant(static_cast<T>(step));
        slope = slope * next + all;
        all *= next;
      }
      product = x < constant(7) ? all : product;
      sum = x < constant(7) ? slope / all : sum;
    }
    // What Stirling's formula leaves of ln Gamma(y), and of its slope.
    [[nodiscard]] V correction() const {
      constexpr double terms[] = {1.0 / 12,   -1.0 / 360,        1.0 / 1260, -1.0 / 1680,
                                  1.0 / 1188, -691.0 / 360360.0, 1.0 / 156,  -3617.0 / 122400.0};
      return polynomial(terms, inverse * inverse) * inverse;
    }
    [[nodiscard]] V slope_correction() const {
      constexpr double terms[] = {1.0 / 12,  -1.0 / 120,       1.0 / 252, -1.0 / 240,
                                  1.0 / 132, -691.0 / 32760.0, 1.0 / 12,  -3617.0 / 8160.0};
      const V r = inverse * inverse;
      return constant(0.5) * inverse + polynomial(terms, r) * r + sum;
    }
  };

  // For x > 0, exact to a few units of rounding of 1 + |ln Gamma(x)|.
  static V stirling(V x) {
    constexpr T half_log_two_pi = 0.918938533204672741780329736406;
    const V huge = constant(static_cast<T>(1e300));
    const Shifted s(x);
    V value =
        (s.y - constant(0.5)) * Set::log(s.y) - s.y + constant(half_log_two_pi) + s.correction();
    if (s.shifts) value -= Set::log(s.product);
    return any_below(huge, x) ? (x > huge ? x * (Set::log(x) - constant(1)) : value) : value;
  }
  static V digamma(V x) {
    const Shifted s(x);
    return Set::log(s.y) - s.slope_correction();
  }

  // From a to a + k: what their places differ by, exact where k is small beside a.
  static V places_between(V a, V k, V end) {
    return k - (a < constant(7) ? (end < constant(7) ? V{} : constant(7)) : V{});
  }
  static V log_rising(V a, V k) {
    if (!any_below(V{}, k)) return V{};
    const V end = a + k, places = places_between(a, k, end);
    const Shifted from(a), to(end);
    V value = (from.y - constant(0.5)) * log_above_one(places * from.inverse) +
              places * (Set::log(to.y) - constant(1)) + to.correction() - from.correction();
    if (from.shifts) value += Set::log(from.product / to.product);
    return k > V{} ? value : V{};
  }
  static V digamma_rising(V a, V k) {
    if (!any_below(V{}, k)) return V{};
    const V end = a + k;
    const Shifted from(a), to(end);
    const V value = log_above_one(places_between(a, k, end) * from.inverse) +
                    from.slope_correction() - to.slope_correction();
    return k > V{} ? value : V{};
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

template <typename Set,
          typename Set::Vector (*function)(typename Set::Vector, typename Set::Vector)>
void over_pairs(const double* a, const double* k, double* out, long n) {
  const auto apply = [&](long i, unsigned long bytes) __attribute__((always_inline)) {
    typename Set::Vector from{}, by{};
    __builtin_memcpy(&from, a + i, bytes);
    __builtin_memcpy(&by, k + i, bytes);
    from = function(from, by);
    __builtin_memcpy(out + i, &from, bytes);
  };
  long i = 0;
  for (; i + Set::lanes <= n; i += Set::lanes) apply(i, sizeof(typename Set::Vector));
  if (i < n) apply(i, static_cast<unsigned long>(n - i) * sizeof(double));
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
template <typename OfFloats, typename OfDoubles>
constexpr VectorKernels all_of(const char* name) {
  using F = Formulas<OfDoubles>;
  return {name,
          functions<OfFloats>(),
          functions<OfDoubles>(),
          over_pairs<OfDoubles, F::log_rising>,
          over_pairs<OfDoubles, F::digamma_rising>,
          rbf<OfFloats>};
}

}  // namespace

#if defined(__AVX512F__)
constexpr const char* name = "sleef avx512";
#elif defined(__AVX2__)
constexpr const char* name = "sleef avx2";
constinit const VectorKernels scalar_kernels = all_of<OneFloat, OneDouble>("sleef scalar");
#else
constexpr const char* name = "sleef sse2";
#endif
constinit const VectorKernels kernels = all_of<Floats, Doubles>(name);

}  // namespace logpx::vec::LOGPX_ISA
#endif
