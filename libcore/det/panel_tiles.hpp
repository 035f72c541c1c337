// Tiles of a product, whose sums stay in registers: for sources of per_isa alone, each of which has
// these to itself, and rounds as it is compiled (-ffp-contract). See panel_strips.hpp.
#pragma once

#include "libcore/det/panel_vectors.hpp"

namespace logpx::det::LOGPX_ISA {

namespace {

// The sums live in registers only if every loop over rows and vectors is unrolled.
#define LOGPX_UNROLLED _Pragma("GCC unroll 12") for

template <typename T>
struct Tile {
  long k;
  const T* a;
  long a_row, a_k;
  const T* b;
  long b_k;
  T* c;
  long ldc;
  bool adds, last;
};

template <typename T, int rows, int vectors>
void multiply_tile(const Tile<T>& tile) {
  constexpr int lanes = lanes_of<T>;
  using V = Vector<T>;
  V sum[rows][vectors] = {};
  if (tile.adds) {
    const T* from = tile.c;
    LOGPX_UNROLLED(int i = 0; i < rows; ++i, from += tile.ldc)
    LOGPX_UNROLLED(int v = 0; v < vectors; ++v) sum[i][v] = load<V>(from + v * lanes);
  }
  // Pointers to every third row; the two rows behind it are reached by steps.
  const long a_row = tile.a_row, a_k = tile.a_k, b_k = tile.b_k;
  const T* third[4] = {tile.a, tile.a + 3 * a_row, tile.a + 6 * a_row, tile.a + 9 * a_row};
  const T* b = tile.b;
  for (long k = tile.k; k > 0; --k, b += b_k) {
    V w[vectors];
    LOGPX_UNROLLED(int v = 0; v < vectors; ++v) w[v] = load<V>(b + v * lanes);
    LOGPX_UNROLLED(int i = 0; i < rows; ++i) {
      const T x = third[i / 3][i % 3 * a_row];
      LOGPX_UNROLLED(int v = 0; v < vectors; ++v) sum[i][v] = sum[i][v] + x * w[v];
    }
    LOGPX_UNROLLED(int i = 0; i < 4; ++i) third[i] += a_k;
  }
  if (tile.last) {
    LOGPX_UNROLLED(int i = 0; i < rows; ++i)
    LOGPX_UNROLLED(int v = 0; v < vectors; ++v) sum[i][v] = sum[i][v] + V{};
  }
  asm volatile("" ::: "memory");  // addresses in C are found now, not kept over the loop
  T* to = tile.c;
  LOGPX_UNROLLED(int i = 0; i < rows; ++i, to += tile.ldc)
  LOGPX_UNROLLED(int v = 0; v < vectors; ++v) store(to + v * lanes, sum[i][v]);
}

template <typename T>
using TileFunction = void (*)(const Tile<T>&);

// For each number of rows, of one vector and of two.
template <typename T>
struct TileFunctions {
  TileFunction<T> of[tile_rows][2];

  constexpr TileFunctions() : of{} { fill<tile_rows>(); }
  template <int rows>
  constexpr void fill() {
    of[rows - 1][0] = multiply_tile<T, rows, 1>;
    of[rows - 1][1] = multiply_tile<T, rows, 2>;
    if constexpr (rows > 1) fill<rows - 1>();
  }
};
template <typename T>
constexpr TileFunctions<T> tile_functions;

inline long smaller(long a, long b) { return a < b ? a : b; }

}  // namespace

}  // namespace logpx::det::LOGPX_ISA
