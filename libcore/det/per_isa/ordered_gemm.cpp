// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/det/ordered_kernels.hpp.
#include "libcore/det/ordered_kernels.hpp"
#include "libcore/det/vector_bytes.hpp"

namespace logpx::det::LOGPX_ISA {

namespace {

constexpr int lanes = vector_bytes / int{sizeof(float)};
constexpr int tile_rows = vector_bytes == 64 ? 12 : 6;
constexpr int tile_columns = 2 * lanes;
// Panels at the right edge are cut to a multiple of this.
constexpr int unit = lanes > 4 ? lanes / 2 : 4;

typedef float Vector __attribute__((vector_size(lanes * sizeof(float))));
typedef float VectorAt __attribute__((vector_size(lanes * sizeof(float)), aligned(4), may_alias));
typedef float Part __attribute__((vector_size(unit * sizeof(float))));
typedef float PartAt __attribute__((vector_size(unit * sizeof(float)), aligned(4), may_alias));
typedef float Four __attribute__((vector_size(16)));
typedef float FourAt __attribute__((vector_size(16), aligned(4), may_alias));

// The sums live in registers only if every loop over rows and vectors is unrolled.
#define LOGPX_UNROLLED _Pragma("GCC unroll 12") for

// *x times every lane. `- Vector{}` makes the broadcast; `+ Vector{}` would be an addition, for -0.
// AVX-512 broadcasts in the multiplication; a register of its own costs a slot of the add pipes.
#if defined(__AVX512F__)
inline Vector product(const float* x, Vector w) {
  Vector p;
  asm("vmulps %1%{1to16%}, %2, %0" : "=v"(p) : "m"(*x), "v"(w));
  return p;
}
inline Part product(const float* x, Part w) {
  Part p;
  asm("vmulps %1%{1to8%}, %2, %0" : "=v"(p) : "m"(*x), "v"(w));
  return p;
}
#else
template <typename V>
inline V product(const float* x, V w) {
  return (*x - V{}) * w;
}
#endif

struct Tile {
  long k;
  const float* a;  // element (row, k) at a[row * a_row_step + k * a_k_step]; one step is 1
  long a_row_step, a_k_step;
  const float* b;  // [k, tile_columns]
  const float* start;
  long start_step;
  float* c;
  long ldc;
  bool last;
};

enum class Rows { adjacent, apart };  // in memory, for one k

// C tile of `rows` x `units * unit`.
template <int rows, int units, Rows layout>
void multiply_tile(const Tile& tile) {
  constexpr int vectors = units * unit / lanes, parts = (units * unit - vectors * lanes) / unit;
  constexpr int part_at = vectors * lanes;
  const Tile t = tile;
  Vector sum[rows][vectors + 1];
  Part part[rows];
  LOGPX_UNROLLED(int i = 0; i < rows; ++i) {
    const float* const from = t.start + i * t.start_step;
    LOGPX_UNROLLED(int v = 0; v < vectors; ++v)
    sum[i][v] = *reinterpret_cast<const VectorAt*>(from + v * lanes);
    if constexpr (parts > 0) part[i] = *reinterpret_cast<const PartAt*>(from + part_at);
  }
  // Pointers to every third row; the two rows behind it are reached by steps.
  const long row_step = layout == Rows::adjacent ? 1 : t.a_row_step;
  const float* third[4] = {t.a, t.a + 3 * row_step, t.a + 6 * row_step, t.a + 9 * row_step};
  const long k_step = layout == Rows::adjacent ? t.a_k_step : 1;
  const float* b = t.b;
  for (long k = t.k; k > 0; --k, b += tile_columns) {
    Vector w[vectors + 1];
    Part w_part{};
    LOGPX_UNROLLED(int v = 0; v < vectors; ++v)
    w[v] = *reinterpret_cast<const VectorAt*>(b + v * lanes);
    if constexpr (parts > 0) w_part = *reinterpret_cast<const PartAt*>(b + part_at);
    LOGPX_UNROLLED(int i = 0; i < rows; ++i) {
      const float* const x = third[i / 3] + i % 3 * row_step;
      LOGPX_UNROLLED(int v = 0; v < vectors; ++v)
      sum[i][v] = sum[i][v] + product(x, w[v]);
      if constexpr (parts > 0) part[i] = part[i] + product(x, w_part);
    }
    LOGPX_UNROLLED(int i = 0; i < 4; ++i) third[i] += k_step;
  }
  LOGPX_UNROLLED(int i = 0; i < rows; ++i) {
    float* const to = t.c + i * t.ldc;
    LOGPX_UNROLLED(int v = 0; v < vectors; ++v)
    *reinterpret_cast<VectorAt*>(to + v * lanes) = t.last ? sum[i][v] + Vector{} : sum[i][v];
    if constexpr (parts > 0)
      *reinterpret_cast<PartAt*>(to + part_at) = t.last ? part[i] + Part{} : part[i];
  }
}

using TileFunction = void (*)(const Tile&);

template <int units, Rows layout, int most = tile_rows>
TileFunction function_for(long rows) {
  if constexpr (most == 1) return multiply_tile<1, units, layout>;
  else
    return rows == most ? multiply_tile<most, units, layout>
                        : function_for<units, layout, most - 1>(rows);
}

template <Rows layout, int most = tile_columns / unit>
TileFunction function_for(long rows, long columns) {
  if constexpr (most == 1) return function_for<1, layout>(rows);
  else
    return columns > (most - 1) * unit ? function_for<most, layout>(rows)
                                       : function_for<layout, most - 1>(rows, columns);
}

void copy(const float* from, float* to, long n) {
  long i = 0;
  for (; i + 4 <= n; i += 4)
    *reinterpret_cast<FourAt*>(to + i) = *reinterpret_cast<const FourAt*>(from + i);
  for (; i < n; ++i) to[i] = from[i];
}

// A tile whose last columns lie outside C goes through a full-width copy.
void multiply_edge(TileFunction function, Tile t, long rows, long columns) {
  float c[tile_rows * tile_columns] = {}, start[tile_columns] = {};
  float* const to = t.c;
  const long ldc = t.ldc;
  if (t.start_step == 0) {
    copy(t.start, start, columns);
    t.start = start;
  } else {
    for (long i = 0; i < rows; ++i) copy(t.start + i * t.start_step, c + i * tile_columns, columns);
    t.start = c;
    t.start_step = tile_columns;
  }
  t.c = c;
  t.ldc = tile_columns;
  function(t);
  for (long i = 0; i < rows; ++i) copy(c + i * tile_columns, to + i * ldc, columns);
}

// to[j][0..3] = scale * from[0..3][j] for j = 0..3.
void transpose_four(const float* const from[4], float* to, long to_step, float scale) {
  Four r[4];
  for (int i = 0; i < 4; ++i) r[i] = *reinterpret_cast<const FourAt*>(from[i]) * (scale - Four{});
  const Four low01 = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
  const Four high01 = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
  const Four low23 = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
  const Four high23 = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
  const auto put = [&](long j, Four v) { *reinterpret_cast<FourAt*>(to + j * to_step) = v; };
  put(0, __builtin_shufflevector(low01, low23, 0, 1, 4, 5));
  put(1, __builtin_shufflevector(low01, low23, 2, 3, 6, 7));
  put(2, __builtin_shufflevector(high01, high23, 0, 1, 4, 5));
  put(3, __builtin_shufflevector(high01, high23, 2, 3, 6, 7));
}

// to[k][r] = scale * from[r * from_step + k] for r < rows; rows up to a multiple of four are filled
// with the last one.
void transpose(const float* from, long from_step, long rows, long k, float* to, long to_step,
               float scale) {
  for (long r = 0; r < rows; r += 4) {
    const float* source[4];
    for (long i = 0; i < 4; ++i) source[i] = from + (r + i < rows ? r + i : rows - 1) * from_step;
    long j = 0;
    for (; j + 4 <= k; j += 4) {
      transpose_four(source, to + j * to_step + r, to_step, scale);
      for (auto& s : source) s += 4;
    }
    for (; j < k; ++j)
      for (long i = 0; i < 4; ++i) to[j * to_step + r + i] = scale * *source[i]++;
  }
}

constexpr long packed_rows = (tile_rows + 3) / 4 * 4;

long smaller(long a, long b) { return a < b ? a : b; }
long panels_of(long n) { return (n + tile_columns - 1) / tile_columns; }
long packed_a_floats(long m, long k) { return (m + tile_rows - 1) / tile_rows * packed_rows * k; }
long packed_b_floats(long k, long n) { return panels_of(n) * tile_columns * k; }

void pack_b(const PackBCall& call) {
  for (long first = 0; first < call.n; first += tile_columns) {
    const long width = smaller(tile_columns, call.n - first);
    float* const to = call.panels + first * call.k;
    const float* const from = call.b + first * call.col_step;
    if (call.col_step == 1 && width == tile_columns) {
      for (long k = 0; k < call.k; ++k)
        for (long j = 0; j < tile_columns; j += lanes)
          *reinterpret_cast<VectorAt*>(to + k * tile_columns + j) =
              *reinterpret_cast<const VectorAt*>(from + k * call.row_step + j);
      continue;
    }
    if (call.row_step == 1) transpose(from, call.col_step, width, call.k, to, tile_columns, 1.0f);
    else
      for (long k = 0; k < call.k; ++k)
        for (long j = 0; j < width; ++j)
          to[k * tile_columns + j] = from[k * call.row_step + j * call.col_step];
    for (long k = 0; k < call.k; ++k)
      for (long j = width; j < tile_columns; ++j) to[k * tile_columns + j] = 0.0f;
  }
}

// Tiles of `a` as [k, packed_rows] each, scaled.
void pack_a(const BlockCall& call) {
  for (long row = 0; row < call.m; row += tile_rows) {
    const long rows = smaller(tile_rows, call.m - row);
    float* const to = call.packed_a + row / tile_rows * packed_rows * call.k;
    const float* const from = call.a + row * call.a_row_step;
    if (call.a_col_step == 1) {
      transpose(from, call.a_row_step, rows, call.k, to, packed_rows, call.alpha);
      continue;
    }
    for (long k = 0; k < call.k; ++k) {
      const float* const column = from + k * call.a_col_step;
      if (call.a_row_step == 1 && call.alpha == 1.0f) copy(column, to + k * packed_rows, rows);
      else
        for (long i = 0; i < rows; ++i)
          to[k * packed_rows + i] = call.alpha * column[i * call.a_row_step];
    }
  }
}

// Packing A pays when many panels read it, or a long stretch of it.
constexpr long few_columns = 4 * tile_columns, short_k = 64;

enum class Layout { packed, adjacent, apart };  // of the rows of A for one k

Layout layout_of(const BlockCall& call) {
  const bool unit_step = call.a_row_step == 1 || call.a_col_step == 1;
  const bool pays = call.n > few_columns && call.k > short_k;
  if (pays || !unit_step || call.alpha != 1.0f) return Layout::packed;
  return call.a_row_step == 1 ? Layout::adjacent : Layout::apart;
}

void one_tile(const BlockCall& call, Layout layout, long row, long column) {
  static const float zeros[tile_columns] = {};
  const long rows = smaller(tile_rows, call.m - row);
  const long columns = smaller(tile_columns, call.n - column);
  const bool packed = layout == Layout::packed;
  const Tile tile = {.k = call.k,
                     .a = packed ? call.packed_a + row / tile_rows * packed_rows * call.k
                                 : call.a + row * call.a_row_step,
                     .a_row_step = packed ? 1 : call.a_row_step,
                     .a_k_step = packed ? packed_rows : call.a_col_step,
                     .b = call.panels + column / tile_columns * call.panel_step,
                     .start = call.start ? call.start + row * call.start_step + column : zeros,
                     .start_step = call.start ? call.start_step : 0,
                     .c = call.c + row * call.ldc + column,
                     .ldc = call.ldc,
                     .last = call.last};
  const TileFunction function = layout == Layout::apart
                                    ? function_for<Rows::apart>(rows, columns)
                                    : function_for<Rows::adjacent>(rows, columns);
  if (columns % unit == 0) function(tile);
  else multiply_edge(function, tile, rows, columns);
}

void block(const BlockCall& call) {
  const Layout layout = layout_of(call);
  if (layout == Layout::packed) pack_a(call);
  for (long column = 0; column < call.n; column += tile_columns)
    for (long row = 0; row < call.m; row += tile_rows) one_tile(call, layout, row, column);
}

// Columns [first, first + vectors * lanes) of one row.
template <int vectors>
void row_columns(const RowCall& call, long first) {
  Vector sum[vectors];
  LOGPX_UNROLLED(int v = 0; v < vectors; ++v)
  sum[v] =
      call.start ? *reinterpret_cast<const VectorAt*>(call.start + first + v * lanes) : Vector{};
  for (long k = 0; k < call.k; ++k) {
    const float x = call.alpha * call.a[k * call.a_step];
    if (x == 0) continue;  // cannot change the bits, as -0 becomes +0 at the end
    const float* const b = call.b + k * call.row_step + first;
    LOGPX_UNROLLED(int v = 0; v < vectors; ++v)
    sum[v] += product(&x, *reinterpret_cast<const VectorAt*>(b + v * lanes));
  }
  LOGPX_UNROLLED(int v = 0; v < vectors; ++v)
  *reinterpret_cast<VectorAt*>(call.c + first + v * lanes) = sum[v] + Vector{};
}

void row(const RowCall& call) {
  long column = 0;
  for (; column + 8 * lanes <= call.n; column += 8 * lanes) row_columns<8>(call, column);
  for (; column + lanes <= call.n; column += lanes) row_columns<1>(call, column);
  for (; column < call.n; ++column) {
    float sum = call.start ? call.start[column] : 0.0f;
    for (long k = 0; k < call.k; ++k) {
      const float x = call.alpha * call.a[k * call.a_step];
      if (x != 0) sum += x * call.b[k * call.row_step + column];
    }
    call.c[column] = sum + 0.0f;
  }
}

#define LOGPX_TEXT_OF(name) #name
#define LOGPX_TEXT(name) LOGPX_TEXT_OF(name)
}  // namespace

constinit const OrderedKernels ordered_kernels = {
    LOGPX_TEXT(LOGPX_ISA), tile_columns, packed_b_floats, packed_a_floats, pack_b, block, row};

}  // namespace logpx::det::LOGPX_ISA
