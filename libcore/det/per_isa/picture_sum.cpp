// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/det/picture_sum.hpp.
#include "libcore/det/picture_sum.hpp"

#include "libcore/det/panel_tiles.hpp"

namespace logpx::det::LOGPX_ISA {

namespace {

// How the lanes of a vector lie in the picture: side by side, or half of them `run_step` further.
enum class Lanes { adjacent, halved };

template <typename T>
inline long place_of(const PictureSum<T>& sum, long j) {
  return j / sum.run * sum.run_step + j % sum.run;
}

template <Lanes lanes, typename T>
inline Vector<T> pixels_at(const T* from, long run_step) {
  if constexpr (lanes == Lanes::adjacent) return load<Vector<T>>(from);
  else
    return reinterpret_cast<Vector<T>>(
        joined_halves(load<HalfDoubles>(from), load<HalfDoubles>(from + run_step)));
}

// `rows` rows of `vectors` vectors of C.
template <typename T, int rows, int vectors, Lanes layout>
void sum_tile(const PictureSum<T>& call, long row, long vector) {
  constexpr int lanes = lanes_of<T>;
  using V = Vector<T>;
  T* const c = call.c + row * call.ldc + vector * lanes;
  const long ldc = call.ldc;
  V sum[rows][vectors];
  {
    const T* from = c;
    LOGPX_UNROLLED(int i = 0; i < rows; ++i, from += ldc)
    LOGPX_UNROLLED(int v = 0; v < vectors; ++v) sum[i][v] = load<V>(from + v * lanes);
  }
  const long place = place_of(call, vector * lanes);
  const long next = vectors > 1 ? place_of(call, (vector + 1) * lanes) - place : 0;
  const long w_row = call.weight_row, w_step = call.weight_step;
  const long plane = call.plane, run_step = call.run_step;
  for (const PictureTap *tap = call.tap, *end = tap + call.taps; tap != end; ++tap) {
    // Pointers to every third row; the two rows behind it are reached by steps.
    const T* const w = call.weights + tap->weights + row * w_row;
    const T* third[4] = {w, w + 3 * w_row, w + 6 * w_row, w + 9 * w_row};
    const T* pixels = call.picture + tap->pixels + place;
    for (long channel = call.channels; channel > 0; --channel, pixels += plane) {
      V x[vectors];
      LOGPX_UNROLLED(int v = 0; v < vectors; ++v)
      x[v] = pixels_at<layout>(pixels + v * next, run_step);
      LOGPX_UNROLLED(int i = 0; i < rows; ++i) {
        const T weight = third[i / 3][i % 3 * w_row];
        LOGPX_UNROLLED(int v = 0; v < vectors; ++v) sum[i][v] = sum[i][v] + weight * x[v];
      }
      LOGPX_UNROLLED(int i = 0; i < 4; ++i) third[i] += w_step;
    }
  }
  LOGPX_UNROLLED(int i = 0; i < rows; ++i)
  LOGPX_UNROLLED(int v = 0; v < vectors; ++v) sum[i][v] = sum[i][v] + V{};
  asm volatile("" ::: "memory");  // addresses in C are found now, not kept over the loop
  T* to = c;
  LOGPX_UNROLLED(int i = 0; i < rows; ++i, to += ldc)
  LOGPX_UNROLLED(int v = 0; v < vectors; ++v) store(to + v * lanes, sum[i][v]);
}

template <typename T>
using SumTile = void (*)(const PictureSum<T>&, long row, long vector);

// For each number of rows, of one vector and of two.
template <typename T, Lanes layout>
struct SumTiles {
  SumTile<T> of[tile_rows][2];

  constexpr SumTiles() : of{} { fill<tile_rows>(); }
  template <int rows>
  constexpr void fill() {
    of[rows - 1][0] = sum_tile<T, rows, 1, layout>;
    of[rows - 1][1] = sum_tile<T, rows, 2, layout>;
    if constexpr (rows > 1) fill<rows - 1>();
  }
};
template <typename T, Lanes layout>
constexpr SumTiles<T, layout> sum_tiles;

template <Lanes layout, typename T>
void sum_rows(const PictureSum<T>& call) {
  for (long vector = 0; vector < call.vectors; vector += 2) {
    const long vectors = smaller(2, call.vectors - vector);
    long row = 0;
    for (long left = (call.rows + tile_rows - 1) / tile_rows; left > 0; --left) {
      const long rows = (call.rows - row + left - 1) / left;  // of about the same height each
      sum_tiles<T, layout>.of[rows - 1][vectors - 1](call, row, vector);
      row += rows;
    }
  }
}

template <typename T>
void sum_picture(const PictureSum<T>& call) {
  call.run < lanes_of<T> ? sum_rows<Lanes::halved>(call) : sum_rows<Lanes::adjacent>(call);
}

}  // namespace

constinit const PictureKernels picture_kernels = {vector_bytes, sum_picture<float>,
                                                  sum_picture<double>};

}  // namespace logpx::det::LOGPX_ISA
