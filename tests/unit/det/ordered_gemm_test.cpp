#include "libcore/base/index.hpp"
#include "libcore/det/ordered_gemm.hpp"

#include "libcore/base/parallel.hpp"
#include "libcore/det/ordered_kernels.hpp"
#include "tests/support/random_values.hpp"
#include "tests/support/same_bits.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdlib>
#include <vector>

namespace logpx::ordered_gemm_test {
namespace {

// The rule itself: one accumulator, k ascending, product rounded, sum rounded, + 0.0f.
// (`volatile` keeps the compiler from contracting or reordering anything.)
std::vector<float> by_rule(const det::OrderedGemm& g) {
  std::vector<float> y(at(g.m * g.n));
  for (std::int64_t i = 0; i < g.m; ++i)
    for (std::int64_t j = 0; j < g.n; ++j) {
      volatile float sum = g.beta != 0 ? g.beta * g.c[i * g.ldc + j] : g.bias ? g.bias[j] : 0.0f;
      for (std::int64_t k = 0; k < g.k; ++k) {
        volatile float x = g.alpha * g.a.data[i * g.a.row_step + k * g.a.col_step];
        volatile float product = x * g.b.data[k * g.b.row_step + j * g.b.col_step];
        sum = sum + product;
      }
      y[at(i * g.n + j)] = sum + 0.0f;
    }
  return y;
}

std::vector<float> computed(det::OrderedGemm g, const std::vector<float>& c, Isa isa) {
  std::vector<float> y = c;
  y.resize(at(g.m * g.n));
  g.c = y.data();
  det::PackedB packed;
  packed.pack(g.b, g.k, g.n, det::kernels_of(isa));
  det::gemm(g, packed);
  return y;
}

std::vector<Isa> variants() {
  std::vector<Isa> all;
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4})
    if (isa_available(isa)) all.push_back(isa);
  return all;
}

struct Sizes {
  std::int64_t m, n, k;
};
// Tile edges of every variant (6 and 12 rows; 8, 16, 32 columns), blocks of k and rows, both
// layouts of A (few and many columns), single rows and columns, k = 0.
const std::vector<Sizes> all_sizes = {{1, 1, 1},    {1, 37, 9},    {5, 4, 3},      {6, 8, 16},
                                      {7, 17, 100}, {12, 32, 64},  {13, 41, 65},   {23, 150, 70},
                                      {3, 9, 0},    {25, 20, 800}, {241, 33, 385}, {11, 1, 400}};

}  // namespace

TEST_CASE("ordered_gemm: every variant gives the bits of the rule, for all layouts") {
  for (const Sizes& size : all_sizes) {
    std::vector<float> a = random_values<float>(1, at(size.m * size.k));
    const std::vector<float> b = random_values<float>(2, at(size.k * size.n)),
                             c = random_values<float>(3, at(size.m * size.n)),
                             bias = random_values<float>(4, at(size.n));
    for (std::size_t i = 0; i < a.size(); i += 3) a[i] = i % 2 ? 0.0f : -0.0f;
    for (int form = 0; form < 16; ++form) {
      std::vector<float> before = c;
      det::OrderedGemm g{.m = size.m, .n = size.n, .k = size.k, .c = before.data(), .ldc = size.n};
      g.a = form & 1 ? det::Matrix{a.data(), 1, size.m} : det::Matrix{a.data(), size.k, 1};
      g.b = form & 2 ? det::Matrix{b.data(), 1, size.k} : det::Matrix{b.data(), size.n, 1};
      if (form & 4) g.beta = form & 8 ? -0.5f : 1.0f;
      else if (form & 8) g.bias = bias.data();
      if (form == 5) g.alpha = 0.3f;
      const std::vector<float> expected = by_rule(g);
      CAPTURE(size.m);
      CAPTURE(size.n);
      CAPTURE(size.k);
      CAPTURE(form);
      for (const Isa isa : variants()) {
        CHECK(same_bits(computed(g, c, isa), expected));
        if (g.b.col_step != 1) continue;
        std::vector<float> y = c;
        det::OrderedGemm rows = g;
        rows.c = y.data();
        det::multiply_rows(rows, det::kernels_of(isa));
        CHECK(same_bits(y, expected));
      }
      det::gemm(g);
      CHECK(same_bits(before, expected));
    }
  }
}

TEST_CASE("ordered_gemm: fused multiply-add would be noticed") {
  const std::vector<float> a = random_values<float>(1, 64), b = random_values<float>(2, 64);
  float fused = 0;
  for (std::size_t k = 0; k < 64; ++k) fused = __builtin_fmaf(a[k], b[k], fused);
  float y = 0;
  det::gemm(
      {.m = 1, .n = 1, .k = 64, .a = {a.data(), 64, 1}, .b = {b.data(), 1, 1}, .c = &y, .ldc = 1});
  CHECK(y != fused);
}

TEST_CASE("ordered_gemm: a sum that cancels to -0 is +0") {
  const float x = -0.0f, w = 1.0f;
  float y = 1;
  for (const Isa isa : variants()) {
    const auto zero =
        computed({.m = 1, .n = 1, .k = 1, .a = {&x, 1, 1}, .b = {&w, 1, 1}, .bias = &x}, {y}, isa);
    CHECK(std::bit_cast<std::uint32_t>(zero[0]) == 0);
  }
}

TEST_CASE("ordered_gemm: a row has the same bits alone, in any batch and with any threads") {
  constexpr std::int64_t m = 50, n = 70, k = 500;
  const std::vector<float> a = random_values<float>(1, m * k), b = random_values<float>(2, k * n);
  const det::PackedB packed({b.data(), n, 1}, k, n);
  const auto rows = [&](std::int64_t first, std::int64_t count, float* c) {
    det::gemm({.m = count,
               .n = n,
               .k = k,
               .a = {a.data() + first * k, k, 1},
               .b = {},
               .c = c + first * n,
               .ldc = n},
              packed);
  };
  std::vector<float> whole(m * n), alone(m * n), threaded(m * n);
  rows(0, m, whole.data());
  for (std::int64_t i = 0; i < m; ++i) rows(i, 1, alone.data());
  CHECK(same_bits(alone, whole));
  Workers workers(3);
  workers.run(10, [&](std::int64_t block) { rows(block * 5, 5, threaded.data()); });
  CHECK(same_bits(threaded, whole));
}

TEST_CASE("ordered_gemm: LOGPX_ISA names the active variant") {
  CHECK(isa_available(active_isa()));
  if (const char* const wish = std::getenv("LOGPX_ISA"); wish && *wish)
    CHECK(isa_name(active_isa()) == wish);
}

}  // namespace logpx::ordered_gemm_test
