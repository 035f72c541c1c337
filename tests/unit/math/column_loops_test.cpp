#include "libcore/math/column_loops.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/det/isa.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace logpx::column_loops_test {
namespace {

template <typename T>
using Matrix = std::vector<T>;

template <typename T>
Matrix<T> drawn(long count, std::uint32_t sub) {
  Matrix<T> x(at(count));
  Cursor words(Rng(5).stream(Stream::test, sub));
  for (T& value : x) value = static_cast<T>(words.uniform53()) - T(0.25);
  return x;
}

template <typename T>
const ColumnKernels<T>& kernels_of(Isa isa) {
  if constexpr (std::is_same_v<T, float>) return column_kernels_of(isa).of_floats;
  else return column_kernels_of(isa).of_doubles;
}

struct Sizes {
  long rows, few, columns;
};

template <typename T>
void handles_alike_columns(const ColumnKernels<T>& kernels, const Sizes& size) {
  std::vector<int> place;
  for (long c = 0; c < size.columns; ++c) place.push_back(static_cast<int>(c * c % size.few));
  Matrix<T> few = drawn<T>(size.rows * size.few, 1), all = drawn<T>(size.rows * size.columns, 2);
  Matrix<T> copied(all.size()), summed = few;
  for (long j = 0; j < size.rows; ++j)
    for (long c = 0; c < size.columns; ++c) {
      const std::size_t from = at(j * size.few + place[at(c)]), to = at(j * size.columns + c);
      copied[to] = few[from];
      summed[from] += all[to];
    }
  const AlikeColumns<T> call{size.rows,  size.few,   size.columns,
                             few.data(), all.data(), place.data()};
  kernels.sum(call);
  CHECK(few == summed);
  std::ranges::copy(drawn<T>(size.rows * size.few, 1), few.begin());
  kernels.copy(call);
  CHECK(all == copied);
}

template <typename T>
void scales_columns(const ColumnKernels<T>& kernels, const Sizes& size) {
  const Matrix<T> y = drawn<T>(size.rows * size.columns, 3), factors = drawn<T>(size.columns, 4);
  Matrix<T> most(at(size.columns)), wanted(most.size()), scaled = y, expected = y;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t c = i % wanted.size();
    wanted[c] = std::max(wanted[c], y[i]);
    expected[i] = std::min(y[i] * factors[c], T(0.3));
  }
  kernels.largest(y.data(), size.rows, size.columns, most.data());
  CHECK(most == wanted);
  kernels.scale(scaled.data(), size.rows, size.columns, factors.data(), T(0.3));
  CHECK(scaled == expected);
}

template <typename T>
void parts_products(const ColumnKernels<T>& kernels, const Sizes& size) {
  const long count = size.rows * size.columns;
  const Matrix<T> a = drawn<T>(count, 5), b = drawn<T>(count, 6),
                  factors = drawn<T>(size.columns, 7);
  Matrix<T> product(a.size()), sum = b, wanted_product(a.size()), wanted_sum = b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    wanted_product[i] = a[i] * b[i];
    wanted_sum[i] += a[i];
  }
  kernels.multiply(a.data(), b.data(), product.data(), count);
  kernels.add(a.data(), sum.data(), count);
  CHECK(product == wanted_product);
  CHECK(sum == wanted_sum);
  const Matrix<T> slope = drawn<T>(count, 8), before = drawn<T>(count, 9);
  for (const bool adds_a : {false, true})
    for (const bool adds_b : {false, true}) {
      Matrix<T> of_a = before, of_b = before, wanted_a = before, wanted_b = before;
      for (std::size_t i = 0; i < a.size(); ++i) {
        const T s = std::min(slope[i] * factors[i % factors.size()], T(0.3));
        wanted_a[i] = adds_a ? before[i] + s * b[i] : s * b[i];
        wanted_b[i] = adds_b ? before[i] + s * a[i] : s * a[i];
      }
      kernels.part({.rows = size.rows,
                    .columns = size.columns,
                    .slope = slope.data(),
                    .factors = factors.data(),
                    .most = T(0.3),
                    .a = a.data(),
                    .b = b.data(),
                    .of_a = of_a.data(),
                    .of_b = of_b.data(),
                    .adds_a = adds_a,
                    .adds_b = adds_b});
      CHECK(of_a == wanted_a);
      CHECK(of_b == wanted_b);
    }
}

// Numbers from 0 on, many of them equal.
template <typename T>
Matrix<T> coarse(long count, std::uint32_t sub) {
  Matrix<T> x = drawn<T>(count, sub);
  for (T& value : x) value = std::max(T(0), std::round(value * 20) / 20);
  return x;
}

template <typename T>
void keeps_largest(const ColumnKernels<T>& kernels, const Sizes& size) {
  Matrix<T> room(at(size.rows * largest_lanes));
  for (const long kept : {1L, (size.rows + 1) / 2, size.rows}) {
    Matrix<T> y = coarse<T>(size.rows * size.columns, 10), wanted = y;
    for (long c = 0; c < size.columns; ++c) {
      std::vector<long> order(at(size.rows));
      std::iota(order.begin(), order.end(), 0);
      const auto value = [&](long row) { return y[at(row * size.columns + c)]; };
      std::ranges::stable_sort(order, std::ranges::greater(), value);
      for (const long row : std::span(order).subspan(at(kept)))
        wanted[at(row * size.columns + c)] = 0;
    }
    kernels.keep_largest({size.rows, size.columns, kept, y.data(), room.data()});
    CHECK(y == wanted);
  }
}

// x and y have a row between any two of theirs.
template <typename T>
void multiplies_sparse(const ColumnKernels<T>& kernels, const Sizes& size) {
  const long m = size.few, n = size.rows, columns = size.columns;
  const Matrix<T> turned = drawn<T>(n * m, 11), x = coarse<T>(2 * n * columns, 12);
  Matrix<T> y = drawn<T>(2 * m * columns, 13), wanted = y, room(at(sparse_room(n)));
  std::vector<int> places(room.size());
  for (long j = 0; j < m; ++j)
    for (long c = 0; c < columns; ++c) {
      T sum = 0;
      for (long i = 0; i < n; ++i)
        if (x[at(2 * i * columns + c)] != 0)
          sum += x[at(2 * i * columns + c)] * turned[at(i * m + j)];
      wanted[at(2 * j * columns + c)] = sum;
    }
  kernels.multiply_sparse({.m = m,
                           .n = n,
                           .columns = columns,
                           .turned = turned.data(),
                           .x = x.data(),
                           .x_step = 2 * columns,
                           .y = y.data(),
                           .y_step = 2 * columns,
                           .room = room.data(),
                           .places = places.data()});
  CHECK(y == wanted);
}

}  // namespace

TEST_CASE_TEMPLATE("column loops: every instruction set computes what plain loops do", T, float,
                   double) {
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4}) {
    if (!isa_available(isa)) continue;
    const ColumnKernels<T>& kernels = kernels_of<T>(isa);
    for (const Sizes& size : {Sizes{1, 1, 1}, Sizes{16, 5, 128}, Sizes{19, 33, 37},
                              Sizes{64, 128, 130}, Sizes{3, 300, 310}}) {
      CAPTURE(static_cast<int>(isa));
      CAPTURE(size.columns);
      handles_alike_columns(kernels, size);
      scales_columns(kernels, size);
      parts_products(kernels, size);
      keeps_largest(kernels, size);
      multiplies_sparse(kernels, size);
    }
  }
}

}  // namespace logpx::column_loops_test
