// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/math/column_loops.hpp.
#include "libcore/math/column_loops.hpp"

#include "libcore/det/panel_vectors.hpp"

namespace logpx::LOGPX_ISA {

namespace {

using namespace det::LOGPX_ISA;

// Equal columns are handled a vector of rows at a time: the columns are transposed into such
// vectors, at most `room` of them.
constexpr long room = 256, stretch = 64;

long least(long a, long b) { return a < b ? a : b; }

template <typename T>
void turn(const T* from, long step, long rows, long k, T* to, long to_step) {
  transpose_rows<lanes_of<T> / piece_lanes<T>>(from, step, rows, k, to, to_step);
}

// From n columns, each a vector of rows, to `rows` rows of them.
template <typename T>
void turn_back(const T* columns, long n, long rows, T* to, long to_step) {
  constexpr long lanes = lanes_of<T>;
  long c = 0;
  for (; c + lanes <= n; c += lanes) turn(columns + c * lanes, lanes, lanes, rows, to + c, to_step);
  if (c == n) return;
  alignas(64) T rest[lanes * lanes];
  turn(columns + c * lanes, lanes, n - c, rows, rest, lanes);
  for (long j = 0; j < rows; ++j)
    for (long i = c; i < n; ++i) to[j * to_step + i] = rest[j * lanes + i - c];
}

template <typename T>
void copy(const AlikeColumns<T>& call) {
  constexpr long lanes = lanes_of<T>;
  alignas(64) T few[room * lanes], some[stretch * lanes];
  if (call.few_columns > room) {
    for (long j = 0; j < call.rows; ++j)
      for (long c = 0; c < call.columns; ++c)
        call.all[j * call.columns + c] = call.few[j * call.few_columns + call.place[c]];
    return;
  }
  for (long row = 0; row < call.rows; row += lanes) {
    const long rows = least(lanes, call.rows - row);
    turn(call.few + row * call.few_columns, call.few_columns, rows, call.few_columns, few, lanes);
    for (long first = 0; first < call.columns; first += stretch) {
      const long n = least(stretch, call.columns - first);
      for (long c = 0; c < n; ++c)
        store(some + c * lanes, load<Vector<T>>(few + call.place[first + c] * lanes));
      turn_back(some, n, rows, call.all + row * call.columns + first, call.columns);
    }
  }
}

template <typename T>
void sum(const AlikeColumns<T>& call) {
  constexpr long lanes = lanes_of<T>;
  alignas(64) T few[room * lanes], some[stretch * lanes];
  if (call.few_columns > room) {
    for (long j = 0; j < call.rows; ++j)
      for (long c = 0; c < call.columns; ++c)
        call.few[j * call.few_columns + call.place[c]] += call.all[j * call.columns + c];
    return;
  }
  for (long row = 0; row < call.rows; row += lanes) {
    const long rows = least(lanes, call.rows - row);
    T* const to = call.few + row * call.few_columns;
    turn(to, call.few_columns, rows, call.few_columns, few, lanes);
    for (long first = 0; first < call.columns; first += stretch) {
      const long n = least(stretch, call.columns - first);
      turn(call.all + row * call.columns + first, call.columns, rows, n, some, lanes);
      for (long c = 0; c < n; ++c) {
        T* const at = few + call.place[first + c] * lanes;
        store(at, load<Vector<T>>(at) + load<Vector<T>>(some + c * lanes));
      }
    }
    turn_back(few, call.few_columns, rows, to, call.few_columns);
  }
}

template <typename T>
void multiply(const T* a, const T* b, T* out, long n) {
#pragma GCC ivdep
  for (long i = 0; i < n; ++i) out[i] = a[i] * b[i];
}
template <typename T>
void add(const T* from, T* to, long n) {
#pragma GCC ivdep
  for (long i = 0; i < n; ++i) to[i] += from[i];
}

template <typename T>
void largest(const T* y, long rows, long columns, T* most) {
  for (long c = 0; c < columns; ++c) most[c] = 0;
  for (long j = 0; j < rows; ++j, y += columns)
#pragma GCC ivdep
    for (long c = 0; c < columns; ++c) most[c] = most[c] < y[c] ? y[c] : most[c];
}

template <typename T>
void scale(T* y, long rows, long columns, const T* factors, T most) {
  for (long j = 0; j < rows; ++j, y += columns)
#pragma GCC ivdep
    for (long c = 0; c < columns; ++c) {
      const T value = y[c] * factors[c];
      y[c] = most < value ? most : value;
    }
}

template <bool adds_a, bool adds_b, typename T>
void part_rows(const PartedProduct<T>& call) {
  for (long begin = 0; begin < call.rows * call.columns; begin += call.columns) {
    const T *const slope = call.slope + begin, *const a = call.a + begin, *const b = call.b + begin;
    T *const of_a = call.of_a + begin, *const of_b = call.of_b + begin;
#pragma GCC ivdep
    for (long c = 0; c < call.columns; ++c) {
      const T value = slope[c] * call.factors[c], s = call.most < value ? call.most : value;
      const T for_a = s * b[c], for_b = s * a[c];
      of_a[c] = adds_a ? of_a[c] + for_a : for_a;
      of_b[c] = adds_b ? of_b[c] + for_b : for_b;
    }
  }
}

template <typename T>
void part(const PartedProduct<T>& call) {
  if (call.adds_a) call.adds_b ? part_rows<true, true>(call) : part_rows<true, false>(call);
  else call.adds_b ? part_rows<false, true>(call) : part_rows<false, false>(call);
}

template <typename T>
constexpr ColumnKernels<T> kernels = {copy<T>,    sum<T>,   multiply<T>, add<T>,
                                      largest<T>, scale<T>, part<T>};

}  // namespace

constinit const AllColumnKernels column_kernels = {kernels<float>, kernels<double>};

}  // namespace logpx::LOGPX_ISA
