// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/math/grid_kernels.hpp.
#include "libcore/math/grid_kernels.hpp"

namespace logpx::LOGPX_ISA {

namespace {

constexpr long abreast = 64;  // accumulators that do not wait for each other

template <typename T>
T larger(T a, T b) {
  return a < b ? b : a;
}

template <typename T>
T largest(const T* x, long n) {
  T best[abreast];
  for (T& value : best) value = -static_cast<T>(__builtin_inf());
  long i = 0;
  for (; i + abreast <= n; i += abreast)
    for (long lane = 0; lane < abreast; ++lane) best[lane] = larger(best[lane], x[i + lane]);
  for (; i < n; ++i) best[0] = larger(best[0], x[i]);
  for (long half = abreast / 2; half > 0; half /= 2)
    for (long lane = 0; lane < half; ++lane) best[lane] = larger(best[lane], best[lane + half]);
  return best[0];
}

void lower_floats(float* x, float by, long n) {
  for (long i = 0; i < n; ++i) {
    const float value = x[i] - by;
    x[i] = value < -69 ? -1000 : value;
  }
}
void lower_doubles(double* x, double by, long n) {
  for (long i = 0; i < n; ++i) x[i] -= by;
}

template <typename T>
void add(T* to, const T* from, long n) {
#pragma GCC ivdep
  for (long i = 0; i < n; ++i) to[i] += from[i];
}
template <typename T>
void scale(T* x, T by, long n) {
  for (long i = 0; i < n; ++i) x[i] *= by;
}
template <typename T>
void product(T* to, const double* a, const T* b, long n) {
#pragma GCC ivdep
  for (long i = 0; i < n; ++i) to[i] = static_cast<T>(a[i]) * b[i];
}

template <typename T>
void masses(const T* g, const double* sixth, double* mass, long cells) {
#pragma GCC ivdep
  for (long k = 0; k < cells; ++k) {
    const auto first = static_cast<double>(g[2 * k]), middle = static_cast<double>(g[2 * k + 1]),
               last = static_cast<double>(g[2 * k + 2]);
    mass[k] = sixth[k] * (first + 4 * middle + last);
  }
}

// The first cell whose upper edge is at least u, for all samples side by side.
template <typename T>
void find(const CellGathering<T>& c, long n) {
  const double* const uppers = c.below + 1;
  for (long i = 0; i < n; ++i) {
    const double u = c.u[i] < c.least ? c.least : c.u[i];
    c.held[i] = c.most < u ? c.most : u;
    c.cell[i] = 0;
  }
  for (long length = c.cells; length > 1;) {
    const long half = length / 2;
    const double* const middle = uppers + half - 1;
#pragma GCC ivdep
    for (long i = 0; i < n; ++i) c.cell[i] += middle[c.cell[i]] < c.held[i] ? half : 0;
    length -= half;
  }
#pragma GCC ivdep
  for (long i = 0; i < n; ++i) c.cell[i] += uppers[c.cell[i]] < c.held[i] ? 1 : 0;
}

template <typename T>
void gather(const CellGathering<T>& given, long n) {
  const CellGathering<T> c = given;
  find(c, n);
#pragma GCC ivdep
  for (long i = 0; i < n; ++i) {
    const long long k = c.cell[i];
    c.below_of[i] = c.below[k];
    c.width_of[i] = c.width[k];
    c.low_of[i] = c.low[k];
    const T* const g = c.g + c.first[k];
    c.start[i] = static_cast<double>(g[0]);
    c.middle[i] = static_cast<double>(g[1]);
    c.end[i] = static_cast<double>(g[2]);
  }
}

void parts(const PartGathering& given, long n) {
  const PartGathering p = given;
  for (long i = 0; i < n; ++i) p.cell[i] = 0;
  for (long s = 1; s < p.segments; ++s)
    for (long i = 0; i < n; ++i) p.cell[i] += p.z[i] >= p.starts[s] ? 1 : 0;
#pragma GCC ivdep
  for (long i = 0; i < n; ++i) {
    const long long segment = p.cell[i];
    const double width = p.width[segment], share = p.shares[i];
    const double reached = (p.z[i] - p.starts[segment]) * p.per_width[segment];
    const double place = reached < 0 ? 0 : reached;
    const auto whole_cells = static_cast<long long>(place);
    const long long inside = whole_cells < p.each ? whole_cells : p.each - 1;
    const double rest = place - static_cast<double>(inside), t = 1 < rest ? 1 : rest;
    const double whole = p.sixth[segment] * t * t * (3 - 2 * t);  // Simpson's, risen so far
    p.cell[i] = segment * p.each + inside;
    p.first[i] = share * (whole + width * t * (1 - t) * (1 - t));
    p.middle[i] = share * (4 * whole);
    p.last[i] = share * (whole - width * t * t * (1 - t));
  }
}

void spread(const double* rise, double* sum, long cells) {
  sum[0] += rise[0];
  sum[2 * cells] += rise[cells - 1];
#pragma GCC ivdep
  for (long k = 0; k < cells; ++k) sum[2 * k + 1] += 4 * rise[k];
#pragma GCC ivdep
  for (long k = 1; k < cells; ++k) sum[2 * k] = sum[2 * k] + rise[k] + rise[k - 1];
}

void rbf_arguments(const RbfTile& given, double* u, double* argument) {
  const RbfTile t = given;
  for (long r = 0; r < t.rows; ++r) {
    const double x = t.x[r];
    double* const row = u + r * t.columns;
#pragma GCC ivdep
    for (long k = 0; k < t.columns; ++k) row[k] = (x - t.points[k]) * t.scale;
  }
#pragma GCC ivdep
  for (long i = 0; i < t.rows * t.columns; ++i) argument[i] = -0.5 * u[i] * u[i];
}

// out[r, k] = value(u, b)
template <typename Value>
void put_rows(const RbfTile& t, const double* u, const double* b, double* out, Value value) {
  if (out == nullptr) return;
  for (long r = 0; r < t.rows; ++r) {
    const double *const us = u + r * t.columns, *const bs = b + r * t.columns;
    double* const row = out + r * t.row_step;
#pragma GCC ivdep
    for (long k = 0; k < t.columns; ++k) row[k] = value(us[k], bs[k]);
  }
}
void rbf_results(const RbfTile& given, const double* u, const double* b, double* values,
                 double* slopes, double* tau_slopes) {
  const RbfTile t = given;
  put_rows(t, u, b, values, [](double, double each) { return each; });
  put_rows(t, u, b, slopes, [scale = -t.scale](double v, double each) { return scale * v * each; });
  put_rows(t, u, b, tau_slopes,
           [by = t.by_tau](double v, double each) { return by * v * v * each; });
}

}  // namespace

constinit const AllGridKernels grid_kernels = {
    {largest<float>, lower_floats, add<float>, scale<float>, product<float>, masses<float>,
     gather<float>},
    {largest<double>, lower_doubles, add<double>, scale<double>, product<double>, masses<double>,
     gather<double>},
    parts,
    spread,
    rbf_arguments,
    rbf_results};

}  // namespace logpx::LOGPX_ISA
