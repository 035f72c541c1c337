// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/det/array_kernels.hpp.
// Every lane does what libcore/det/functions.cpp does.
#include "libcore/det/array_kernels.hpp"
#include "libcore/det/coefficients.hpp"
#include "libcore/det/vector_bytes.hpp"

namespace logpx::det::LOGPX_ISA {

namespace {

constexpr int lanes = vector_bytes / int{sizeof(double)};

typedef double V __attribute__((vector_size(lanes * sizeof(double))));
typedef long long Words __attribute__((vector_size(lanes * sizeof(double))));
typedef float Floats __attribute__((vector_size(lanes * sizeof(float))));

constexpr long long magic_bits = 0x4338000000000000;

// A broadcast: subtracting zeros keeps every value, -0 included.
inline V all(double value) { return value - V{}; }
inline Words bits_of(V x) { return reinterpret_cast<Words>(x); }
inline V of_bits(Words x) { return reinterpret_cast<V>(x); }
inline V absolute(V x) { return of_bits(bits_of(x) & 0x7fffffffffffffff); }

template <int N>
inline V horner(const Coefficients<N>& c, V t) {
  V p = all(c.at[N - 1]);
  for (int j = N - 1; j-- > 0;) p = p * t + c.at[j];
  return p;
}

struct Exp {
  static V of(V x) {
    const Words under = x < exp_lowest;
    x = x > exp_highest ? all(exp_highest) : x;
    const V t = x * log2_e + magic;
    const V k = t - magic;
    const V r = (x - k * ln2_high) - k * ln2_low;
    const V p = horner(exp_coefficients, r);
    // t holds k in its last bits.
    const V power = of_bits((bits_of(t) - magic_bits + 1023) << 52);
    return under ? V{} : p * power;
  }
};

struct Log {
  static V of(V x) {
    const Words small = x < 0x1p-1022;
    x = small ? x * 0x1p54 : x;
    const Words bits = bits_of(x);
    Words e = (bits >> 52) - 1023 - (small & 54);
    V m = of_bits((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
    const Words large = m > sqrt2;
    m = large ? m * 0.5 : m;
    e = e - large;
    const V f = m - 1.0;
    const V s = f / (2.0 + f);
    const V z = s * s;
    const V p = horner(log_coefficients, z);
    const V s2 = s + s;
    const V rest = s2 + s2 * (z * p);
    const V exponent = of_bits(e + magic_bits) - magic;
    return exponent * ln2_high + (rest + exponent * ln2_low);
  }
};

struct Sigmoid {
  static V of(V x) {
    const V e = Exp::of(-absolute(x));
    return (x >= 0.0 ? all(1.0) : e) / (1.0 + e);
  }
};

struct Tanh {
  static V of(V x) {
    const V t = Exp::of(-2.0 * absolute(x));
    const Words sign = bits_of(x) & static_cast<long long>(0x8000000000000000);
    return of_bits(bits_of((1.0 - t) / (1.0 + t)) | sign);
  }
};

struct Softplus {
  static V of(V x) {
    const V e = Exp::of(-absolute(x));
    const V y = (x > 0.0 ? x : V{}) + Log::of(1.0 + e);
    return x == x ? y : x;  // not a number stays so
  }
};

struct Ndtr {
  static V of(V x) {
    const V a = absolute(x);
    const V p = horner(ndtr_coefficients, (a - 4.0) / (a + 4.0));
    const V q = (p / (1.0 + 2.0 * a)) * Exp::of(-0.5 * (a * a));
    const V tail = a >= 38.0 ? V{} : q;
    return x < 0.0 ? tail : 1.0 - tail;
  }
};

inline V load(const double* x) {
  V v;
  __builtin_memcpy(&v, x, sizeof v);
  return v;
}
inline V load(const float* x) {
  Floats v;
  __builtin_memcpy(&v, x, sizeof v);
  return __builtin_convertvector(v, V);
}
inline void store(V v, double* y) { __builtin_memcpy(y, &v, sizeof v); }
inline void store(V v, float* y) {
  const Floats rounded = __builtin_convertvector(v, Floats);
  __builtin_memcpy(y, &rounded, sizeof rounded);
}

// The tail is padded with ones and goes through the same function.
template <typename Function, typename In, typename Out>
void over(const In* x, Out* y, long n) {
  long i = 0;
  for (; i + lanes <= n; i += lanes) store(Function::of(load(x + i)), y + i);
  if (i == n) return;
  In in[lanes];
  Out out[lanes];
  for (int j = 0; j < lanes; ++j) in[j] = i + j < n ? x[i + j] : In(1);
  store(Function::of(load(in)), out);
  for (long j = i; j < n; ++j) y[j] = out[j - i];
}

template <typename Function>
constexpr ArrayFunction function() {
  return {over<Function, double, double>, over<Function, float, float>,
          over<Function, float, double>};
}

template <typename T>
inline T beta_binomial_ratio(double alpha, double beta, double n, T k) {
  return ((n - k) * (k + alpha)) / ((k + 1.0) * (n - k - 1.0 + beta));
}
void beta_binomial_ratios(double alpha, double beta, double* ratios, long n) {
  const auto trials = static_cast<double>(n);
  V k;
  for (int j = 0; j < lanes; ++j) k[j] = j;
  long i = 0;
  for (; i + lanes <= n; i += lanes, k += static_cast<double>(lanes))
    store(beta_binomial_ratio(alpha, beta, trials, k), ratios + i);
  for (; i < n; ++i) ratios[i] = beta_binomial_ratio(alpha, beta, trials, static_cast<double>(i));
}

#define LOGPX_TEXT_OF(name) #name
#define LOGPX_TEXT(name) LOGPX_TEXT_OF(name)
}  // namespace

constinit const ArrayKernels array_kernels = {
    LOGPX_TEXT(LOGPX_ISA), function<Exp>(),      function<Log>(),  function<Sigmoid>(),
    function<Tanh>(),      function<Softplus>(), function<Ndtr>(), beta_binomial_ratios};

}  // namespace logpx::det::LOGPX_ISA
