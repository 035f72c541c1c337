// Loops of graph networks, compiled once per instruction set; every variant gives the same bits.
// Like every header of per_isa sources it uses no standard header.   [math/README 4.5]
//
// Each call is about one example. Arrays are row-major, the channels of a row side by side.
#pragma once

namespace logpx {

// Where slopes are added, row by row; the step is 0 if nobody wants them.
template <typename T>
struct SlopeRows {
  T* at;
  long step;
};

// scores[i][j] = q[i] k[j] scale (1 + factor[i][j]) + bias[i][j], channel by channel; the factors
// of a pair come before its biases.
template <typename T>
struct EdgeScoreCall {
  long queries, keys, channels;
  const T *q, *k, *gates;
  T scale;
  T* scores;
  const T* upstream;
  SlopeRows<T> dq, dk, dgates;
  bool adds_gates;  // to what is there
};

// p[i][j] = scores[i][j] less the largest of the keys that the mask shows; -inf where it hides.
template <typename T>
struct KeyShiftCall {
  long queries, keys, channels;
  const T *scores, *mask;
  T *p, *largest;  // largest: room for a row
};
// e^p becomes probabilities p, and out[i] the mean of v under them.
template <typename T>
struct KeyMeanCall {
  long queries, keys, channels;
  T* p;
  const T* v;
  T *out, *sums;  // sums: room for a row
  const T* upstream;
  SlopeRows<T> dscores, dv;
  bool adds_scores;
};

// y = x (1 + factor) + shift for every row; the factors come before the shifts.
template <typename T>
struct ModulateCall {
  long rows, channels;
  const T *x, *film;
  T* y;
  const T* upstream;
  SlopeRows<T> dx;
  T* dfilm;  // added to
  bool adds_x;
};

// Mean, least, largest, and sqrt(variance + floor) of the rows that the mask shows.
template <typename T>
struct RowStatisticsCall {
  long rows, channels;
  const T *x, *mask;
  T floor;
  T* y;  // [4, channels]
  const T* upstream;
  T *dx, *rows_of_four;  // dx is added to; room for four rows
};

template <typename T>
struct GraphKernels {
  void (*edge_scores)(const EdgeScoreCall<T>& call);
  void (*edge_score_slopes)(const EdgeScoreCall<T>& call);
  void (*shift_by_largest)(const KeyShiftCall<T>& call);
  void (*mean_of_keys)(const KeyMeanCall<T>& call);
  void (*mean_of_keys_slopes)(const KeyMeanCall<T>& call);
  void (*modulate)(const ModulateCall<T>& call);
  void (*modulate_slopes)(const ModulateCall<T>& call);
  void (*row_statistics)(const RowStatisticsCall<T>& call);
  void (*row_statistics_slopes)(const RowStatisticsCall<T>& call);
};

struct AllGraphKernels {
  GraphKernels<float> of_floats;
  GraphKernels<double> of_doubles;
};
namespace baseline {
extern const AllGraphKernels graph_kernels;
}
namespace v3 {
extern const AllGraphKernels graph_kernels;
}
namespace v4 {
extern const AllGraphKernels graph_kernels;
}

enum class Isa;
[[nodiscard]] const AllGraphKernels& graph_kernels_of(Isa isa);
// The kernels of the instruction set in use.
template <typename T>
[[nodiscard]] const GraphKernels<T>& graph_kernels();

}  // namespace logpx
