#include "libcore/det/functions.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/coefficients.hpp"
#include "libcore/det/fp_environment.hpp"

#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>

#ifdef __FAST_MATH__
#error \
    "libcore/det must not be compiled with -ffast-math: a decoder repeats these numbers bit for bit"
#endif
#if FLT_EVAL_METHOD != 0
#error "libcore/det needs float and double arithmetic without excess precision (no x87)"
#endif
#if defined(__arm__) && !defined(__aarch64__)
#error "libcore/det does not build for 32-bit ARM: NEON there flushes denormals to zero"
#endif

namespace logpx {
namespace {

static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<float>::is_iec559);
static_assert(sizeof(double) == 8 && sizeof(float) == 4);

using namespace det;  // the coefficients

// Every step rounds twice.
template <int N>
double horner(const Coefficients<N>& c, double t) {
  double p = c.at[N - 1];
  for (int j = N - 1; j-- > 0;) p = p * t + c.at[j];
  return p;
}

// 2^k for -1022 <= k <= 1023.
double power_of_two(std::int64_t k) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

// +-1/(2j+first)! for j = 0..8: first 1 for the sine (less a factor r), 0 for the cosine.
constexpr Coefficients<9> circular_coefficients(int first) {
  Coefficients<9> c{};
  double factorial = 1;
  for (int j = 0; j < 9; ++j) {
    const int k = 2 * j + first;
    if (k >= 2) factorial *= static_cast<double>(k) * static_cast<double>(k - 1);
    c.at[j] = (j % 2 == 0 ? 1.0 : -1.0) / factorial;
  }
  return c;
}
constexpr Coefficients<9> sin_coefficients = circular_coefficients(1);
constexpr Coefficients<9> cos_coefficients = circular_coefficients(0);

}  // namespace

double det_exp(double x) {
  if (!(x >= exp_lowest)) return x < exp_lowest ? 0.0 : x;  // not a number stays so
  if (x > exp_highest) x = exp_highest;
  const double t = x * log2_e + magic;
  const double k = t - magic;
  const double r = (x - k * ln2_high) - k * ln2_low;
  const double p = horner(exp_coefficients, r);
  // 2^1023 and its neighbours: k reaches 1023 at x = 709, p stays below 2.
  return p * power_of_two(static_cast<std::int64_t>(k));
}

double det_log(double x) {
  std::int64_t e = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    e = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  e += static_cast<std::int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  if (m > sqrt2) {
    m *= 0.5;
    e += 1;
  }
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double p = horner(log_coefficients, z);
  const double s2 = s + s;
  const double rest = s2 + s2 * (z * p);
  const auto exponent = static_cast<double>(e);
  return exponent * ln2_high + (rest + exponent * ln2_low);
}

double det_tanh(double x) {
  const double t = det_exp(-2.0 * std::fabs(x));
  return std::copysign((1.0 - t) / (1.0 + t), x);
}

double det_sigmoid(double x) {
  if (x >= 0.0) return 1.0 / (1.0 + det_exp(-x));
  const double e = det_exp(x);
  return e / (1.0 + e);
}

double det_expm1(double x) {
  if (!(std::fabs(x) < 0.1)) return det_exp(x) - 1.0;
  double sum = 0.0;  // 1 + x/2 (1 + x/3 (... (1 + x/10)))
  for (int n = 10; n > 1; --n) sum = (1.0 + sum) * (x / n);
  return x * (1.0 + sum);
}

double det_log1p(double x) {
  const double whole = 1.0 + x;
  if (whole == 1.0) return x;
  if (!(whole > 0.0) || std::isinf(whole)) return std::log(whole);  // exact, or no number
  return det_log(whole) * (x / (whole - 1.0));  // what rounding took from x, it gives back
}

double det_softplus(double x) {
  if (x != x) return x;
  const double e = det_exp(-std::fabs(x));
  return (x > 0.0 ? x : 0.0) + det_log(1.0 + e);
}

double det_ndtr(double x) {
  const double a = std::fabs(x);
  double q = 0.0;
  if (!(a >= 38.0)) {
    const double p = horner(ndtr_coefficients, (a - 4.0) / (a + 4.0));
    q = (p / (1.0 + 2.0 * a)) * det_exp(-0.5 * (a * a));
  }
  return x < 0.0 ? q : 1.0 - q;
}

SinCos det_sincos(double x) {
  if (!std::isfinite(x)) return {x - x, x - x};  // not a number
  const double t = x * 0x1.45f306dc9c883p-1 + magic;
  const double k = t - magic;
  const double r =
      ((x - k * 0x1.921fb54400000p+0) - k * 0x1.0b4611a600000p-34) - k * 0x1.3198a2e037073p-69;
  const double z = r * r;
  const double s = r * horner(sin_coefficients, z);
  const double c = horner(cos_coefficients, z);
  switch (static_cast<std::int64_t>(k) & 3) {
    case 0: return {s, c};
    case 1: return {c, -s};
    case 2: return {-s, -c};
    default: return {-c, s};
  }
}

double quantile(std::uint32_t i, int bits) {
  LOGPX_ASSERT(bits >= 1 && bits <= 31 && i > 0 && i < (1u << bits));
  const std::uint32_t half = 1u << (bits - 1);
  if (i == half) return 0.0;
  if (i > half) return -quantile(2 * half - i, bits);
  const double target = static_cast<double>(i) / static_cast<double>(2 * half);
  double low = -9.0, high = 0.0;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (det_ndtr(middle) < target ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

const std::vector<double>& quantile_table(int bits, Workers& workers) {
  static std::array<std::once_flag, 17> built;
  static std::array<std::vector<double>, 17> tables;
  LOGPX_ASSERT(bits >= 1 && bits <= 16);
  std::vector<double>& table = tables[static_cast<std::size_t>(bits)];
  std::call_once(built[static_cast<std::size_t>(bits)], [&] {
    const std::uint32_t half = 1u << (bits - 1), block = 256;
    std::vector<double> values(2 * half + 1);
    values[0] = -std::numeric_limits<double>::infinity();
    values[2 * half] = std::numeric_limits<double>::infinity();
    workers.run((half + block) / block, [&](std::int64_t number) {
      const det::FpEnvironment plain;
      const auto begin = static_cast<std::uint32_t>(number) * block;
      for (std::uint32_t i = begin == 0 ? 1 : begin; i < begin + block && i <= half; ++i) {
        values[i] = quantile(i, bits);
        values[2 * half - i] = -values[i];
      }
    });
    values[half] = 0.0;
    table = std::move(values);
  });
  return table;
}

}  // namespace logpx
