// Compiled once per instruction set into namespace LOGPX_ISA; see
// libcore/codec/adaptive/forecast_kernels.hpp.
#include "libcore/codec/adaptive/forecast_kernels.hpp"

namespace logpx::codec::adaptive::LOGPX_ISA {

namespace {

constexpr long lanes = 4;
typedef double Four __attribute__((vector_size(lanes * sizeof(double))));
// Four doubles where they lie, at any address: compilers forget such an alignment of a vector
// alone.
struct [[gnu::packed, gnu::may_alias]] FourInPlace {
  Four all;
};

inline FourInPlace& four(double* at) { return *reinterpret_cast<FourInPlace*>(at); }
inline const FourInPlace& four(const double* at) {
  return *reinterpret_cast<const FourInPlace*>(at);
}
constexpr long first_lane(long i) { return i / lanes * lanes; }

double dot(const double* a, const double* b, long n) {
  Four even = {0, 0, 0, 0}, odd = {0, 0, 0, 0};
  long i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    even += four(a + i).all * four(b + i).all;
    odd += four(a + i + lanes).all * four(b + i + lanes).all;
  }
  if (i < n) even += four(a + i).all * four(b + i).all;
  even += odd;
  return (even[0] + even[2]) + (even[1] + even[3]);
}

void add_scaled(double* w, const double* x, double scale, long n) {
  const Four s = {scale, scale, scale, scale};
  for (long i = 0; i < n; i += lanes) four(w + i).all += s * four(x + i).all;
}

void follow(FitMoments moments, const double* x, double y, double keep, long n) {
  const double share = 1 - keep, scaled = y * share;
  const Four k = {keep, keep, keep, keep};
  double* row = moments.squares;
  for (long i = 0; i < n; ++i, row += n) {
    const double part = x[i] * share;
    const Four p = {part, part, part, part};
    for (long j = first_lane(i); j < n; j += lanes)
      four(row + j).all = four(row + j).all * k + p * four(x + j).all;
  }
  const Four p = {scaled, scaled, scaled, scaled};
  for (long j = 0; j < n; j += lanes)
    four(moments.products + j).all = four(moments.products + j).all * k + p * four(x + j).all;
}

// Rows of L^T take the place of the upper triangle, and L^-1 y that of y.
bool eliminate(double* rows, double* y, double* inverse, long n) {
  constexpr double least_pivot = 1e-12;
  for (long k = 0; k < n; ++k) {
    const double* const pivot = rows + k * n;
    if (!(pivot[k] > least_pivot)) return false;
    inverse[k] = 1 / pivot[k];
    for (long i = k + 1; i < n; ++i) {
      const double m = pivot[i] * inverse[k];
      const Four times = {m, m, m, m};
      double* const row = rows + i * n;
      for (long j = first_lane(i); j < n; j += lanes)
        four(row + j).all -= times * four(pivot + j).all;
      y[i] -= m * y[k];
    }
  }
  return true;
}

void solve(FitMoments moments, double ridge, double* w, long n) {
  double rows[most_taps * most_taps], y[most_taps], inverse[most_taps];
  for (long i = 0; i < n; ++i) {
    for (long j = first_lane(i); j < n; j += lanes)
      four(rows + i * n + j).all = four(moments.squares + i * n + j).all;
    rows[i * n + i] += ridge;
    y[i] = moments.products[i];
  }
  if (!eliminate(rows, y, inverse, n)) return;
  for (long i = 0; i < n; ++i) w[i] = 0;
  for (long i = n - 1; i >= 0; --i) {
    const long from = first_lane(i);  // weights up to i are 0
    w[i] = (y[i] - dot(rows + i * n + from, w + from, n - from)) * inverse[i];
  }
}

}  // namespace

constinit const ForecastKernels forecast_kernels = {dot, add_scaled, follow, solve};

}  // namespace logpx::codec::adaptive::LOGPX_ISA
