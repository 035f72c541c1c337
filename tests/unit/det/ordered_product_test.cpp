#include "libcore/det/ordered_product.hpp"

#include "libcore/base/hash.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/det/isa.hpp"
#include "libcore/det/panel_product.hpp"
#include "tests/support/random_values.hpp"
#include "tests/support/same_bits.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx::ordered_product_test {
namespace {

std::vector<Isa> variants() {
  std::vector<Isa> all;
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4})
    if (isa_available(isa)) all.push_back(isa);
  return all;
}

struct Sizes {
  std::int64_t m, n, k;
};
// Tile edges of every variant, blocks of rows and k, few columns, single ones, and k = 0.
const std::vector<Sizes> all_sizes = {{1, 1, 1},    {1, 37, 9},    {5, 4, 3},    {6, 8, 16},
                                      {7, 17, 100}, {12, 32, 64},  {13, 41, 65}, {23, 130, 70},
                                      {3, 9, 0},    {25, 20, 530}, {251, 33, 5}, {11, 1, 400},
                                      {64, 3, 33},  {40, 2, 7}};

// The rule itself. (`volatile` keeps the compiler from contracting or reordering anything.)
template <typename T>
std::vector<T> by_rule(const det::PanelProduct<T>& g, T alpha, T beta) {
  std::vector<T> y(at(g.m * g.n));
  for (long i = 0; i < g.m; ++i)
    for (long j = 0; j < g.n; ++j) {
      volatile T sum = beta != 0 ? beta * g.c[i * g.ldc + j] : T(0);
      for (long k = 0; k < g.k; ++k) {
        volatile T x = alpha * g.a[i * g.a_row + k * g.a_k];
        volatile T product = x * g.b[k * g.b_k + j * g.b_column];
        sum = sum + product;
      }
      y[at(i * g.n + j)] = sum + T(0);
    }
  return y;
}

template <typename T>
struct Operands {
  explicit Operands(const Sizes& s)
      : size(s),
        a(random_values<T>(1, at(s.m * s.k))),
        b(random_values<T>(2, at(s.k * s.n))),
        c(random_values<T>(3, at(s.m * s.n))) {
    for (std::size_t i = 0; i < a.size(); i += 3) a[i] = i % 2 ? T(0) : -T(0);
  }
  // Bits of the form: A by columns, B by columns, C added to.
  det::PanelProduct<T> call(int form, std::vector<T>& into) const {
    const auto [m, n, k] = size;
    return {.m = m,
            .n = n,
            .k = k,
            .a = a.data(),
            .a_row = form & 1 ? 1 : k,
            .a_k = form & 1 ? m : 1,
            .b = b.data(),
            .b_k = form & 2 ? 1 : n,
            .b_column = form & 2 ? k : 1,
            .c = into.data(),
            .ldc = n,
            .adds = (form & 4) != 0};
  }
  Sizes size;
  std::vector<T> a, b, c;
};

template <typename T>
void check_variants() {
  for (const Sizes& size : all_sizes)
    for (int form = 0; form < 8; ++form) {
      const Operands<T> operands(size);
      std::vector<T> before = operands.c;
      const std::vector<T> expected =
          by_rule<T>(operands.call(form, before), 1, form & 4 ? T(1) : T(0));
      CAPTURE(size.m);
      CAPTURE(size.n);
      CAPTURE(size.k);
      CAPTURE(form);
      for (const Isa isa : variants()) {
        std::vector<T> c = operands.c;
        det::ordered_panels_of(isa)(operands.call(form, c));
        CHECK(same_bits(c, expected));
      }
    }
}

}  // namespace

TEST_CASE("ordered_product: every variant gives the bits of the rule, for all layouts") {
  check_variants<double>();
  check_variants<float>();
}

TEST_CASE("ordered_product: factors of A and C come first, and few columns change nothing") {
  for (const Sizes& size : all_sizes)
    for (int form = 0; form < 8; ++form)
      for (const double alpha : {1.0, 0.3}) {
        const Operands<double> operands(size);
        std::vector<double> c = operands.c;
        const det::PanelProduct<double> call = operands.call(form, c);
        const double beta = form & 4 ? -0.5 : 0.0;
        const std::vector<double> expected = by_rule(call, alpha, beta);
        for (const Isa isa : variants()) {
          c = operands.c;
          det::multiply({.m = size.m,
                         .n = size.n,
                         .k = size.k,
                         .a = {call.a, call.a_row, call.a_k},
                         .b = {call.b, call.b_k, call.b_column},
                         .c = c.data(),
                         .ldc = size.n,
                         .alpha = alpha,
                         .beta = beta},
                        det::ordered_panels_of(isa));
          CHECK(same_bits(c, expected));
        }
      }
}

TEST_CASE("ordered_product: a column has the same bits alone, in any batch and with any threads") {
  constexpr std::int64_t m = 70, n = 50, k = 500;
  const std::vector<double> a = random_values<double>(1, m * k),
                            b = random_values<double>(2, k * n);
  const auto columns = [&](std::int64_t first, std::int64_t count, double* c) {
    det::multiply({.m = m,
                   .n = count,
                   .k = k,
                   .a = {a.data(), k, 1},
                   .b = {b.data() + first, n, 1},
                   .c = c + first,
                   .ldc = n});
  };
  std::vector<double> whole(m * n), alone(m * n), threaded(m * n);
  columns(0, n, whole.data());
  for (std::int64_t j = 0; j < n; ++j) columns(j, 1, alone.data());
  CHECK(same_bits(alone, whole));
  Workers workers(3);
  workers.run(10, [&](std::int64_t block) { columns(block * 5, 5, threaded.data()); });
  CHECK(same_bits(threaded, whole));
}

TEST_CASE("ordered_product: these bits on every machine") {
  const Operands<double> operands({37, 29, 300});
  std::vector<double> c = operands.c;
  det::multiply({.m = 37,
                 .n = 29,
                 .k = 300,
                 .a = {operands.a.data(), 300, 1},
                 .b = {operands.b.data(), 29, 1},
                 .c = c.data(),
                 .ldc = 29});
  CHECK(sha256_hex(std::as_bytes(std::span(c))) ==
        "87943c4eecc5d0f5789dfd9028957343669ad96979784daf09f71e19568c07e6");
}

}  // namespace logpx::ordered_product_test
