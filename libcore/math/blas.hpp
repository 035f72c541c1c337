// Matrix products. gemm is OpenBLAS on one thread; gemm_ordered (libcore/det) gives the same bits
// on every machine, for every batch.   [math/README 3.2]
#pragma once

#include "libcore/math/repeatable.hpp"

#include <cstdint>
#include <mutex>
#include <span>
#include <string>

namespace logpx {

// OpenBLAS allocates 128 MiB for each product that is under way, and if that fails it retries for
// ever. Under a memory limit (ulimit -v) a call therefore waits for its turn: only as many run at
// once as have found room before. If not even one does, memory is out.
//
//   const BlasTurn turn(take_buffer);
//   multiply(a, b);   // by OpenBLAS

class BlasTurn {
 public:
  // The function makes a call that allocates such a buffer, which OpenBLAS then keeps for later
  // calls; std::bad_alloc if there is no room for one.
  explicit BlasTurn(void (*take_buffer)());
  ~BlasTurn();
  BlasTurn(const BlasTurn&) = delete;
  BlasTurn& operator=(const BlasTurn&) = delete;
};

// oneDNN dies of memory that it does not get while it makes a primitive. Under a limit one thread
// at a time makes them, with room for it while nobody takes a buffer; std::bad_alloc if there is
// none.
class PrimitiveTurn {
 public:
  PrimitiveTurn();

 private:
  std::unique_lock<std::mutex> lock_;
};

enum class Trans { no, yes };

// C = alpha op(A) op(B) + beta C, row-major; op(A) is [m,k], op(B) is [k,n], C is [m,n].
// Leading dimensions count elements between rows as stored.
template <typename T>
struct Gemm {
  Trans trans_a = Trans::no, trans_b = Trans::no;
  std::int64_t m = 0, n = 0, k = 0;
  const T* a = nullptr;
  std::int64_t lda = 0;
  const T* b = nullptr;
  std::int64_t ldb = 0;
  T* c = nullptr;
  std::int64_t ldc = 0;
  T alpha = 1, beta = 0;
};

// Ordered while a RepeatableFunctions lives on this thread.
void gemm(const Gemm<float>& call);
void gemm(const Gemm<double>& call);
// One accumulator per output, k ascending; the product is rounded, then the sum. B must be finite:
// with one or two rows of floats an element 0 of A skips its products, so that an infinity there
// would go unnoticed. For doubles no product is skipped.
void gemm_ordered(const Gemm<float>& call);
void gemm_ordered(const Gemm<double>& call);

// By oneDNN, the factors rounded to 8 bits; small products, and those of doubles, as gemm.
void gemm_bf16(const Gemm<float>& call);
inline void gemm_bf16(const Gemm<double>& call) { gemm(call); }

template <typename T>
void gemm(const Gemm<T>& call, Product product) {
  switch (product) {
    case Product::blas: return gemm(call);
    case Product::bf16: return gemm_bf16(call);
    case Product::ordered: return gemm_ordered(call);
  }
}

// LAPACK's dsyevd on a symmetric matrix [n,n], of which the part on and below the diagonal counts.
// Values rise; with `vectors` the matrix becomes their rows, else it is destroyed. False when the
// iteration fails. (eigen.hpp checks what goes in.)
enum class EigenJob { values, vectors };
[[nodiscard]] bool symmetric_eigen(EigenJob job, std::int64_t n, std::span<double> matrix,
                                   std::span<double> values);

// Limits the calling thread to one BLAS and one OpenMP thread. Every thread that computes calls it
// before its first product; further calls are cheap.
void single_threaded_kernels();
// For a program in which nothing else calls OpenBLAS: ends the threads that it starts when it is
// loaded. They ask for work without a pause until some 30 ms have passed, on every core.
void end_blas_threads();

[[nodiscard]] std::string blas_name();    // "OpenBLAS 0.3.21"
[[nodiscard]] std::string blas_kernel();  // "SkylakeX": decides the last bits, so it is provenance

// On a processor newer than itself OpenBLAS falls back to its kernels of 2004, a fifth as fast. The
// kernel that OPENBLAS_CORETYPE should name then; empty if the library knows the processor.
[[nodiscard]] std::string kernel_for(const std::string& taken, bool has_v3, bool has_v4);

}  // namespace logpx
