// Loops over the samples of a distribution function made of pieces, compiled once per instruction
// set; every variant gives the same bits. Like every header of per_isa sources it uses no standard
// header.
#pragma once

namespace logpx {

// Where the piece that holds u is (cell_guide.hpp), and the ends of the mass.
struct PieceGuide {
  const double* uppers;   // F at the upper ends of pieces, rising to 1
  const unsigned* first;  // for each step of u: the first piece that may hold it
  double steps;
  double low, high;
};

// z = low + d (c_0 + d (c_1 + ..)), d = u - below, for u in (below, upper].
struct InversePiece {
  double below, low;
  double c[5];
  double high;
};

// F(low + t width) = below + mass t (a + t (b + t c)), of slopes `first` and `last` in the unit
// square: a = first, b = 3 - 2 first - last, c = first + last - 2. The cubic with slopes `rise` and
// `end` is about its inverse.
struct HermiteCell {
  double below, inverse_mass, first, last, rise, end, low, width;
};

// A density, up to a factor, at both ends and in the middle of cells; its means over them by
// Simpson's rule, and slopes, of which none is above 3: so F rises. [Fritsch and Carlson 1980]
// Every array has room for so many more cells, whose contents are unspecified afterwards.
inline constexpr long shape_padding = 8;
struct HermiteShapes {
  const double* g;                           // [2 cells + 1]
  double *mean, *first, *last, *rise, *end;  // [cells]
};

// Samples whose cells are given one by one, each by F at its start and the density at its start,
// middle and end: where u lies in the cell, and dz/du there. Whole blocks are read and written, so
// every array has room for `cell_padding` more.
inline constexpr long cell_padding = 8;
struct CellSamples {
  const double *u, *below, *start, *middle, *end, *width;
  double *t, *slope;
};

struct InversionKernels {
  // The ends of the mass for u <= 0 and u >= 1.
  void (*polynomials)(const PieceGuide&, const InversePiece*, const double* u, double* z, long n);
  // By Newton's iteration; NaN where it does not converge. Returns how many do not.
  long (*hermites)(const PieceGuide&, const HermiteCell*, const double* u, double* z, long n);
  void (*shapes)(const HermiteShapes&, long cells);
  // As hermites: t is NaN where Newton's iteration does not converge.
  long (*cells)(const CellSamples&, long n);
};

namespace baseline {
extern const InversionKernels inversion_kernels;
}
namespace v3 {
extern const InversionKernels inversion_kernels;
}
namespace v4 {
extern const InversionKernels inversion_kernels;
}

enum class Isa;
[[nodiscard]] const InversionKernels& inversion_kernels_of(Isa isa);
[[nodiscard]] const InversionKernels& active_inversion_kernels();

}  // namespace logpx
