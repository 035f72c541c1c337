// The inner loops of the ordered product, compiled once per instruction set. This header and its
// sources use no standard header: the linker could keep an inline function of one variant for all.
#pragma once

namespace logpx::det {

struct PackBCall {
  const float* b;
  long row_step, col_step, k, n;
  float* panels;  // for each panel of `columns` columns: [k, columns], short ones padded with 0
};

// One block of rows and of k. Rows start from start[row * start_step + column].
struct BlockCall {
  long m, n, k;
  const float* a;
  long a_row_step, a_col_step;
  float alpha;
  const float* panels;  // first k of the block in the first panel
  long panel_step;      // floats from panel to panel
  const float* start;   // null: zeros
  long start_step;
  float* c;
  long ldc;
  bool last;        // the last block of k: + 0.0f
  float* packed_a;  // room for packed_a_floats(m, k)
};

// One row times a matrix as it lies, whose rows have adjacent elements: without packing.
struct RowCall {
  long n, k;
  const float* a;
  long a_step;
  float alpha;
  const float* b;  // [k, n] at b[i * row_step + j]
  long row_step;
  const float* start;  // null: zeros
  float* c;
};

struct OrderedKernels {
  const char* name;
  long columns;  // of a panel
  long (*packed_b_floats)(long k, long n);
  long (*packed_a_floats)(long m, long k);
  void (*pack_b)(const PackBCall&);
  void (*block)(const BlockCall&);
  void (*row)(const RowCall&);
};

namespace baseline {
extern const OrderedKernels ordered_kernels;
}
namespace v3 {
extern const OrderedKernels ordered_kernels;
}
namespace v4 {
extern const OrderedKernels ordered_kernels;
}

}  // namespace logpx::det
