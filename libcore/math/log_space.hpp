// Sum layers of probabilistic circuits in log space.   [math/README 5.1]
//
//   forward    y_jb = log sum_i A_ji exp(x_ib) = c_b + log s_jb,   c_b = max_i x_ib,
//              e_ib = exp(x_ib - c_b),   s = A e
//   backward   r_jb = dy_jb / s_jb,   dx = e * (A^T r),   dA += r e^T
//   flows      N = A * dA   (expected counts, when dy is the flow into the sums, that is
//              d log p / dy)
//
// A >= 0 is linear, x and y are logarithms; nodes are rows, the batch is contiguous. The products
// are gemm's. A column of -inf alone gives -inf, as does a row of zeros in A; neither has a flow.
// Terms below the smallest number of T, relative to the column's largest, vanish.
#pragma once

#include "libcore/math/blas.hpp"

#include <cstdint>
#include <span>

namespace logpx {

template <typename T>
struct LogMatmul {
  std::int64_t m = 0, n = 0, batch = 0;
  const T* a = nullptr;  // [m,n]
  const T* x = nullptr;  // [n,batch], rows ldx apart
  std::int64_t ldx = 0;
  T* y = nullptr;  // [m,batch], rows ldy apart
  std::int64_t ldy = 0;
  const T* dy = nullptr;  // as y
  T* dx = nullptr;        // as x; set
  T* da = nullptr;        // as a; added to, unless null
  T* workspace = nullptr;
  Product product = Product::blas;
};

// Elements of workspace that suffice forward and backward.
[[nodiscard]] constexpr std::int64_t log_matmul_workspace(std::int64_t m, std::int64_t n,
                                                          std::int64_t batch) {
  return (m + 2 * n + 1) * batch;
}
void log_matmul(const LogMatmul<float>& call);
void log_matmul(const LogMatmul<double>& call);
// From a, x and dy to dx and da. s is computed again: exp(y - c) would carry the rounding of y.
void log_matmul_backward(const LogMatmul<float>& call);
void log_matmul_backward(const LogMatmul<double>& call);

// N = A * dA; 0 where A is 0, even if dA has overflowed.
void expected_counts(std::span<const float> a, std::span<const float> da, std::span<float> counts);
void expected_counts(std::span<const double> a, std::span<const double> da,
                     std::span<double> counts);

// A Monarch matrix M [m_1..m_d, n_1..n_d] is d layers of R_t small products. Layer t contracts the
// slowest index i_t and appends j_t as the fastest, so that no layer has to permute memory:
//
//   y^t[r, j_t] = log sum_{i_t} A^t[r, j_t, i_t] exp(y^{t-1}[i_t, r])
//   r = (i_{t+1}..i_d, j_1..j_{t-1}),   R_t = n_{t+1}..n_d m_1..m_{t-1}
//
// Each small product is a log_matmul with maxima of its own.
struct MonarchFactor {
  std::int64_t m = 0, n = 0;
};
[[nodiscard]] std::int64_t monarch_edges(std::span<const MonarchFactor> factors);
// Nodes of y^1, .., y^d together, the last m_1..m_d of which are the output.
[[nodiscard]] std::int64_t monarch_nodes(std::span<const MonarchFactor> factors);
[[nodiscard]] std::int64_t monarch_workspace(std::span<const MonarchFactor> factors,
                                             std::int64_t batch);

template <typename T>
struct LogMonarch {
  std::span<const MonarchFactor> factors;
  std::int64_t batch = 0;
  const T* a = nullptr;   // [edges]: the layers in order, each [R_t,m_t,n_t]
  const T* x = nullptr;   // [n_1..n_d,batch]
  T* y = nullptr;         // [nodes,batch]: y^1, .., y^d; backward reads all but the last
  const T* dy = nullptr;  // [m_1..m_d,batch]
  T* dx = nullptr;        // as x; set
  T* da = nullptr;        // as a; added to, unless null
  T* workspace = nullptr;
  Product product = Product::blas;
};
void log_monarch(const LogMonarch<float>& call);
void log_monarch(const LogMonarch<double>& call);
void log_monarch_backward(const LogMonarch<float>& call);
void log_monarch_backward(const LogMonarch<double>& call);

}  // namespace logpx
