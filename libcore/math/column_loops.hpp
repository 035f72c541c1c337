// Loops over matrices [rows, columns] whose columns are examples, compiled once per instruction
// set; every variant gives the same bits. Like every header of per_isa sources it uses no standard
// header.
#pragma once

namespace logpx {

// Columns of which many are alike: column c of `all` belongs to column place[c] of `few`.
template <typename T>
struct AlikeColumns {
  long rows, few_columns, columns;
  T* few;
  T* all;
  const int* place;
};

// The slopes of the factors of a product a b: of_a = s b and of_b = s a, or added to what is there,
// where s = min(slope factor of the column, most).
template <typename T>
struct PartedProduct {
  long rows, columns;
  const T *slope, *factors;
  T most;
  const T *a, *b;
  T *of_a, *of_b;
  bool adds_a, adds_b;
};

// Leaves the `kept` largest numbers of each column of y, none below 0, and sets all others to 0. Of
// equal ones those of the first rows stay.
template <typename T>
struct LargestRows {
  long rows, columns, kept;
  T* y;
  T* room;  // [rows, largest_lanes]
};
inline constexpr long largest_lanes = 16;

// y = A x, column by column, from the numbers of x that are not 0, in the order of their rows.
template <typename T>
struct SparseProduct {
  long m, n, columns;
  const T* turned;  // A transposed, [n, m]
  const T* x;       // row i at x[i * x_step]
  long x_step;
  T* y;  // row j at y[j * y_step]
  long y_step;
  T* room;      // [sparse_room(n)]
  int* places;  // the same
};
// So many columns are computed together. What they keep lies a little apart: in the same places of
// a cache it would displace each other.
inline constexpr long sparse_columns = 32;
[[nodiscard]] constexpr long sparse_room(long n) { return (n + 16) * sparse_columns; }

template <typename T>
struct ColumnKernels {
  void (*copy)(const AlikeColumns<T>& call);  // all[j][c] = few[j][place[c]]
  void (*sum)(const AlikeColumns<T>& call);   // few[j][p] += sum of all[j][c] with place[c] = p
  void (*multiply)(const T* a, const T* b, T* out, long n);
  void (*add)(const T* from, T* to, long n);
  void (*largest)(const T* y, long rows, long columns, T* most);  // of a column, at least 0
  void (*scale)(T* y, long rows, long columns, const T* factors, T most);  // min(y factor, most)
  void (*part)(const PartedProduct<T>& call);
  void (*keep_largest)(const LargestRows<T>& call);
  void (*multiply_sparse)(const SparseProduct<T>& call);
};

struct AllColumnKernels {
  ColumnKernels<float> of_floats;
  ColumnKernels<double> of_doubles;
};
namespace baseline {
extern const AllColumnKernels column_kernels;
}
namespace v3 {
extern const AllColumnKernels column_kernels;
}
namespace v4 {
extern const AllColumnKernels column_kernels;
}

enum class Isa;
[[nodiscard]] const AllColumnKernels& column_kernels_of(Isa isa);
// The kernels of the instruction set in use.
template <typename T>
[[nodiscard]] const ColumnKernels<T>& column_kernels();

}  // namespace logpx
