// The matrix product that gives the same bits on every machine, for every batch and thread count:
// y[m][n] = bias[n] + sum_k x[m][k] w[k][n] with one float32 accumulator per output, k ascending,
// each product rounded, then each sum rounded, at the end y + 0.0f.   [det/README 3]
//
//   const det::PackedB packed(w, k, n);                                  // once per step
//   det::gemm({.m = rows, .n = n, .k = k, .a = x, .bias = b, .c = y, .ldc = n}, packed);
#pragma once

#include "libcore/det/isa.hpp"

#include <cstdint>
#include <memory>

namespace logpx::det {

// Element (i, j) lies at data[i * row_step + j * col_step]; one of the steps is 1.
struct Matrix {
  const float* data = nullptr;
  std::int64_t row_step = 0, col_step = 1;
};

struct OrderedGemm {
  std::int64_t m = 0, n = 0, k = 0;
  Matrix a{}, b{};              // [m,k], [k,n]
  const float* bias = nullptr;  // [n]; the accumulators start with it
  float* c = nullptr;
  std::int64_t ldc = 0;
  float alpha = 1;  // scales a's elements, rounded, before they are used
  float beta = 0;   // not 0: the accumulators start with beta C (and there is no bias)
};

// Floats at a 64-byte boundary; grows, never shrinks; contents are lost when it grows.
class FloatBuffer {
 public:
  [[nodiscard]] float* reserve(std::int64_t elements);
  [[nodiscard]] const float* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(float* memory) const;
  };
  std::unique_ptr<float, Free> memory_;
  std::int64_t elements_ = 0;
};

struct OrderedKernels;  // of one instruction set
[[nodiscard]] const OrderedKernels& kernels_of(Isa isa);

// The right-hand matrix in the order in which the kernel reads it.
class PackedB {
 public:
  PackedB() = default;
  PackedB(Matrix b, std::int64_t k, std::int64_t n) { pack(b, k, n); }
  void pack(Matrix b, std::int64_t k, std::int64_t n);  // reuses the memory
  void pack(Matrix b, std::int64_t k, std::int64_t n, const OrderedKernels& kernels);

  [[nodiscard]] std::int64_t k() const { return k_; }
  [[nodiscard]] std::int64_t n() const { return n_; }
  [[nodiscard]] const float* data() const { return panels_.data(); }
  [[nodiscard]] const OrderedKernels& kernels() const { return *kernels_; }

 private:
  FloatBuffer panels_;
  std::int64_t k_ = 0, n_ = 0;
  const OrderedKernels* kernels_ = nullptr;
};

void gemm(const OrderedGemm& call);                    // packs b when that pays
void gemm(const OrderedGemm& call, const PackedB& b);  // call.b is not looked at
// Row by row over b as it lies (col_step 1): what gemm() does for one or two rows.
void multiply_rows(const OrderedGemm& call, const OrderedKernels& kernels);

}  // namespace logpx::det
