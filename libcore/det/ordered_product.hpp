// The ordered product in float64: C = alpha A B + beta C, the same bits on every machine, for every
// batch and thread count. Every element is one sum, k ascending, each product rounded, then each
// sum rounded, at the end + 0.0. It starts with beta C, and alpha scales A's elements before they
// are used.   [det/README 3]
//
//   det::multiply({.m = states, .n = windows, .k = states, .a = {weights, states, 1},
//                  .b = {messages, windows, 1}, .c = next, .ldc = windows});
#pragma once

#include <cstdint>

namespace logpx::det {

// Element (i, j) lies at data[i * row_step + j * col_step]; one of the steps is 1.
struct Matrix64 {
  const double* data = nullptr;
  std::int64_t row_step = 0, col_step = 1;
};

struct OrderedProduct {
  std::int64_t m = 0, n = 0, k = 0;
  Matrix64 a{}, b{};  // [m,k], [k,n]
  double* c = nullptr;
  std::int64_t ldc = 0;
  double alpha = 1, beta = 0;
};

struct PanelKernels;  // of one instruction set

void multiply(const OrderedProduct& call);
void multiply(const OrderedProduct& call, const PanelKernels& kernels);

}  // namespace logpx::det
