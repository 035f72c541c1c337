// Vectors of one instruction set, and a few of them transposed: for sources of per_isa alone, each
// of which has these to itself.
#pragma once

namespace logpx::det::LOGPX_ISA {

namespace {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64, tile_rows = 12;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32, tile_rows = 6;
#else
constexpr int vector_bytes = 16, tile_rows = 6;
#endif

template <typename T>
constexpr int lanes_of = vector_bytes / static_cast<int>(sizeof(T));

template <typename T, int bytes>
struct VectorOf {
  typedef T Type __attribute__((vector_size(bytes)));
};
template <typename T>
using Vector = typename VectorOf<T, vector_bytes>::Type;
template <typename T>
using Piece = typename VectorOf<T, 16>::Type;
template <typename T>
constexpr int piece_lanes = 16 / static_cast<int>(sizeof(T));

template <typename V, typename T>
inline V load(const T* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <typename V, typename T>
inline void store(T* to, V v) {
  __builtin_memcpy(to, &v, sizeof v);
}

// low and high: the first and the second halves of two vectors, interleaved within every 16 bytes.
// joined: pieces of 16 bytes, piece(0), piece(1) ..., as one vector; joined_halves: two halves.
using Floats = Vector<float>;
using Doubles = Vector<double>;
using HalfDoubles = typename VectorOf<double, vector_bytes / 2>::Type;
#if defined(__AVX512F__)
inline Doubles low(Doubles a, Doubles b) {
  return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
}
inline Doubles high(Doubles a, Doubles b) {
  return __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
}
inline Floats low(Floats a, Floats b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
}
inline Floats high(Floats a, Floats b) {
  return __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
}
template <typename Pieces>
inline Doubles joined(const Pieces& piece) {
  const auto first = __builtin_shufflevector(piece(0), piece(1), 0, 1, 2, 3);
  const auto second = __builtin_shufflevector(piece(2), piece(3), 0, 1, 2, 3);
  return __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7);
}
inline Doubles joined_halves(HalfDoubles a, HalfDoubles b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}
#elif defined(__AVX2__)
inline Doubles low(Doubles a, Doubles b) { return __builtin_shufflevector(a, b, 0, 4, 2, 6); }
inline Doubles high(Doubles a, Doubles b) { return __builtin_shufflevector(a, b, 1, 5, 3, 7); }
inline Floats low(Floats a, Floats b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
}
inline Floats high(Floats a, Floats b) {
  return __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
}
template <typename Pieces>
inline Doubles joined(const Pieces& piece) {
  return __builtin_shufflevector(piece(0), piece(1), 0, 1, 2, 3);
}
inline Doubles joined_halves(HalfDoubles a, HalfDoubles b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3);
}
#else
inline Doubles low(Doubles a, Doubles b) { return __builtin_shufflevector(a, b, 0, 2); }
inline Doubles high(Doubles a, Doubles b) { return __builtin_shufflevector(a, b, 1, 3); }
inline Floats low(Floats a, Floats b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
inline Floats high(Floats a, Floats b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
template <typename Pieces>
inline Doubles joined(const Pieces& piece) {
  return piece(0);
}
inline Doubles joined_halves(HalfDoubles a, HalfDoubles b) {
  return __builtin_shufflevector(a, b, 0, 1);
}
#endif

inline Floats as_floats(Doubles v) { return reinterpret_cast<Floats>(v); }
inline Doubles as_doubles(Floats v) { return reinterpret_cast<Doubles>(v); }

// to[k * to_step + l] = piece l * piece_lanes + q, element k, for the vectors v[q].
inline void put_transposed(const Doubles (&v)[2], double* to, long to_step) {
  store(to, low(v[0], v[1]));
  store(to + to_step, high(v[0], v[1]));
}
inline void put_transposed(const Doubles (&v)[4], float* to, long to_step) {
  const Floats a = as_floats(v[0]), b = as_floats(v[1]), c = as_floats(v[2]), d = as_floats(v[3]);
  const Doubles low_ab = as_doubles(low(a, b)), low_cd = as_doubles(low(c, d));
  const Doubles high_ab = as_doubles(high(a, b)), high_cd = as_doubles(high(c, d));
  store(to, as_floats(low(low_ab, low_cd)));
  store(to + to_step, as_floats(high(low_ab, low_cd)));
  store(to + 2 * to_step, as_floats(low(high_ab, high_cd)));
  store(to + 3 * to_step, as_floats(high(high_ab, high_cd)));
}

// to[k][j] = from[j][k] for one vector of rows j, of which `rows` are there (the others are 0), and
// all k. There are `pieces` pieces of them, all whole ones unless `pieces` is 0.
template <int pieces, typename T>
inline void transpose_pieces(const T* from, long step, long rows, long k, T* to, long to_step) {
  constexpr int lanes = lanes_of<T>, span = piece_lanes<T>;
  long at = 0;
  for (; at + span <= k; at += span, to += span * to_step) {
    Doubles v[span];
    for (int q = 0; q < span; ++q)
      v[q] = joined([&](int l) {
        const long row = l * span + q;
        const bool there = pieces > 0 ? l < pieces : row < rows;
        return there ? load<Piece<double>>(from + row * step + at) : Piece<double>{};
      });
    put_transposed(v, to, to_step);
  }
  for (; at < k; ++at, to += to_step)
    for (long j = 0; j < lanes; ++j) to[j] = j < rows ? from[j * step + at] : T(0);
}

template <int pieces, typename T>
inline void transpose_rows(const T* from, long step, long rows, long k, T* to, long to_step) {
  if constexpr (pieces == 0) transpose_pieces<0>(from, step, rows, k, to, to_step);
  else {
    if (rows == pieces * piece_lanes<T>) transpose_pieces<pieces>(from, step, rows, k, to, to_step);
    else transpose_rows<pieces - 1>(from, step, rows, k, to, to_step);
  }
}

}  // namespace

}  // namespace logpx::det::LOGPX_ISA
