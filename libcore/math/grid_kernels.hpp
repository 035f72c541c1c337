// Loops over the tables that samples are drawn from (hermite_grid.hpp) and over the functions that
// energies are made of, compiled once per instruction set; every variant gives the same bits. Like
// every header of per_isa sources it uses no standard header.
#pragma once

namespace logpx {

// For each u the cell of F that holds it, and what is known there. u outside is taken for the
// nearest number of [least, most].
template <typename T>
struct CellGathering {
  const double *below, *low, *width;  // of cells; F at their lower edges, and one more
  const long long* first;             // of cells: their first points
  long cells;
  const T* g;  // at the points
  const double* u;
  double least, most;
  // [samples]
  long long* cell;
  double *held, *below_of, *start, *middle, *end, *width_of, *low_of;
};

// For each z the integral from the start of its cell, times a share, as weights of the cell's
// three points.
struct PartGathering {
  const double *starts, *per_width, *width, *sixth;  // of segments; those of widths: of their cells
  long segments, each;                               // each: cells of a segment
  const double *z, *shares;
  // [samples]
  long long* cell;
  double *first, *middle, *last;
};

template <typename T>
struct GridKernels {
  T (*largest)(const T* x, long n);  // what is not a number is passed over
  // x - by; in float what is below -69 becomes -1000.
  void (*lower)(T* x, T by, long n);
  void (*add)(T* to, const T* from, long n);
  void (*scale)(T* x, T by, long n);
  void (*product)(T* to, const double* a, const T* b, long n);  // T(a) b
  // Simpson's rule on the cells of a segment.
  void (*masses)(const T* g, const double* sixth, double* mass, long cells);
  void (*gather)(const CellGathering<T>& call, long n);
};

// Radial functions of some points x at some places of their grid: u = (x - point) scale.
struct RbfTile {
  const double *x, *points;
  long rows, columns, row_step;  // row_step: from one row of the results to the next
  double scale, by_tau;          // by_tau: 1 / tau
};

struct AllGridKernels {
  GridKernels<float> of_floats;
  GridKernels<double> of_doubles;
  void (*parts)(const PartGathering& call, long n);
  // rise (1, 4, 1) to the three points of each cell of a segment, from the last cell on
  void (*spread)(const double* rise, double* sum, long cells);
  // u and -u^2/2, one row after the other; then, with b = exp(-u^2/2), the functions, their slopes
  // by x and those by tau. Null: not wanted.
  void (*rbf_arguments)(const RbfTile& tile, double* u, double* argument);
  void (*rbf_results)(const RbfTile& tile, const double* u, const double* b, double* values,
                      double* slopes, double* tau_slopes);
};

namespace baseline {
extern const AllGridKernels grid_kernels;
}
namespace v3 {
extern const AllGridKernels grid_kernels;
}
namespace v4 {
extern const AllGridKernels grid_kernels;
}

enum class Isa;
[[nodiscard]] const AllGridKernels& grid_kernels_of(Isa isa);
[[nodiscard]] const AllGridKernels& active_grid_kernels();

}  // namespace logpx
