#include "libcore/math/blas.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/memory_limit.hpp"
#include "libcore/det/ordered_gemm.hpp"
#include "libcore/det/ordered_product.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <dlfcn.h>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <vector>

#if LOGPX_HAVE_OPENBLAS
#include <cblas.h>

// LAPACK's routines under their Fortran names, as OpenBLAS exports them. The two sizes are the
// lengths of the strings `job` and `part`. The second one finds values alone, and takes two thirds
// of the time.
extern "C" {
void dsyevd_(const char* job, const char* part, const int* n, double* a, const int* lda, double* w,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info,
             std::size_t job_size, std::size_t part_size);
decltype(dsyevd_) dsyevd_2stage_;
[[gnu::weak]] int blas_thread_shutdown_();  // a build without threads has none to end
}
#endif

namespace logpx {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t buffer_bytes = 129 * mebibyte, primitive_bytes = 16 * mebibyte;
// What other threads may take between a look for room and its use.
constexpr std::size_t spare_bytes = 16 * mebibyte;

bool has_room(std::size_t bytes) {
  void* const place =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return place != MAP_FAILED && munmap(place, bytes) == 0;
}

bool takes_turns() {
  static const bool limited = memory_is_limited();
  return limited;
}

struct Turns {
  std::mutex mutex;
  std::condition_variable ended;
  int buffers = 0, taken = 0;
};

Turns& turns() {
  static Turns all;
  return all;
}

}  // namespace

BlasTurn::BlasTurn(void (*take_buffer)()) {
  if (!takes_turns()) return;
  Turns& all = turns();
  std::unique_lock lock(all.mutex);
  if (all.taken == all.buffers && has_room(buffer_bytes + spare_bytes)) {
    take_buffer();
    ++all.buffers;
  }
  if (all.buffers == 0) throw std::bad_alloc();
  all.ended.wait(lock, [&] { return all.taken < all.buffers; });
  ++all.taken;
}

BlasTurn::~BlasTurn() {
  if (!takes_turns()) return;
  Turns& all = turns();
  const std::lock_guard lock(all.mutex);
  --all.taken;
  all.ended.notify_one();
}

PrimitiveTurn::PrimitiveTurn() {
  if (!takes_turns()) return;
  lock_ = std::unique_lock(turns().mutex);
  if (!has_room(primitive_bytes)) throw std::bad_alloc();
}

namespace {

// Element (row, k) of op(matrix) lies at row * row_step + k * k_step.
struct Steps {
  std::int64_t outer, inner;
};
template <typename T>
Steps steps_a(const Gemm<T>& g) {
  return g.trans_a == Trans::yes ? Steps{1, g.lda} : Steps{g.lda, 1};
}
template <typename T>
Steps steps_b(const Gemm<T>& g) {  // outer: column of op(B)
  return g.trans_b == Trans::yes ? Steps{g.ldb, 1} : Steps{1, g.ldb};
}

#if LOGPX_HAVE_OPENBLAS

int blas_int(std::int64_t size) {
  LOGPX_ASSERT(size >= 0 && size <= INT32_MAX);
  return static_cast<int>(size);
}

CBLAS_TRANSPOSE word(Trans trans) { return trans == Trans::yes ? CblasTrans : CblasNoTrans; }
Trans flipped(Trans trans) { return trans == Trans::yes ? Trans::no : Trans::yes; }

// A product too large for the kernels that need no buffer.
void take_buffer() {
  constexpr int n = 128;
  const std::vector<double> zeros(n * n);
  std::vector<double> product(n * n);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, zeros.data(), n, zeros.data(),
              n, 0, product.data(), n);
}

void blas_on_one_thread() {
  static std::once_flag once;
  std::call_once(once, [] { openblas_set_num_threads(1); });
}

void shut_blas_threads() {
  if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
}

void blas_gemm(const Gemm<float>& g) {
  const BlasTurn turn(take_buffer);
  cblas_sgemm(CblasRowMajor, word(g.trans_a), word(g.trans_b), blas_int(g.m), blas_int(g.n),
              blas_int(g.k), g.alpha, g.a, blas_int(g.lda), g.b, blas_int(g.ldb), g.beta, g.c,
              blas_int(g.ldc));
}
void blas_gemm(const Gemm<double>& g) {
  const BlasTurn turn(take_buffer);
  cblas_dgemm(CblasRowMajor, word(g.trans_a), word(g.trans_b), blas_int(g.m), blas_int(g.n),
              blas_int(g.k), g.alpha, g.a, blas_int(g.lda), g.b, blas_int(g.ldb), g.beta, g.c,
              blas_int(g.ldc));
}

// y += alpha op(matrix) x, where op(matrix) is [rows, cols].
template <typename T>
struct Gemv {
  Trans trans;
  std::int64_t rows, cols;
  T alpha;
  const T* matrix;
  std::int64_t ld;
  const T* x;
  std::int64_t x_step;
  T* y;
  std::int64_t y_step;
  [[nodiscard]] int stored_rows() const { return blas_int(trans == Trans::yes ? cols : rows); }
  [[nodiscard]] int stored_cols() const { return blas_int(trans == Trans::yes ? rows : cols); }
};

void blas_gemv(const Gemv<float>& g) {
  const BlasTurn turn(take_buffer);
  cblas_sgemv(CblasRowMajor, word(g.trans), g.stored_rows(), g.stored_cols(), g.alpha, g.matrix,
              blas_int(g.ld), g.x, blas_int(g.x_step), 1, g.y, blas_int(g.y_step));
}
void blas_gemv(const Gemv<double>& g) {
  const BlasTurn turn(take_buffer);
  cblas_dgemv(CblasRowMajor, word(g.trans), g.stored_rows(), g.stored_cols(), g.alpha, g.matrix,
              blas_int(g.ld), g.x, blas_int(g.x_step), 1, g.y, blas_int(g.y_step));
}

// C = beta C, where beta = 0 also clears what is not a number.
template <typename T>
void scale(const Gemm<T>& g) {
  if (g.beta == T(1)) return;
  for (std::int64_t i = 0; i < g.m; ++i)
    for (std::int64_t j = 0; j < g.n; ++j) {
      T& c = g.c[i * g.ldc + j];
      c = g.beta == T(0) ? T(0) : g.beta * c;
    }
}

template <typename T>
void small_gemm(const Gemm<T>& g) {
  const Steps a = steps_a(g), b = steps_b(g);
  for (std::int64_t i = 0; i < g.m; ++i)
    for (std::int64_t j = 0; j < g.n; ++j) {
      T sum = 0;
      for (std::int64_t k = 0; k < g.k; ++k)
        sum += g.a[i * a.outer + k * a.inner] * g.b[j * b.outer + k * b.inner];
      T& c = g.c[i * g.ldc + j];
      c = g.alpha * sum + (g.beta == T(0) ? T(0) : g.beta * c);
    }
}

template <typename T>
void any_gemm(const Gemm<T>& g) {
  if (g.m == 0 || g.n == 0) return;
  if (g.k == 0 || g.alpha == T(0)) return scale(g);
  if (g.m < 8 && g.n < 8 && g.k < 8) return small_gemm(g);
  if (g.m == 1) {
    scale(g);
    return blas_gemv(
        Gemv<T>{flipped(g.trans_b), g.n, g.k, g.alpha, g.b, g.ldb, g.a, steps_a(g).inner, g.c, 1});
  }
  if (g.n == 1) {
    scale(g);
    return blas_gemv(
        Gemv<T>{g.trans_a, g.m, g.k, g.alpha, g.a, g.lda, g.b, steps_b(g).inner, g.c, g.ldc});
  }
  blas_gemm(g);
}

#else

void blas_on_one_thread() {}
void shut_blas_threads() {}

// Products are then those that every machine repeats.
template <typename T>
void any_gemm(const Gemm<T>& g) {
  gemm_ordered(g);
}

#endif

}  // namespace

void gemm(const Gemm<float>& call) {
  RepeatableFunctions::on() ? gemm_ordered(call) : any_gemm(call);
}
void gemm(const Gemm<double>& call) {
  RepeatableFunctions::on() ? gemm_ordered(call) : any_gemm(call);
}

void gemm_ordered(const Gemm<float>& g) {
  const Steps a = steps_a(g), b = steps_b(g);
  det::gemm({.m = g.m,
             .n = g.n,
             .k = g.k,
             .a = {g.a, a.outer, a.inner},
             .b = {g.b, b.inner, b.outer},
             .c = g.c,
             .ldc = g.ldc,
             .alpha = g.alpha,
             .beta = g.beta});
}

void gemm_ordered(const Gemm<double>& g) {
  const Steps a = steps_a(g), b = steps_b(g);
  det::multiply({.m = g.m,
                 .n = g.n,
                 .k = g.k,
                 .a = {g.a, a.outer, a.inner},
                 .b = {g.b, b.inner, b.outer},
                 .c = g.c,
                 .ldc = g.ldc,
                 .alpha = g.alpha,
                 .beta = g.beta});
}

#if LOGPX_HAVE_OPENBLAS

bool symmetric_eigen(EigenJob job, std::int64_t n, std::span<double> matrix,
                     std::span<double> values) {
  LOGPX_ASSERT(std::ssize(matrix) == n * n && std::ssize(values) == n);
  // LAPACK reads by columns, so our lower triangle is its upper one.
  const bool vectors = job == EigenJob::vectors;
  const char* const word = vectors ? "V" : "N";
  const auto solve = vectors ? dsyevd_ : dsyevd_2stage_;
  const BlasTurn turn(take_buffer);
  const int size = blas_int(n);
  int info = 0, ask = -1, integers = 0;
  double reals = 0;
  solve(word, "U", &size, matrix.data(), &size, values.data(), &reals, &ask, &integers, &ask, &info,
        1, 1);
  std::vector<double> work(static_cast<std::size_t>(reals));
  std::vector<int> iwork(static_cast<std::size_t>(integers));
  const int work_size = blas_int(std::ssize(work)), iwork_size = blas_int(std::ssize(iwork));
  solve(word, "U", &size, matrix.data(), &size, values.data(), work.data(), &work_size,
        iwork.data(), &iwork_size, &info, 1, 1);
  LOGPX_ASSERT(info >= 0);
  return info == 0;
}

std::string blas_name() {
  const std::string config =
      openblas_get_config();  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
  return config.substr(0, config.find(' ', config.find(' ') + 1));
}

std::string blas_kernel() { return openblas_get_corename(); }

#else

bool symmetric_eigen(EigenJob, std::int64_t, std::span<double>, std::span<double>) {
  fail(ErrorKind::usage, "",
       "this program was built without OpenBLAS, whose LAPACK finds eigenvalues");
}

std::string blas_name() { return "none"; }

std::string blas_kernel() { return "none"; }

#endif

void single_threaded_kernels() {
  blas_on_one_thread();
  // What uses OpenMP (one build of OpenBLAS, oneDNN) sizes its teams by this number, which is one
  // per thread.
  using SetThreads = void (*)(int);
  static const auto set_openmp_threads =
      reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  thread_local bool done = false;
  if (!done && set_openmp_threads) set_openmp_threads(1);
  done = true;
}

// In this order: setting the number of threads starts them.
void end_blas_threads() {
  single_threaded_kernels();
  shut_blas_threads();
}

std::string kernel_for(const std::string& taken, bool has_v3, bool has_v4) {
  if (taken != "Prescott") return "";
  return has_v4 ? "SkylakeX" : has_v3 ? "Haswell" : "";
}

}  // namespace logpx
