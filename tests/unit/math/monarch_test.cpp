#include "libcore/math/monarch.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/math/repeatable.hpp"
#include "tests/support/monarch_values.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace logpx::monarch_test {
namespace {

// Shapes of each depth, with factors of 1 and m_t other than n_t, and programs.
const std::vector<MonarchFactors> all_factors = {
    {.m = {5}, .n = {3}, .program = {}},
    {.m = {4, 6}, .n = {6, 4}, .program = {}},
    {.m = {1, 7}, .n = {3, 2}, .program = {}},
    {.m = {2, 3, 4}, .n = {4, 1, 3}, .program = {}},
    {.m = {2, 1, 3, 2}, .n = {3, 2, 1, 2}, .program = {}},
    {.m = {2, 2, 2, 2}, .n = {2, 2, 2, 2}, .program = {}},
    {.m = {3, 4}, .n = {3, 4}, .program = {1, 2, 1}},
    {.m = {3, 4}, .n = {2, 5}, .program = {2, 1, 2}},
    {.m = {2, 3, 4}, .n = {4, 3, 1}, .program = {3, 1}},
    {.m = {17, 33}, .n = {40, 13}, .program = {}},
    {.m = {130}, .n = {270}, .program = {}}};

// A Monarch product from its definition, axis after axis, on a vector whose axes stay in place.
std::vector<double> by_definition(const MonarchValues<double>& values, std::vector<double> x) {
  std::vector<std::int64_t> extents = values.form.factors().n;
  const auto d = static_cast<int>(extents.size());
  for (std::size_t t = 0; t < values.tensors.size(); ++t) {
    const MonarchLayer& layer = values.form.layers()[t];
    std::vector<std::int64_t> after = extents;
    after[at(layer.axis)] = layer.m;
    std::int64_t size = 1;
    for (const std::int64_t extent : after) size *= extent;
    std::vector<double> y(at(size));
    for (std::int64_t row = 0; row < size; ++row) {
      std::vector<std::int64_t> state(at(d));
      for (std::int64_t axis = d, rest = row; axis-- > 0; rest /= after[at(axis)])
        state[at(axis)] = rest % after[at(axis)];
      std::int64_t r = 0;
      for (int k = 1; k < d; ++k) {
        const std::size_t axis = at((layer.axis + k) % d);
        r = r * extents[axis] + state[axis];
      }
      const std::int64_t j = state[at(layer.axis)];
      for (std::int64_t i = 0; i < layer.n; ++i) {
        state[at(layer.axis)] = i;
        std::int64_t from = 0;
        for (int axis = 0; axis < d; ++axis) from = from * extents[at(axis)] + state[at(axis)];
        y[at(row)] += values.tensors[t][at((r * layer.m + j) * layer.n + i)] * x[at(from)];
      }
    }
    x = y;
    extents = after;
  }
  return x;
}

std::vector<double> column(const std::vector<double>& matrix, std::int64_t batch, std::int64_t b) {
  std::vector<double> values;
  for (std::size_t i = at(b); i < matrix.size(); i += at(batch)) values.push_back(matrix[i]);
  return values;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

TEST_CASE("monarch: a product is the definition's, for every batch, and so is the matrix") {
  for (const MonarchFactors& factors : all_factors)
    for (const std::int64_t batch : {1, 3, 16, 37, 128}) {
      const MonarchValues<double> values = random_monarch<double>(factors, 1);
      const std::int64_t n = values.form.columns(), m = values.form.rows();
      const std::vector<double> x = random_values<double>(9, at(n * batch));
      const std::vector<double> y = values.applied(x), matrix = values.matrix();
      CAPTURE(n);
      CAPTURE(batch);
      for (std::int64_t b = 0; b < batch; b += 7) {
        const std::vector<double> one = column(x, batch, b);
        CHECK(largest_gap(column(y, batch, b), by_definition(values, one)) < 1e-12);
        std::vector<double> product(at(m));
        for (std::int64_t j = 0; j < m; ++j)
          for (std::int64_t i = 0; i < n; ++i) product[at(j)] += matrix[at(j * n + i)] * one[at(i)];
        CHECK(largest_gap(column(y, batch, b), product) < 1e-12);
      }
    }
}

TEST_CASE("monarch: the transposed product is the transposed matrix's") {
  for (const MonarchFactors& factors : all_factors) {
    const MonarchValues<double> values = random_monarch<double>(factors, 1);
    const std::int64_t n = values.form.columns(), m = values.form.rows(), batch = 5;
    const std::vector<double> y = random_values<double>(9, at(m * batch));
    const std::vector<double> x = values.transposed(y), matrix = values.matrix();
    std::vector<double> product(at(n * batch));
    for (std::int64_t j = 0; j < m; ++j)
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t b = 0; b < batch; ++b)
          product[at(i * batch + b)] += matrix[at(j * n + i)] * y[at(j * batch + b)];
    CHECK(largest_gap(x, product) < 1e-12);
  }
}

TEST_CASE("monarch: rows of the matrix sum to 1 where those of the tensors do") {
  for (const MonarchFactors& factors : all_factors) {
    const MonarchValues<double> values = random_monarch<double>(factors, 4);
    const std::vector<double> ones(at(values.form.columns()), 1.0);
    CHECK(largest_gap(values.applied(ones), std::vector<double>(at(values.form.rows()), 1.0)) <
          1e-14);
  }
}

TEST_CASE("monarch: a factor of a butterfly mixes two states each, m/2 apart in turn") {
  MonarchValues<double> values = random_monarch<double>(read_factors("auto:butterfly", 16), 1);
  for (std::size_t t = 0; t < 4; ++t) {
    // One layer works, the others pass their input on.
    MonarchValues<double> one = values;
    for (std::size_t other = 0; other < 4; ++other)
      if (other != t)
        for (std::size_t k = 0; k < one.tensors[other].size(); ++k)
          one.tensors[other][k] = k % 4 == 0 || k % 4 == 3;
    const std::vector<double> matrix = one.matrix();
    const std::size_t distance = std::size_t{8} >> t;  // axis t + 1, index 1 slowest
    for (std::size_t row = 0; row < 16; ++row)
      for (std::size_t column = 0; column < 16; ++column)
        CHECK((matrix[row * 16 + column] != 0) == (row == column || row == (column ^ distance)));
  }
}

TEST_CASE("monarch: sums of products are the gradient by every weight, and the adjoint that of x") {
  for (const MonarchFactors& factors : all_factors) {
    MonarchValues<double> values = random_monarch<double>(factors, 1);
    if (values.form.edges() > 1000) continue;
    const std::int64_t batch = 19;
    std::vector<double> x = random_values<double>(2, at(values.form.columns() * batch));
    const std::vector<double> g = random_values<double>(3, at(values.form.rows() * batch));
    const MonarchValues<double>::Job job(values, batch);
    std::vector<double> kept(at(values.form.inner_rows() * batch)), y(g.size()), adjoint(x.size());
    job.map.apply_keeping(x.data(), kept.data(), y.data());
    CHECK(y == values.applied(x));
    std::vector<std::vector<double>> sums;
    std::vector<double*> products;
    for (const auto& tensor : values.tensors) sums.emplace_back(tensor.size(), 0.5);
    for (auto& sum : sums) products.push_back(sum.data());
    MonarchFlow<double> flow{x.data(), kept.data(), g.data(), products, adjoint.data()};
    job.map.add_products(flow);
    flow.inner = nullptr;
    flow.adjoint = nullptr;
    job.map.add_products(flow);  // all again, from x
    CHECK(largest_gap(adjoint, values.transposed(g)) < 1e-12);
    for (std::size_t t = 0; t < sums.size(); ++t)
      for (std::size_t k = 0; k < sums[t].size(); ++k) {
        // The product is linear in each weight, so a step of any size is exact.
        double& weight = values.tensors[t][k];
        const double before = dot(values.applied(x), g);
        weight += 1;
        const double slope = dot(values.applied(x), g) - before;
        weight -= 1;
        CHECK(sums[t][k] == doctest::Approx(0.5 + 2 * slope).epsilon(1e-9));
      }
  }
}

TEST_CASE("monarch: sums of products of a large matrix hold for every batch, also of one column") {
  const std::int64_t m = 97, n = 130;
  MonarchValues<double> values = random_monarch<double>({.m = {m}, .n = {n}, .program = {}}, 1);
  for (const std::int64_t batch : {1, 2, 19}) {
    const std::vector<double> x = random_values<double>(2, at(n * batch));
    const std::vector<double> g = random_values<double>(3, at(m * batch));
    const MonarchValues<double>::Job job(values, batch);
    std::vector<double> sums(at(m * n), 0.5), adjoint(x.size()), expected = sums;
    double* const product = sums.data();
    job.map.add_products({x.data(), nullptr, g.data(), std::span(&product, 1), adjoint.data()});
    for (std::int64_t j = 0; j < m; ++j)
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t b = 0; b < batch; ++b)
          expected[at(j * n + i)] += g[at(j * batch + b)] * x[at(i * batch + b)];
    CHECK(largest_gap(sums, expected) < 1e-12);
    CHECK(largest_gap(adjoint, values.transposed(g)) < 1e-12);
  }
}

TEST_CASE("monarch: floats come as near as floats can") {
  for (const MonarchFactors& factors : all_factors) {
    const MonarchValues<float> values = random_monarch<float>(factors, 1);
    MonarchValues<double> exact(factors);
    for (const auto& tensor : values.tensors)
      exact.tensors.emplace_back(tensor.begin(), tensor.end());
    const std::int64_t batch = 21;
    const std::vector<float> x = random_values<float>(2, at(values.form.columns() * batch));
    const std::vector<float> g = random_values<float>(3, at(values.form.rows() * batch));
    CHECK(largest_gap(values.applied(x), exact.applied({x.begin(), x.end()})) < 1e-5);
    CHECK(largest_gap(values.transposed(g), exact.transposed({g.begin(), g.end()})) < 1e-4);
  }
}

TEST_CASE("monarch: while functions are repeatable, columns keep their bits in every batch") {
  const RepeatableFunctions repeatable;
  for (const MonarchFactors& factors : all_factors) {
    const MonarchValues<float> values = random_monarch<float>(factors, 1);
    const std::int64_t n = values.form.columns(), batch = 37;
    const std::vector<float> x = random_values<float>(2, at(n * batch)), y = values.applied(x);
    for (std::int64_t b = 0; b < batch; b += 9) {
      std::vector<float> one, result;
      for (std::int64_t i = 0; i < n; ++i) one.push_back(x[at(i * batch + b)]);
      for (std::int64_t j = 0; j < values.form.rows(); ++j) result.push_back(y[at(j * batch + b)]);
      CHECK(values.applied(one) == result);
    }
  }
}

TEST_CASE("monarch: while functions are repeatable, these bits on every machine") {
  const RepeatableFunctions repeatable;
  MonarchValues<float> values({.m = {20, 9}, .n = {12, 15}, .program = {1, 2, 1}});
  for (const MonarchLayer& layer : values.form.layers()) {
    std::vector<float> tensor = random_values<float>(1, at(layer.edges()));
    for (float& weight : tensor) weight *= weight;
    normalise_rows<float>(tensor, layer.n);
    values.tensors.push_back(tensor);
  }
  const std::int64_t batch = 41;
  const std::vector<float> x = random_values<float>(2, at(values.form.columns() * batch)),
                           g = random_values<float>(3, at(values.form.rows() * batch));
  const MonarchValues<float>::Job job(values, batch);
  std::vector<float> results = values.applied(x), adjoint(x.size());
  std::vector<std::vector<float>> sums;
  std::vector<float*> products;
  for (const auto& tensor : values.tensors) sums.emplace_back(tensor.size(), 0.0f);
  for (auto& sum : sums) products.push_back(sum.data());
  job.map.add_products({x.data(), nullptr, g.data(), products, adjoint.data()});
  results.insert(results.end(), adjoint.begin(), adjoint.end());
  for (const auto& sum : sums) results.insert(results.end(), sum.begin(), sum.end());
  CHECK(sha256_hex(std::as_bytes(std::span(results))) ==
        "26873b169755e134a57cc83a340529e316aa4f6756b71f32e8c1f1f80daa7c0c");
}

TEST_CASE("monarch: numbers below the normal range cost no time: they are 0") {
  MonarchValues<float> values({.m = {2}, .n = {2}, .program = {}});
  values.tensors = {{1e-30f, 0, 0, 1}};
  CHECK(values.applied({1e-15f, 1}) == std::vector<float>{0, 1});
  const RepeatableFunctions repeatable;
  CHECK(values.applied({1e-15f, 1}) == std::vector<float>{1e-30f * 1e-15f, 1});
}

TEST_CASE("monarch: the logarithm of an entry is the matrix's, and one far below holds") {
  for (const MonarchFactors& factors : all_factors) {
    MonarchValues<double> values = random_monarch<double>(factors, 6);
    if (!values.form.unique_paths() || values.form.edges() > 1000) continue;
    const std::vector<double> matrix = values.matrix();
    const std::vector<const double*> tensors = values.pointers();
    const std::int64_t n = values.form.columns();
    for (std::size_t k = 0; k < matrix.size(); ++k) {
      const double entry = log_entry<double>(values.form, tensors, static_cast<std::int64_t>(k) / n,
                                             static_cast<std::int64_t>(k) % n);
      CHECK(std::exp(entry) == doctest::Approx(matrix[k]).epsilon(1e-12));
    }
  }
  MonarchValues<double> tiny = random_monarch<double>({.m = {2, 2}, .n = {2, 2}, .program = {}}, 1);
  for (auto& tensor : tiny.tensors) tensor.assign(tensor.size(), 1e-300);
  CHECK(log_entry<double>(tiny.form, tiny.pointers(), 3, 1) ==
        doctest::Approx(2 * std::log(1e-300)));
}

TEST_CASE("monarch: a matrix above the limit is refused") {
  const MonarchValues<float> values =
      random_monarch<float>({.m = {4, 4}, .n = {4, 4}, .program = {}}, 1);
  CHECK(materialize<float>(values.form, values.pointers(), 256).size() == 256);
  CHECK_THROWS_AS(materialize<float>(values.form, values.pointers(), 255), Error);
}

TEST_CASE("monarch: rows are divided by their sums, and zeros become even") {
  std::vector<float> tensor = {1, 3, 0, 0, 5, 0};
  normalise_rows<float>(tensor, 2);
  CHECK(tensor == std::vector<float>{0.25f, 0.75f, 0.5f, 0.5f, 1, 0});
}

}  // namespace logpx::monarch_test
