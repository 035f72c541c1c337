// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/grad/row_kernels.hpp.
#include "libcore/grad/row_kernels.hpp"

namespace logpx::LOGPX_ISA {

namespace {

// In double, in the order of axes.hpp.
template <typename Term>
inline double row_sum(long n, const Term& term) {
  constexpr long width = 8;
  double lanes[width] = {};
  long i = 0;
  for (; i + width <= n; i += width)
    for (long lane = 0; lane < width; ++lane) lanes[lane] += static_cast<double>(term(i + lane));
  for (long lane = 0; i < n; ++i, ++lane) lanes[lane] += static_cast<double>(term(i));
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
         ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

// visit(row) for the rows of a call.
template <typename Visit>
inline void for_each_row(const NormRows& rows, const Visit& visit) {
  for (long r = rows.first; r < rows.first + rows.count; ++r) visit(r);
}

// visit(channel, first, end) for the runs of a row.
template <typename Visit>
inline void for_each_run(const NormRows& rows, const Visit& visit) {
  for (long c = 0; c < rows.channels; ++c) visit(c, c * rows.run, (c + 1) * rows.run);
}

template <typename T>
void moments(const NormCall<T>& given) {
  const NormCall<T> call = given;
  const long n = call.rows.length();
  const auto count = static_cast<double>(n);
  for_each_row(call.rows, [=](long r) {
    const T* const x = call.x + r * n;
    const T mean = static_cast<T>(row_sum(n, [x](long i) { return x[i]; }) / count);
    const double squares = row_sum(n, [=](long i) { return (x[i] - mean) * (x[i] - mean); });
    call.moments[2 * r] = mean;
    call.moments[2 * r + 1] = static_cast<T>(1 / __builtin_sqrt(squares / count + call.eps));
  });
}

template <typename T>
void scale_and_shift(const NormCall<T>& given) {
  const NormCall<T> call = given;
  const NormRows rows = call.rows;
  for_each_row(rows, [=](long r) {
    const long parameter = r % rows.groups * rows.channels;
    const T *const x = call.x + r * rows.length(), *const scale = call.scale + parameter,
                   *const shift = call.shift + parameter;
    T* const y = call.y + (r - rows.first) * rows.length();
    const T mean = call.moments[2 * r], inverse = call.moments[2 * r + 1];
    if (rows.run == 1)
#pragma GCC ivdep
      for (long c = 0; c < rows.channels; ++c) y[c] = (x[c] - mean) * inverse * scale[c] + shift[c];
    else
      for_each_run(rows, [=](long c, long first, long end) {
        const T factor = scale[c], term = shift[c];
#pragma GCC ivdep
        for (long i = first; i < end; ++i) y[i] = (x[i] - mean) * inverse * factor + term;
      });
  });
}

// h = g scale, and what the row adds to the slopes of its parameters.
template <typename T>
inline void take_row(const NormSlopesCall<T>& call, const T* g, long at) {
  const NormRows rows = call.rows;
  const T *const scale = call.scale + at, *const xhat = call.xhat;
  double *const dscale = call.dscale + at, *const dshift = call.dshift + at;
  T* const h = call.h;
  if (rows.run == 1) {
#pragma GCC ivdep
    for (long c = 0; c < rows.channels; ++c) {
      const T one = g[c];
      dshift[c] += static_cast<double>(one);
      dscale[c] += static_cast<double>(one * xhat[c]);
      h[c] = one * scale[c];
    }
    return;
  }
  for_each_run(rows, [=](long c, long first, long end) {
    dshift[c] += row_sum(end - first, [=](long i) { return g[first + i]; });
    dscale[c] += row_sum(end - first, [=](long i) { return g[first + i] * xhat[first + i]; });
    const T factor = scale[c];
#pragma GCC ivdep
    for (long i = first; i < end; ++i) h[i] = g[i] * factor;
  });
}

template <bool adds, typename T>
inline void input_slopes(const NormSlopesCall<T>& call, long n, T inverse, T* dx) {
  const T *const h = call.h, *const xhat = call.xhat;
  const auto count = static_cast<double>(n);
  const T mean = static_cast<T>(row_sum(n, [h](long i) { return h[i]; }) / count);
  const T slope = static_cast<T>(row_sum(n, [=](long i) { return h[i] * xhat[i]; }) / count);
#pragma GCC ivdep
  for (long i = 0; i < n; ++i) {
    const T one = (h[i] - mean - xhat[i] * slope) * inverse;
    dx[i] = adds ? dx[i] + one : one;
  }
}

template <typename T>
void norm_slopes(const NormSlopesCall<T>& given) {
  const NormSlopesCall<T> call = given;
  const NormRows rows = call.rows;
  const long n = rows.length();
  for_each_row(rows, [=](long r) {
    const T *const x = call.x + r * n, mean = call.moments[2 * r],
                   inverse = call.moments[2 * r + 1];
    T* const xhat = call.xhat;
#pragma GCC ivdep
    for (long i = 0; i < n; ++i) xhat[i] = (x[i] - mean) * inverse;
    take_row(call, call.g + (r - rows.first) * n, r % rows.groups * rows.channels);
    if (call.dx == nullptr) return;
    if (call.adds_x) input_slopes<true>(call, n, inverse, call.dx + r * n);
    else input_slopes<false>(call, n, inverse, call.dx + r * n);
  });
}

template <typename T>
void add_column_sums(const ColumnSumsCall<T>& given) {
  const ColumnSumsCall<T> call = given;
  constexpr long width = 256;
  double sums[width];
  for (long first = 0; first < call.columns; first += width) {
    const long n = call.columns - first < width ? call.columns - first : width;
    for (long c = 0; c < n; ++c) sums[c] = 0;
    const T* row = call.d + first;
    for (long r = 0; r < call.rows; ++r, row += call.columns)
      for (long c = 0; c < n; ++c) sums[c] += static_cast<double>(row[c]);
    for (long c = 0; c < n; ++c) call.to[first + c] += static_cast<T>(sums[c]);
  }
}

template <typename T>
constexpr RowKernels<T> kernels = {moments<T>, scale_and_shift<T>, norm_slopes<T>,
                                   add_column_sums<T>};

}  // namespace

constinit const AllRowKernels row_kernels = {kernels<float>, kernels<double>};

}  // namespace logpx::LOGPX_ISA
