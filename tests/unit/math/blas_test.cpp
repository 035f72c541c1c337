#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/onednn.hpp"

#include "tests/support/process_threads.hpp"
#include "tests/support/random_values.hpp"
#include "tests/support/rounded_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

namespace logpx::blas_test {
namespace {

struct Sizes {
  std::int64_t m, n, k;
};
// Below and above the plain loop, rows and columns alone, primes, tiles of every kernel.
const std::vector<Sizes> all_sizes = {{1, 1, 1},     {2, 3, 5},    {7, 7, 7},   {8, 8, 8},
                                      {1, 40, 33},   {37, 1, 9},   {5, 1, 100}, {13, 29, 31},
                                      {100, 20, 50}, {24, 64, 400}};

template <typename T>
struct Product3 {  // C = 0.5 op(A) op(B) + beta C with rows longer than needed
  Product3(Sizes size, Trans trans_a, Trans trans_b, T beta)
      : a(random_values<T>(1, static_cast<std::size_t>((size.m + size.k) * (size.m + size.k)))),
        b(random_values<T>(2, static_cast<std::size_t>((size.k + size.n) * (size.k + size.n)))),
        c(random_values<T>(3, static_cast<std::size_t>(size.m * (size.n + 3)))),
        call{.trans_a = trans_a,
             .trans_b = trans_b,
             .m = size.m,
             .n = size.n,
             .k = size.k,
             .a = a.data(),
             .lda = size.m + size.k,
             .b = b.data(),
             .ldb = size.k + size.n,
             .c = c.data(),
             .ldc = size.n + 3,
             .alpha = T(0.5),
             .beta = beta} {
    if (beta == 0) std::fill(c.begin(), c.end(), std::numeric_limits<T>::quiet_NaN());
    before = c;
  }
  // Element (i, j) from its definition, in double, and the sum of magnitudes of its terms.
  [[nodiscard]] std::pair<double, double> expected(std::int64_t i, std::int64_t j) const {
    double sum = 0, size = 0;
    for (std::int64_t k = 0; k < call.k; ++k) {
      const auto x = call.trans_a == Trans::yes ? a[at(k * call.lda + i)] : a[at(i * call.lda + k)];
      const auto w = call.trans_b == Trans::yes ? b[at(j * call.ldb + k)] : b[at(k * call.ldb + j)];
      sum += 0.5 * static_cast<double>(x) * static_cast<double>(w);
      size += std::fabs(0.5 * static_cast<double>(x) * static_cast<double>(w));
    }
    if (call.beta != 0) {
      const double old =
          static_cast<double>(call.beta) * static_cast<double>(before[at(i * call.ldc + j)]);
      sum += old;
      size += std::fabs(old);
    }
    return {sum, size};
  }
  std::vector<T> a, b, c, before;
  Gemm<T> call;
};

template <typename T>
void check_against_definition(Product product) {
  const double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
  for (const Sizes size : all_sizes)
    for (const Trans trans_a : {Trans::no, Trans::yes})
      for (const Trans trans_b : {Trans::no, Trans::yes})
        for (const double beta : {0.0, 1.0, -2.0}) {
          Product3<T> p(size, trans_a, trans_b, static_cast<T>(beta));
          gemm(p.call, product);
          CAPTURE(size.m);
          CAPTURE(size.n);
          CAPTURE(size.k);
          bool good = true, outside_kept = true;
          for (std::int64_t i = 0; i < size.m; ++i) {
            for (std::int64_t j = 0; j < size.n; ++j) {
              const auto [value, magnitude] = p.expected(i, j);
              const double got = static_cast<double>(p.c[at(i * p.call.ldc + j)]);
              good &=
                  std::fabs(got - value) <= epsilon * static_cast<double>(size.k + 2) * magnitude;
            }
            for (std::int64_t j = size.n; j < p.call.ldc; ++j) {
              const auto e = at(i * p.call.ldc + j);
              outside_kept &= p.c[e] == p.before[e] || std::isnan(p.before[e]);
            }
          }
          CHECK(good);
          CHECK(outside_kept);
        }
}

}  // namespace

TEST_CASE(
    "blas: a processor that the library does not know gets the kernel of its instruction set") {
  CHECK(kernel_for("Prescott", true, true) == "SkylakeX");
  CHECK(kernel_for("Prescott", true, false) == "Haswell");
  CHECK(kernel_for("Prescott", false, false).empty());
  CHECK(kernel_for("Zen", true, false).empty());
  CHECK(kernel_for("SkylakeX", true, true).empty());
}

TEST_CASE("blas: gemm is the product, for all transposes, betas and sizes") {
  check_against_definition<float>(Product::blas);
  check_against_definition<double>(Product::blas);
}

TEST_CASE("blas: gemm_ordered is the product, for all transposes, betas and sizes") {
  check_against_definition<float>(Product::ordered);
  check_against_definition<double>(Product::ordered);
}

TEST_CASE("blas: bf16 multiplies factors rounded to 8 bits, and sums in float32") {
  if (bf16_kernels().empty()) return;
  for (const Sizes size : {Sizes{256, 256, 64}, {277, 250, 33}, {150, 1000, 41}})
    for (const Trans trans_a : {Trans::no, Trans::yes})
      for (const Trans trans_b : {Trans::no, Trans::yes})
        for (const float beta : {0.0F, 1.0F}) {
          CAPTURE(size.m);
          Product3<float> of_any(size, trans_a, trans_b, beta), of_rounded = of_any;
          for (auto* values : {&of_rounded.a, &of_rounded.b})
            std::ranges::transform(*values, values->begin(), rounded_to_bf16);
          of_any.call.alpha = 1;
          of_rounded.call = of_any.call;
          of_rounded.call.a = of_rounded.a.data();
          of_rounded.call.b = of_rounded.b.data();
          of_rounded.call.c = of_rounded.c.data();
          gemm(of_any.call, Product::bf16);
          gemm(of_rounded.call, Product::blas);
          bool good = true;
          for (std::size_t e = 0; e < of_any.c.size(); ++e)
            good &= std::fabs(of_any.c[e] - of_rounded.c[e]) < 1e-4F ||
                    (std::isnan(of_any.before[e]) && std::isnan(of_rounded.c[e]));
          CHECK(good);
        }
}

TEST_CASE("blas: bf16 leaves products as they are that are too small to gain by it") {
  Product3<float> small({13, 29, 31}, Trans::no, Trans::yes, 1), same = small;
  same.call.a = same.a.data(), same.call.b = same.b.data(), same.call.c = same.c.data();
  small.call.alpha = same.call.alpha = 1;
  gemm_bf16(small.call);
  gemm(same.call);
  CHECK(small.c == same.c);
}

TEST_CASE("blas: an empty sum leaves beta C") {
  std::vector<float> c = {1, 2, 3, 4};
  gemm(Gemm<float>{.m = 2,
                   .n = 2,
                   .k = 0,
                   .lda = 1,
                   .b = nullptr,
                   .ldb = 2,
                   .c = c.data(),
                   .ldc = 2,
                   .beta = 3});
  CHECK(c == std::vector<float>{3, 6, 9, 12});
  gemm_ordered(Gemm<float>{
      .m = 2, .n = 2, .k = 0, .lda = 1, .b = nullptr, .ldb = 2, .c = c.data(), .ldc = 2});
  CHECK(c == std::vector<float>{0, 0, 0, 0});
}

TEST_CASE("blas: a product starts no thread, in main and in a worker") {
  Product3<float> p({256, 256, 256}, Trans::no, Trans::no, 0);
  single_threaded_kernels();
  const ThreadIds before = process_threads();
  gemm(p.call);
  CHECK(no_thread_since(before));
  bool alone = false;
  std::thread([&] {
    const ThreadIds at_start = process_threads();
    single_threaded_kernels();
    gemm(p.call);
    alone = no_thread_since(at_start);
  }).join();
  CHECK(alone);
}

TEST_CASE("blas: the library names itself and its kernel") {
  CHECK(blas_name().starts_with("OpenBLAS "));
  CHECK(blas_name().find(' ') == blas_name().rfind(' '));
  CHECK(!blas_kernel().empty());
}

}  // namespace logpx::blas_test
