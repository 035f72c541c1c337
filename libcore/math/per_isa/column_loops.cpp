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

// Numbers from 0 on lie in the order of their bits, read as whole numbers.
template <typename T>
struct WholeOf;
template <>
struct WholeOf<float> {
  typedef int Type;
};
template <>
struct WholeOf<double> {
  typedef long Type;
};
template <typename T>
using Whole = typename WholeOf<T>::Type;

// How many numbers of each column reach its bound, of columns that lie as vectors.
template <typename T>
Vector<Whole<T>> count_from(const T* values, long rows, Vector<Whole<T>> bounds) {
  Vector<Whole<T>> count = {};
  for (long j = 0; j < rows; ++j, values += lanes_of<T>)
    count -= load<Vector<Whole<T>>>(values) >= bounds;
  return count;
}

template <typename T>
bool all_are(Vector<Whole<T>> values, long value) {
  for (long c = 0; c < lanes_of<T>; ++c)
    if (values[c] != value) return false;
  return true;
}

// The largest bounds that at least `kept` numbers of each column reach, bit by bit, unless so many
// reach them exactly before the last bit.
template <typename T>
Vector<Whole<T>> bounds_of(const T* values, long rows, long kept) {
  Vector<Whole<T>> bounds = {};
  for (Whole<T> bit = Whole<T>{1} << (8 * sizeof(T) - 2); bit > 0; bit >>= 1) {
    const Vector<Whole<T>> count = count_from<T>(values, rows, bounds | bit);
    bounds |= (count >= static_cast<Whole<T>>(kept)) & bit;
    if (all_are<T>(count, kept)) break;
  }
  return bounds;
}

template <typename T>
void keep_in_vectors(T* values, long rows, long kept) {
  const Vector<Whole<T>> bounds = bounds_of(values, rows, kept);
  Vector<Whole<T>> equal = static_cast<Whole<T>>(kept) - count_from<T>(values, rows, bounds + 1);
  for (long j = 0; j < rows; ++j, values += lanes_of<T>) {
    const Vector<Whole<T>> bits = load<Vector<Whole<T>>>(values),
                           takes = (bits == bounds) & (equal > 0);
    equal += takes;
    store(values, bits & ((bits > bounds) | takes));
  }
}

template <typename T>
void keep_largest(const LargestRows<T>& call) {
  constexpr long lanes = lanes_of<T>;
  for (long first = 0; first < call.columns; first += lanes) {
    const long n = least(lanes, call.columns - first);
    for (long j = 0; j < call.rows; ++j)
      for (long c = 0; c < lanes; ++c)
        call.room[j * lanes + c] = c < n ? call.y[j * call.columns + first + c] : T{0};
    keep_in_vectors(call.room, call.rows, call.kept);
    for (long j = 0; j < call.rows; ++j)
      for (long c = 0; c < n; ++c) call.y[j * call.columns + first + c] = call.room[j * lanes + c];
  }
}

// The numbers of some columns of x that are not 0, and their rows.
template <typename T>
struct Gathered {
  T* values;
  int* places;
  long apart;  // from one column to the next
  long counts[sparse_columns];
};

template <typename T>
void gather(const SparseProduct<T>& call, long first, long columns, Gathered<T>& to) {
  for (long c = 0; c < columns; ++c) to.counts[c] = 0;
  for (long i = 0; i < call.n; ++i)
    for (long c = 0; c < columns; ++c) {
      const T value = call.x[i * call.x_step + first + c];
      const long place = c * to.apart + to.counts[c];
      to.values[place] = value;
      to.places[place] = static_cast<int>(i);
      to.counts[c] += value != 0 ? 1 : 0;
    }
}

// As many vectors of rows of y, for the columns that were gathered.
template <int vectors, typename T>
void multiply_strip(const SparseProduct<T>& call, const Gathered<T>& x, long columns, long row,
                    T* y) {
  constexpr long lanes = lanes_of<T>;
  alignas(64) T all[vectors * sparse_columns * lanes];
  for (long c = 0; c < columns; ++c) {
    Vector<T> sums[vectors] = {};
    for (long k = c * x.apart; k < c * x.apart + x.counts[c]; ++k) {
      const T* const weights = call.turned + x.places[k] * call.m + row;
      for (int v = 0; v < vectors; ++v)
        sums[v] += x.values[k] * load<Vector<T>>(weights + v * lanes);
    }
    for (int v = 0; v < vectors; ++v) store(all + (v * sparse_columns + c) * lanes, sums[v]);
  }
  for (long j = 0; j < vectors * lanes; ++j)
    for (long c = 0; c < columns; ++c)
      y[(row + j) * call.y_step + c] = all[(j / lanes * sparse_columns + c) * lanes + j % lanes];
}

template <typename T>
void multiply_row(const SparseProduct<T>& call, const Gathered<T>& x, long columns, long row,
                  T* y) {
  for (long c = 0; c < columns; ++c) {
    T sum = 0;
    for (long k = c * x.apart; k < c * x.apart + x.counts[c]; ++k)
      sum += x.values[k] * call.turned[x.places[k] * call.m + row];
    y[row * call.y_step + c] = sum;
  }
}

template <typename T>
void multiply_sparse(const SparseProduct<T>& call) {
  constexpr long lanes = lanes_of<T>;
  Gathered<T> x = {call.room, call.places, sparse_room(call.n) / sparse_columns, {}};
  for (long first = 0; first < call.columns; first += sparse_columns) {
    const long columns = least(sparse_columns, call.columns - first);
    gather(call, first, columns, x);
    T* const y = call.y + first;
    long row = 0;
    for (; row + 8 * lanes <= call.m; row += 8 * lanes) multiply_strip<8>(call, x, columns, row, y);
    for (; row + 2 * lanes <= call.m; row += 2 * lanes) multiply_strip<2>(call, x, columns, row, y);
    for (; row + lanes <= call.m; row += lanes) multiply_strip<1>(call, x, columns, row, y);
    for (; row < call.m; ++row) multiply_row(call, x, columns, row, y);
  }
}

template <typename T>
constexpr ColumnKernels<T> kernels = {copy<T>, sum<T>,          multiply<T>,
                                      add<T>,  largest<T>,      scale<T>,
                                      part<T>, keep_largest<T>, multiply_sparse<T>};

}  // namespace

constinit const AllColumnKernels column_kernels = {kernels<float>, kernels<double>};

}  // namespace logpx::LOGPX_ISA
