// The loops of arrays.hpp, compiled once per instruction set. This header and its sources use no
// standard header: the linker could keep an inline function of one variant for all.
#pragma once

namespace logpx::det {

struct ArrayFunction {
  void (*doubles)(const double* x, double* y, long n);
  void (*floats)(const float* x, float* y, long n);
  void (*widened)(const float* x, double* y, long n);
};

struct ArrayKernels {
  const char* name;
  ArrayFunction exp, log, sigmoid, tanh, softplus, ndtr;
  // p(k + 1) / p(k) of a beta-binomial of n trials, k = 0 .. n - 1
  void (*beta_binomial_ratios)(double alpha, double beta, double* ratios, long n);
};

namespace baseline {
extern const ArrayKernels array_kernels;
}
namespace v3 {
extern const ArrayKernels array_kernels;
}
namespace v4 {
extern const ArrayKernels array_kernels;
}

}  // namespace logpx::det
