// Compiled once per instruction set into namespace LOGPX_ISA; see
// libcore/math/inversion_kernels.hpp.
// A block of samples goes through three loops: look-ups, copies that bring the numbers of their
// pieces side by side, and arithmetic on several samples at once.
#include "libcore/det/vector_bytes.hpp"
#include "libcore/math/inversion_kernels.hpp"

namespace logpx::LOGPX_ISA {

namespace {

constexpr long lanes = vector_bytes / int{sizeof(double)};

typedef double V __attribute__((vector_size(lanes * sizeof(double))));
typedef long long Words __attribute__((vector_size(lanes * sizeof(double))));
static_assert(lanes <= shape_padding);

constexpr long block = 128;
// Newton's iteration stops at this residual, in shares of a cell.
constexpr double small_residual = 1e-12;
// All samples take two steps; those that have not converged (rough densities) take up to so many
// more.
constexpr int more_steps = 4;

inline V load(const double* x) {
  V v;
  __builtin_memcpy(&v, x, sizeof v);
  return v;
}
inline void store(V v, double* x) { __builtin_memcpy(x, &v, sizeof v); }
inline V smaller(V a, V b) { return a < b ? a : b; }

// The samples of a block, padded with the last one to whole vectors.
struct Found {
  long count, whole;
  double u[block];  // held within [0, 1]
  unsigned piece[block];
};

void find(const PieceGuide& guide, const double* u, long left, Found& found) {
  found.count = left < block ? left : block;
  found.whole = (found.count + lanes - 1) / lanes * lanes;
  for (long i = 0; i < found.whole; ++i) {
    const double x = u[i < found.count ? i : found.count - 1];
    found.u[i] = x > 0 ? (x < 1 ? x : 1) : 0;
  }
  unsigned behind = 0;
  for (long i = 0; i < found.whole; ++i) {
    const double x = found.u[i];
    unsigned piece = guide.first[static_cast<int>(x * guide.steps)];
    piece += guide.uppers[piece] < x ? 1 : 0;
    piece += guide.uppers[piece] < x ? 1 : 0;
    behind |= guide.uppers[piece] < x ? 1 : 0;
    found.piece[i] = piece;
  }
  if (behind == 0) return;
  for (long i = 0; i < found.whole; ++i)
    while (guide.uppers[found.piece[i]] < found.u[i]) ++found.piece[i];
}

// One piece after the other, which is faster than bringing them side by side.
void polynomials(const PieceGuide& guide, const InversePiece* pieces, const double* u, double* z,
                 long n) {
  Found found;
  for (; n > 0; n -= block, u += block, z += block) {
    find(guide, u, n, found);
    for (long i = 0; i < found.count; ++i) {
      const InversePiece& p = pieces[found.piece[i]];
      const double d = found.u[i] - p.below;
      double x = p.low + d * (p.c[0] + d * (p.c[1] + d * (p.c[2] + d * (p.c[3] + d * p.c[4]))));
      x = x > p.low ? x : p.low;
      x = x < p.high ? x : p.high;
      z[i] = found.u[i] < 1 ? x : guide.high;
    }
  }
}

struct Cubic {
  V a, b, c;
  V at(V t) const { return t * (a + t * (b + t * c)); }
  V slope(V t) const { return a + t * (2 * b + t * (3 * c)); }
};
inline Cubic of_slopes(V first, V last) { return {first, 3 - 2 * first - last, first + last - 2}; }

inline Words arrived(V t, V rest) {
  return (rest <= small_residual) & (rest >= -small_residual) & (t >= 0) & (t <= 1);
}
inline bool all_of(Words which) {
  long long every = -1;
  for (long k = 0; k < lanes; ++k) every &= which[k];
  return every != 0;
}

// The numbers of a block's cells, side by side.
struct CellColumns {
  static constexpr long numbers = sizeof(HermiteCell) / sizeof(double);
  double of[numbers][block];
  void copy(const HermiteCell* cells, const Found& found) {
    for (long i = 0; i < found.whole; ++i) {
      double row[numbers];
      __builtin_memcpy(row, cells + found.piece[i], sizeof row);
      for (long k = 0; k < numbers; ++k) of[k][i] = row[k];
    }
  }
};

// Newton's iteration for the share t of a cell's width where the share r of its mass is reached.
class CellRoots {
 public:
  void start(const HermiteCell* cells, const Found& found) {
    whole_ = found.whole;
    columns_.copy(cells, found);
    for (long i = 0; i < whole_; i += lanes) {
      const V r = smaller((load(&found.u[i]) - number(0, i)) * number(1, i), V{} + 1);
      const Cubic f = cubic(i);
      V t = of_slopes(number(4, i), number(5, i)).at(r);
      for (int step = 0; step < 2; ++step) t -= (f.at(t) - r) / f.slope(t);
      store(r, &r_[i]);
      store(t, &t_[i]);
    }
  }
  // A step for samples that have not converged; false if all have. The others stay, so that no
  // sample depends on its neighbours.
  bool step() {
    Words all = V{} == V{};
    for (long i = 0; i < whole_; i += lanes) {
      const Cubic f = cubic(i);
      const V t = load(&t_[i]), rest = f.at(t) - load(&r_[i]);
      const Words there = arrived(t, rest);
      all &= there;
      store(there ? t : t - rest / f.slope(t), &t_[i]);
    }
    return !all_of(all);
  }
  // NaN for samples that still have not converged.
  void give_up() {
    for (long i = 0; i < whole_; i += lanes) {
      const V t = load(&t_[i]);
      const Words there = arrived(t, cubic(i).at(t) - load(&r_[i]));
      store(there ? t : V{} + __builtin_nan(""), &t_[i]);
    }
  }
  void give(double* x) const {
    for (long i = 0; i < whole_; i += lanes)
      store(number(6, i) + load(&t_[i]) * number(7, i), x + i);
  }

 private:
  V number(int k, long i) const { return load(&columns_.of[k][i]); }
  Cubic cubic(long i) const { return of_slopes(number(2, i), number(3, i)); }
  long whole_ = 0;
  CellColumns columns_;
  double r_[block], t_[block];
};

long hermites(const PieceGuide& guide, const HermiteCell* cells, const double* u, double* z,
              long n) {
  Found found;
  CellRoots roots;
  double x[block];
  long lost = 0;
  for (; n > 0; n -= block, u += block, z += block) {
    find(guide, u, n, found);
    roots.start(cells, found);
    int steps = 0;
    while (steps < more_steps && roots.step()) ++steps;
    if (steps == more_steps) roots.give_up();
    roots.give(x);
    for (long i = 0; i < found.count; ++i) {
      const double inside = found.u[i] > 0 ? x[i] : guide.low;
      z[i] = found.u[i] < 1 ? inside : guide.high;
      lost += z[i] == z[i] ? 0 : 1;
    }
  }
  return lost;
}

// Every other number of 2 lanes from x on.
inline V every_other(const double* x) {
  const V a = load(x), b = load(x + lanes);
#if defined(__AVX512F__)
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
#elif defined(__AVX2__)
  return __builtin_shufflevector(a, b, 0, 2, 4, 6);
#else
  return __builtin_shufflevector(a, b, 0, 2);
#endif
}

void shapes(const HermiteShapes& s, long cells) {
  const V most = V{} + 3;
  for (long j = 0; j < cells; j += lanes) {
    const double* const g = s.g + 2 * j;
    const V left = every_other(g), middle = every_other(g + 1), right = every_other(g + 2);
    const V mean = (left + 4 * middle + right) * (1.0 / 6);
    const V first = smaller(left / mean, most), last = smaller(right / mean, most);
    store(mean, s.mean + j);
    store(first, s.first + j);
    store(last, s.last + j);
    store(smaller(1 / first, most), s.rise + j);
    store(smaller(1 / last, most), s.end + j);
  }
}

// Newton's iteration for one vector of samples, whose steps are those of CellRoots.
V root_of(const Cubic& f, V r) {
  V t = r - (f.at(r) - r);
  for (int step = 0; step < 2; ++step) t -= (f.at(t) - r) / f.slope(t);
  for (int step = 0; step < more_steps; ++step) {
    const V rest = f.at(t) - r;
    const Words there = arrived(t, rest);
    if (all_of(there)) return t;
    t = there ? t : t - rest / f.slope(t);
  }
  return arrived(t, f.at(t) - r) ? t : V{} + __builtin_nan("");
}

long cells(const CellSamples& s, long n) {
  const V most = V{} + 3;
  long lost = 0;
  for (long i = 0; i < n; i += lanes) {
    const V start = load(s.start + i), end = load(s.end + i), width = load(s.width + i);
    const V mean = (start + 4 * load(s.middle + i) + end) * (1.0 / 6), mass = mean * width;
    const Cubic f = of_slopes(smaller(start / mean, most), smaller(end / mean, most));
    const V r = smaller((load(s.u + i) - load(s.below + i)) / mass, V{} + 1);
    const V t = root_of(f, r);
    store(t, s.t + i);
    store(1 / (mean * f.slope(t)), s.slope + i);
    for (long k = 0; k < lanes && i + k < n; ++k) lost += t[k] == t[k] ? 0 : 1;
  }
  return lost;
}

}  // namespace

constinit const InversionKernels inversion_kernels = {polynomials, hermites, shapes, cells};

}  // namespace logpx::LOGPX_ISA
