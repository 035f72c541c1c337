// SLEEF's vector functions over arrays, compiled once per instruction set into namespace LOGPX_ISA:
// sleef.h declares the AVX-512 functions only where the whole file is compiled for AVX-512.
#include "libcore/math/vector_kernels.hpp"

#if LOGPX_HAVE_SLEEF && defined(__x86_64__)
#include <sleef.h>

namespace logpx::vec::LOGPX_ISA {

namespace {

// `finz` functions give the same bits at every width, `cinz` those of CPUs without FMA.
#define LOGPX_SLEEF_SET(Set, V, prefix, width, suffix)                                          \
  struct Set {                                                                                  \
    using Vector = V;                                                                           \
    static constexpr long lanes = width;                                                        \
    static Vector exp(Vector x) { return Sleef_##prefix##_expf##width##_u10##suffix(x); }       \
    static Vector expm1(Vector x) { return Sleef_##prefix##_expm1f##width##_u10##suffix(x); }   \
    static Vector log(Vector x) { return Sleef_##prefix##_logf##width##_u10##suffix(x); }       \
    static Vector log1p(Vector x) { return Sleef_##prefix##_log1pf##width##_u10##suffix(x); }   \
    static Vector tanh(Vector x) { return Sleef_##prefix##_tanhf##width##_u10##suffix(x); }     \
    static Vector sin(Vector x) { return Sleef_##prefix##_sinf##width##_u10##suffix(x); }       \
    static Vector cos(Vector x) { return Sleef_##prefix##_cosf##width##_u10##suffix(x); }       \
    static Vector erf(Vector x) { return Sleef_##prefix##_erff##width##_u10##suffix(x); }       \
    static Vector lgamma(Vector x) { return Sleef_##prefix##_lgammaf##width##_u10##suffix(x); } \
  }

#if defined(__AVX512F__)
LOGPX_SLEEF_SET(Avx512, __m512, finz, 16, avx512f);
#elif defined(__AVX2__)
LOGPX_SLEEF_SET(Avx2, __m256, finz, 8, avx2);
LOGPX_SLEEF_SET(Scalar, float, finz, 1, purecfma);
#else
LOGPX_SLEEF_SET(Sse2, __m128, cinz, 4, sse2);
#endif

template <typename Set>
struct Formulas : Set {
  using V = typename Set::Vector;
  static V constant(float value) { return value - V{}; }
  static V exp_of_minus_abs(V x) { return Set::exp(x > V{} ? -x : x); }
  static V sigmoid(V x) {
    const V e = exp_of_minus_abs(x);
    return (x >= V{} ? constant(1) : e) / (constant(1) + e);
  }
  static V softplus(V x) { return (x > V{} ? x : V{}) + Set::log1p(exp_of_minus_abs(x)); }
  static V log_sigmoid(V x) { return -softplus(-x); }
};

// The tail goes through the same vector function, so a value's bits do not depend on its place.
template <typename Set, typename Set::Vector (*function)(typename Set::Vector)>
void over(const float* x, float* out, long n) {
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
  const auto bytes = static_cast<unsigned long>(n - i) * sizeof(float);
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
constexpr VectorKernels table(const char* name) {
  using F = Formulas<Set>;
  return {name,
          over<Set, F::exp>,
          over<Set, F::expm1>,
          over<Set, F::log>,
          over<Set, F::log1p>,
          over<Set, F::tanh>,
          over<Set, F::sin>,
          over<Set, F::cos>,
          over<Set, F::erf>,
          over<Set, F::lgamma>,
          over<Set, F::sigmoid>,
          over<Set, F::softplus>,
          over<Set, F::log_sigmoid>,
          rbf<Set>};
}

}  // namespace

#if defined(__AVX512F__)
constinit const VectorKernels kernels = table<Avx512>("sleef avx512");
#elif defined(__AVX2__)
constinit const VectorKernels kernels = table<Avx2>("sleef avx2");
constinit const VectorKernels scalar_kernels = table<Scalar>("sleef scalar");
#else
constinit const VectorKernels kernels = table<Sse2>("sleef sse2");
#endif

}  // namespace logpx::vec::LOGPX_ISA
#endif
