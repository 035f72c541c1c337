// Compiled once per instruction set into namespace LOGPX_ISA; see
// libcore/codec/adaptive/forecast_kernels.hpp.
#include "libcore/codec/adaptive/forecast_kernels.hpp"

namespace logpx::codec::adaptive::LOGPX_ISA {

namespace {

constexpr long lanes = 4;
typedef double Four __attribute__((vector_size(lanes * sizeof(double)), aligned(8), may_alias));

inline Four& four(double* at) { return *reinterpret_cast<Four*>(at); }
inline const Four& four(const double* at) { return *reinterpret_cast<const Four*>(at); }
constexpr long first_lane(long i) { return i / lanes * lanes; }

double dot(const double* a, const double* b, long n) {
  Four even = {0, 0, 0, 0}, odd = {0, 0, 0, 0};
  long i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    even += four(a + i) * four(b + i);
    odd += four(a + i + lanes) * four(b + i + lanes);
  }
  if (i < n) even += four(a + i) * four(b + i);
  even += odd;
  return (even[0] + even[2]) + (even[1] + even[3]);
}

void add_scaled(double* w, const double* x, double scale, long n) {
  const Four s = {scale, scale, scale, scale};
  for (long i = 0; i < n; i += lanes) four(w + i) += s * four(x + i);
}

void follow(FitMoments moments, const double* x, double y, double keep, long n) {
  const double share = 1 - keep, scaled = y * share;
  const Four k = {keep, keep, keep, keep};
  double* row = moments.squares;
  for (long i = 0; i < n; ++i, row += n) {
    const double part = x[i] * share;
    const Four p = {part, part, part, part};
    for (long j = first_lane(i); j < n; j += lanes)
      four(row + j) = four(row + j) * k + p * four(x + j);
  }
  const Four p = {scaled, scaled, scaled, scaled};
  for (long j = 0; j < n; j += lanes)
    four(moments.products + j) = four(moments.products + j) * k + p * four(x + j);
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
      for (long j = first_lane(i); j < n; j += lanes) four(row + j) -= times * four(pivot + j);
      y[i] -= m * y[k];
    }
  }
  return true;
}

void solve(FitMoments moments, double ridge, double* w, long n) {
  double rows[most_taps * most_taps], y[most_taps], inverse[most_taps];
  for (long i = 0; i < n; ++i) {
    for (long j = first_lane(i); j < n; j += lanes)
      four(rows + i * n + j) = four(moments.squares + i * n + j);
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
