// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/det/ordered_kernels.hpp.
#include "libcore/det/ordered_kernels.hpp"

namespace logpx::det::LOGPX_ISA {

namespace {

#if defined(__AVX512F__)
constexpr int lanes = 16, tile_rows = 12;
#elif defined(__AVX2__)
constexpr int lanes = 8, tile_rows = 6;
#else
constexpr int lanes = 4, tile_rows = 6;
#endif
constexpr int tile_vectors = 2, tile_columns = tile_vectors * lanes;

typedef float Vector __attribute__((vector_size(lanes * sizeof(float))));
typedef float Unaligned __attribute__((vector_size(lanes * sizeof(float)), aligned(4), may_alias));
typedef float Four __attribute__((vector_size(16)));
typedef float UnalignedFour __attribute__((vector_size(16), aligned(4), may_alias));
typedef int FourIndices __attribute__((vector_size(16)));

struct Tile {
  long k;
  const float* a;  // [k, a_step]: the rows of the tile side by side
  long a_step;
  const float* b;  // [k, tile_columns]
  const float* start;
  long start_step;
  float* c;
  long ldc;
  bool last;
};

template <int rows, int vectors>
void multiply_tile(const Tile& t) {
  Vector sum[rows][vectors];
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v)
      sum[i][v] = *reinterpret_cast<const Unaligned*>(t.start + i * t.start_step + v * lanes);
  const float* a = t.a;
  const float* b = t.b;
  for (long k = 0; k < t.k; ++k, a += t.a_step, b += tile_columns) {
    Vector w[vectors];
    for (int v = 0; v < vectors; ++v) w[v] = *reinterpret_cast<const Unaligned*>(b + v * lanes);
    for (int i = 0; i < rows; ++i) {
      const Vector x = a[i] - Vector{};  // minus: `+ Vector{}` would be a real addition, for -0
      for (int v = 0; v < vectors; ++v) sum[i][v] = sum[i][v] + x * w[v];
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v)
      *reinterpret_cast<Unaligned*>(t.c + i * t.ldc + v * lanes) =
          t.last ? sum[i][v] + Vector{} : sum[i][v];
}

using TileFunction = void (*)(const Tile&);
template <int vectors>
TileFunction tile_function(long rows) {
  static_assert(tile_rows == 6 || tile_rows == 12);
  constexpr int all = tile_rows;
  switch (rows) {
    case 1: return multiply_tile<1, vectors>;
    case 2: return multiply_tile<2, vectors>;
    case 3: return multiply_tile<3, vectors>;
    case 4: return multiply_tile<4, vectors>;
    case 5: return multiply_tile<5, vectors>;
    case 6: return multiply_tile<6, vectors>;
    case 7: return multiply_tile < all < 7 ? all : 7, vectors > ;
    case 8: return multiply_tile < all < 8 ? all : 8, vectors > ;
    case 9: return multiply_tile < all < 9 ? all : 9, vectors > ;
    case 10: return multiply_tile < all < 10 ? all : 10, vectors > ;
    case 11: return multiply_tile < all < 11 ? all : 11, vectors > ;
    default: return multiply_tile<all, vectors>;
  }
}

// A tile at the right edge goes through a full-width copy of its part of C.
void multiply_edge(Tile t, long rows, long columns) {
  float c[tile_rows * tile_columns];
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < tile_columns; ++j)
      c[i * tile_columns + j] = j < columns ? t.start[i * t.start_step + j] : 0.0f;
  float* const to = t.c;
  const long ldc = t.ldc;
  t.start = c;
  t.start_step = tile_columns;
  t.c = c;
  t.ldc = tile_columns;
  (columns <= lanes ? tile_function<1>(rows) : tile_function<tile_vectors>(rows))(t);
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j) to[i * ldc + j] = c[i * tile_columns + j];
}

// to[j][0..3] = from[0..3][j] for four rows `from_step` apart and four j.
void transpose_four(const float* const from[4], float* to, long to_step, float scale) {
  Four r[4];
  for (int i = 0; i < 4; ++i)
    r[i] = *reinterpret_cast<const UnalignedFour*>(from[i]) * (scale - Four{});
  const Four low01 = __builtin_shuffle(r[0], r[1], FourIndices{0, 4, 1, 5});
  const Four high01 = __builtin_shuffle(r[0], r[1], FourIndices{2, 6, 3, 7});
  const Four low23 = __builtin_shuffle(r[2], r[3], FourIndices{0, 4, 1, 5});
  const Four high23 = __builtin_shuffle(r[2], r[3], FourIndices{2, 6, 3, 7});
  const auto put = [&](long j, Four v) { *reinterpret_cast<UnalignedFour*>(to + j * to_step) = v; };
  put(0, __builtin_shuffle(low01, low23, FourIndices{0, 1, 4, 5}));
  put(1, __builtin_shuffle(low01, low23, FourIndices{2, 3, 6, 7}));
  put(2, __builtin_shuffle(high01, high23, FourIndices{0, 1, 4, 5}));
  put(3, __builtin_shuffle(high01, high23, FourIndices{2, 3, 6, 7}));
}

// to[k][r] = scale * from[r * from_step + k] for r < rows (rows up to a multiple of four are filled
// with the last one).
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

long packed_a_floats(long m, long k) { return (m + tile_rows - 1) / tile_rows * packed_rows * k; }
long panels_of(long n) { return (n + tile_columns - 1) / tile_columns; }
long packed_b_floats(long k, long n) { return panels_of(n) * tile_columns * k; }

void pack_b(const PackBCall& call) {
  for (long panel = 0; panel < panels_of(call.n); ++panel) {
    const long first = panel * tile_columns;
    const long width = call.n - first < tile_columns ? call.n - first : tile_columns;
    float* const to = call.panels + first * call.k;
    const float* const from = call.b + first * call.col_step;
    if (call.row_step == 1 && call.col_step != 1) {
      transpose(from, call.col_step, width, call.k, to, tile_columns, 1.0f);
      for (long k = 0; k < call.k; ++k)
        for (long j = width; j < tile_columns; ++j) to[k * tile_columns + j] = 0.0f;
      continue;
    }
    for (long k = 0; k < call.k; ++k)
      for (long j = 0; j < tile_columns; ++j)
        to[k * tile_columns + j] = j < width ? from[k * call.row_step + j * call.col_step] : 0.0f;
  }
}

// Tiles of `a` as [k, packed_rows] each, unless they lie so already.
void pack_a(const BlockCall& call) {
  for (long row = 0; row < call.m; row += tile_rows) {
    const long rows = call.m - row < tile_rows ? call.m - row : tile_rows;
    float* const to = call.packed_a + row / tile_rows * packed_rows * call.k;
    const float* const from = call.a + row * call.a_row_step;
    if (call.a_col_step == 1) {
      transpose(from, call.a_row_step, rows, call.k, to, packed_rows, call.alpha);
      continue;
    }
    for (long k = 0; k < call.k; ++k)
      for (long i = 0; i < rows; ++i)
        to[k * packed_rows + i] = call.alpha * from[i * call.a_row_step + k * call.a_col_step];
  }
}

void block(const BlockCall& call) {
  static const float zeros[tile_columns] = {};
  const bool in_place = call.a_row_step == 1 && call.alpha == 1.0f;
  if (!in_place) pack_a(call);
  for (long column = 0; column < call.n; column += tile_columns) {
    const long columns = call.n - column < tile_columns ? call.n - column : tile_columns;
    for (long row = 0; row < call.m; row += tile_rows) {
      const long rows = call.m - row < tile_rows ? call.m - row : tile_rows;
      const Tile tile = {
          .k = call.k,
          .a = in_place ? call.a + row : call.packed_a + row / tile_rows * packed_rows * call.k,
          .a_step = in_place ? call.a_col_step : packed_rows,
          .b = call.panels + column / tile_columns * call.panel_step,
          .start = call.start ? call.start + row * call.start_step + column : zeros,
          .start_step = call.start ? call.start_step : 0,
          .c = call.c + row * call.ldc + column,
          .ldc = call.ldc,
          .last = call.last};
      if (columns == tile_columns) tile_function<tile_vectors>(rows)(tile);
      else multiply_edge(tile, rows, columns);
    }
  }
}

#define LOGPX_TEXT_OF(name) #name
#define LOGPX_TEXT(name) LOGPX_TEXT_OF(name)

}  // namespace

constinit const OrderedKernels ordered_kernels = {LOGPX_TEXT(LOGPX_ISA), tile_columns, packed_b_floats,
                                        packed_a_floats,       pack_b,       block};

}  // namespace logpx::det::LOGPX_ISA
