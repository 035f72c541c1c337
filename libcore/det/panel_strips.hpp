// Products by strips of columns, each by tiles: for sources of per_isa alone, each of which has
// these to itself. See panel_product.hpp.
#pragma once

#include "libcore/det/panel_product.hpp"
#include "libcore/det/panel_tiles.hpp"

namespace logpx::det::LOGPX_ISA {

namespace {

// A strip of columns is two vectors wide. What a strip of B holds fits the first-level cache, and a
// block of A the second one.
template <typename T>
constexpr long strip_columns = 2 * lanes_of<T>;
constexpr long block_depth = 256, block_rows = 20 * tile_rows;

template <typename T>
inline void copy(const T* from, T* to, long n) {
  long i = 0;
  for (; i + piece_lanes<T> <= n; i += piece_lanes<T>) store(to + i, load<Piece<T>>(from + i));
  for (; i < n; ++i) to[i] = from[i];
}

// A tile whose last columns lie outside C goes through a copy.
template <typename T>
void multiply_edge(TileFunction<T> function, Tile<T> t, long rows, long columns) {
  constexpr long width = strip_columns<T>;
  alignas(64) T c[tile_rows * width];
  T* const to = t.c;
  const long ldc = t.ldc;
  if (t.adds)
    for (long i = 0; i < rows; ++i) {
      store(c + i * width, Vector<T>{});
      store(c + i * width + lanes_of<T>, Vector<T>{});
      copy(to + i * ldc, c + i * width, columns);
    }
  t.c = c;
  t.ldc = width;
  function(t);
  for (long i = 0; i < rows; ++i) copy(c + i * width, to + i * ldc, columns);
}

// Columns [column, column + columns) of B as strips [k, strip_columns], one behind the other; what
// lies outside is 0.
template <typename T>
void pack_strips(const PanelProduct<T>& call, const T* from, long k, long columns, T* strips) {
  constexpr long width = strip_columns<T>, lanes = lanes_of<T>;
  if (call.b_column != 1) {
    for (long j = 0; j < columns; j += lanes)
      transpose_rows<lanes / piece_lanes<T>>(from + j * call.b_column, call.b_column,
                                             smaller(lanes, columns - j), k,
                                             strips + j / width * width * k + j % width, width);
    return;
  }
  for (long row = 0; row < k; ++row, from += call.b_k, strips += width) {
    long j = 0;
    for (; j + width <= columns; j += width) {
      store(strips + j * k, load<Vector<T>>(from + j));
      store(strips + j * k + lanes, load<Vector<T>>(from + j + lanes));
      // The next block's row is often the one behind this one.
      __builtin_prefetch(from + columns + j, 0, 2);
      __builtin_prefetch(from + columns + j + lanes, 0, 2);
    }
    if (j == columns) continue;
    copy(from + j, strips + j * k, columns - j);
    for (long i = columns - j; i < width; ++i) strips[j * k + i] = T(0);
  }
}

// Rows far apart share few sets of the cache: they are copied where more than one tile reads them.
template <typename T>
bool lies_badly(const PanelProduct<T>& call, long columns) {
  if (call.b_column != 1 || columns % lanes_of<T> != 0) return true;
  return call.m > tile_rows && call.b_k * static_cast<long>(sizeof(T)) >= 2048;
}

// Rows [row, row_end) by columns [column, column + columns), with `depth` of k from `k` on.
template <typename T>
void multiply_strip(const PanelProduct<T>& call, Tile<T> tile, long row, long row_end,
                    long columns) {
  const int vectors = columns > lanes_of<T> ? 2 : 1;
  const bool edge = columns % lanes_of<T> != 0;
  const T* const a = tile.a;
  T* const c = tile.c;
  for (long left = (row_end - row + tile_rows - 1) / tile_rows; left > 0; --left) {
    const long rows = (row_end - row + left - 1) / left;  // of about the same height each
    tile.a = a + row * call.a_row;
    tile.c = c + row * call.ldc;
    const TileFunction<T> function = tile_functions<T>.of[rows - 1][vectors - 1];
    edge ? multiply_edge(function, tile, rows, columns) : function(tile);
    row += rows;
  }
}

// Columns [column, column + columns) of C with `depth` of k from `k` on.
template <typename T>
void multiply_columns(const PanelProduct<T>& call, Tile<T> tile, long row, long columns,
                      T* strips) {
  constexpr long width = strip_columns<T>;
  const long row_end = smaller(row + block_rows, call.m);
  const bool packs = lies_badly(call, columns);
  if (packs) pack_strips(call, tile.b, tile.k, columns, strips);
  const T* const b = tile.b;
  T* const c = tile.c;
  for (long j = 0; j < columns; j += width) {
    tile.b = packs ? strips + j * tile.k : b + j;
    tile.b_k = packs ? width : call.b_k;
    tile.c = c + j;
    multiply_strip(call, tile, row, row_end, smaller(width, columns - j));
  }
}

template <typename T>
void multiply(const PanelProduct<T>& call) {
  constexpr long width = strip_columns<T>, room = block_depth * width;
  alignas(64) T strips[room];
  for (long k = 0; k == 0 || k < call.k; k += block_depth) {
    const long depth = smaller(block_depth, call.k - k);
    const long columns = room / (depth > 0 ? depth : 1) / width * width;
    for (long row = 0; row < call.m; row += block_rows)
      for (long column = 0; column < call.n; column += columns) {
        const Tile<T> tile = {.k = depth,
                              .a = call.a + k * call.a_k,
                              .a_row = call.a_row,
                              .a_k = call.a_k,
                              .b = call.b + k * call.b_k + column * call.b_column,
                              .b_k = call.b_k,
                              .c = call.c + column,
                              .ldc = call.ldc,
                              .adds = call.adds || k > 0,
                              .last = k + depth == call.k};
        multiply_columns(call, tile, row, smaller(columns, call.n - column), strips);
      }
  }
}

}  // namespace

}  // namespace logpx::det::LOGPX_ISA
