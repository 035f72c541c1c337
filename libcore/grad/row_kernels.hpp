// Loops over the rows of a matrix, compiled once per instruction set; every variant gives the same
// bits. Like every header of per_isa sources it uses no standard header.   [math/README 3.5]
#pragma once

namespace logpx {

// Rows of `channels` runs of `run` elements, side by side; run c of row r is scaled by parameter
// (r mod groups) channels + c. Group norm has a row per example and group, layer norm runs of one.
// A call is about rows first .. first + count - 1 of arrays that hold all.
struct NormRows {
  long first = 0, count = 0, channels = 0, run = 1, groups = 1;
  [[nodiscard]] long length() const { return channels * run; }
};

// y = (x - mean) / deviation scale + shift, of these rows alone. The moments of a row are mean and
// 1 / deviation.
template <typename T>
struct NormCall {
  NormRows rows;
  const T *x, *scale, *shift;
  double eps;
  T *moments, *y;
};

// With h = g scale:
//   dx = (h - mean(h) - xhat mean(h xhat)) / deviation, dscale = sum g xhat, dshift = sum g.
template <typename T>
struct NormSlopesCall {
  NormRows rows;
  const T *x, *scale, *moments;
  const T* g;               // of these rows alone
  T *h, *xhat;              // room for a row each
  double *dscale, *dshift;  // added to
  T* dx;                    // null if nobody wants it
  bool adds_x = false;      // to what is there
};

// to[c] += sum over rows of d [rows, columns].
template <typename T>
struct ColumnSumsCall {
  long rows, columns;
  const T* d;
  T* to;
};

template <typename T>
struct RowKernels {
  void (*moments)(const NormCall<T>& call);
  void (*scale_and_shift)(const NormCall<T>& call);
  void (*norm_slopes)(const NormSlopesCall<T>& call);
  void (*add_column_sums)(const ColumnSumsCall<T>& call);
};

struct AllRowKernels {
  RowKernels<float> of_floats;
  RowKernels<double> of_doubles;
};
namespace baseline {
extern const AllRowKernels row_kernels;
}
namespace v3 {
extern const AllRowKernels row_kernels;
}
namespace v4 {
extern const AllRowKernels row_kernels;
}

enum class Isa;
[[nodiscard]] const AllRowKernels& row_kernels_of(Isa isa);
// The kernels of the instruction set in use.
template <typename T>
[[nodiscard]] const RowKernels<T>& row_kernels();

}  // namespace logpx
