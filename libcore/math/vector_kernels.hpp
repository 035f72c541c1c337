// The functions of vector_math.hpp as tables, one per compiled variant. Like every header
// of per_isa sources it uses no standard header.   [math/README 3.5]
#pragma once

namespace logpx::vec {

template <typename T>
using ArrayFunction = void (*)(const T* x, T* out, long n);

template <typename T>
struct ArrayFunctions {
  ArrayFunction<T> exp, expm1, log, log1p, tanh, sin, cos, erf, lgamma, digamma, sigmoid, softplus,
      log_sigmoid;
};

// A function of two arrays, element by element.
using PairFunction = void (*)(const double* a, const double* k, double* out, long n);

// exp(-u^2/2) with u = (x - point) scale, for each x and each point; slopes by x, and by tau where
// by_tau = 1 / tau. What is below 2^-40 counts as 0. Null: not wanted.
struct RbfCall {
  const float *x, *points;
  long rows, columns, row_step;  // row_step: from one row of the results to the next
  float scale, by_tau;
  float *values, *slopes, *tau_slopes;
};

struct VectorKernels {
  const char* name;
  ArrayFunctions<float> floats;
  ArrayFunctions<double> doubles;
  PairFunction log_rising, digamma_rising;
  void (*rbf)(const RbfCall& call);  // null: not there
};

extern const VectorKernels plain_kernels;  // loops over libm, always there
namespace baseline {
extern const VectorKernels kernels;  // SSE2, for CPUs without fused multiply-add: its own bits
}
namespace v3 {
extern const VectorKernels kernels;
extern const VectorKernels scalar_kernels;  // one lane, with the bits of v3 and v4
}  // namespace v3
namespace v4 {
extern const VectorKernels kernels;
}

// The table that this process uses.
[[nodiscard]] const VectorKernels& active_kernels();

}  // namespace logpx::vec
