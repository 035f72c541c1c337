#include "libcore/base/index.hpp"
#include "libcore/math/log_space.hpp"

#include "tests/support/allocations.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace logpx::log_space_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
template <typename T>
std::vector<T> positive_values(std::uint32_t sub, std::int64_t count) {
  std::vector<T> values = random_values<T>(sub, at(count));
  for (T& value : values) value = std::exp(value);
  return values;
}

template <typename T>
struct Product1 {  // one log_matmul with all it touches
  std::int64_t m, n, batch;
  std::vector<T> a = positive_values<T>(1, m*n), x = random_values<T>(2, at(n*batch)),
                 dy = random_values<T>(3, at(m*batch));
  std::vector<T> y = std::vector<T>(dy.size()), dx = std::vector<T>(x.size()),
                 da = std::vector<T>(a.size()),
                 workspace = std::vector<T>(at(log_matmul_workspace(m, n, batch)));

  [[nodiscard]] LogMatmul<T> call() {
    return {.m = m,
            .n = n,
            .batch = batch,
            .a = a.data(),
            .x = x.data(),
            .ldx = batch,
            .y = y.data(),
            .ldy = batch,
            .dy = dy.data(),
            .dx = dx.data(),
            .da = da.data(),
            .workspace = workspace.data()};
  }
  // sum of dy * y, whose derivatives backward claims to give.
  [[nodiscard]] double loss() {
    log_matmul(call());
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      sum += static_cast<double>(dy[i]) * static_cast<double>(y[i]);
    return sum;
  }
};

template <typename Loss>
double difference(double& value, Loss loss) {
  const double kept = value, h = 1e-5 * std::max(1.0, std::fabs(kept));
  value = kept + h;
  const double above = loss();
  value = kept - h;
  const double below = loss();
  value = kept;
  return (above - below) / (2 * h);
}

struct MonarchCase {
  std::vector<MonarchFactor> factors;
  std::int64_t batch;
};

template <typename T>
struct MonarchProduct {
  std::vector<MonarchFactor> factors;
  std::int64_t batch, inputs = 1, outputs = 1;
  std::vector<T> a, x, y, dy, dx, da, workspace;

  explicit MonarchProduct(const MonarchCase& item) : factors(item.factors), batch(item.batch) {
    for (const MonarchFactor& f : factors) inputs *= f.n, outputs *= f.m;
    a = positive_values<T>(1, monarch_edges(factors));
    x = random_values<T>(2, at(inputs * batch));
    dy = random_values<T>(3, at(outputs * batch));
    y.resize(at(monarch_nodes(factors) * batch));
    dx.resize(x.size());
    da.resize(a.size());
    workspace.resize(at(monarch_workspace(factors, batch)));
  }
  [[nodiscard]] LogMonarch<T> call() {
    return {.factors = factors,
            .batch = batch,
            .a = a.data(),
            .x = x.data(),
            .y = y.data(),
            .dy = dy.data(),
            .dx = dx.data(),
            .da = da.data(),
            .workspace = workspace.data()};
  }
  [[nodiscard]] std::span<const T> output() const { return std::span(y).last(dy.size()); }
  [[nodiscard]] double loss() {
    log_monarch(call());
    double sum = 0;
    for (std::size_t i = 0; i < dy.size(); ++i)
      sum += static_cast<double>(dy[i]) * static_cast<double>(output()[i]);
    return sum;
  }
};

// M[j, i] = prod_t A^t[r, j_t, i_t], r = (i_{t+1}..i_d, j_1..j_{t-1}): the definition.
double entry(const std::vector<MonarchFactor>& factors, const std::vector<double>& a,
             std::int64_t row, std::int64_t column) {
  const std::size_t d = factors.size();
  std::vector<std::int64_t> j(d), i(d);
  for (std::size_t t = d; t-- > 0;) {
    j[t] = row % factors[t].m, row /= factors[t].m;
    i[t] = column % factors[t].n, column /= factors[t].n;
  }
  double product = 1;
  std::int64_t first = 0;
  for (std::size_t t = 0; t < d; ++t) {
    std::int64_t r = 0, blocks = 1;
    for (std::size_t s = t + 1; s < d; ++s) r = r * factors[s].n + i[s], blocks *= factors[s].n;
    for (std::size_t s = 0; s < t; ++s) r = r * factors[s].m + j[s], blocks *= factors[s].m;
    product *= a[at(first + (r * factors[t].m + j[t]) * factors[t].n + i[t])];
    first += blocks * factors[t].m * factors[t].n;
  }
  return product;
}

const std::vector<MonarchCase> monarchs = {
    {{{3, 2}}, 2}, {{{2, 3}, {4, 2}}, 3}, {{{4, 2}, {2, 3}}, 1}, {{{2, 3}, {1, 2}, {3, 2}}, 2}};

void load_golden(MonarchProduct<double>& p, const Json& item) {
  std::size_t edge = 0;
  const auto& tensors = item.at("tensors").items();
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    const std::int64_t m = p.factors[t].m, n = p.factors[t].n;
    const auto& data = tensors[t].at("data").items();
    const std::int64_t blocks = static_cast<std::int64_t>(data.size()) / (m * n);
    for (std::int64_t r = 0; r < blocks; ++r)  // packed[r][j][i] = A[j][i][r]
      for (std::int64_t ji = 0; ji < m * n; ++ji)
        p.a[edge++] = golden::real(data[at(ji * blocks + r)]);
  }
}

}  // namespace

TEST_CASE("math: log_matmul is the logarithm of the product it stands for") {
  for (const auto& [m, n, batch] : {std::array<std::int64_t, 3>{1, 1, 1}, {3, 5, 2}, {17, 9, 13}}) {
    Product1<double> p{m, n, batch};
    log_matmul(p.call());
    for (std::int64_t j = 0; j < m; ++j)
      for (std::int64_t b = 0; b < batch; ++b) {
        double sum = 0;
        for (std::int64_t i = 0; i < n; ++i)
          sum += p.a[at(j * n + i)] * std::exp(p.x[at(i * batch + b)]);
        CHECK(std::fabs(p.y[at(j * batch + b)] - std::log(sum)) < 1e-13);
      }
    // Far outside the range of exp the shift decides: y moves with x.
    const std::vector<double> near = p.y;
    for (double& value : p.x) value -= 5000;
    log_matmul(p.call());
    for (std::size_t i = 0; i < near.size(); ++i) CHECK(std::fabs(p.y[i] + 5000 - near[i]) < 1e-11);
  }
}

TEST_CASE("math: log_matmul's backward agrees with differences") {
  Product1<double> p{4, 3, 5};
  for (double& value : p.da) value = 1;  // added to, not set
  log_matmul_backward(p.call());
  const auto dx = p.dx, da = p.da;
  for (std::size_t i = 0; i < p.x.size(); ++i)
    CHECK(std::fabs(difference(p.x[i], [&] { return p.loss(); }) - dx[i]) < 1e-8);
  for (std::size_t i = 0; i < p.a.size(); ++i)
    CHECK(std::fabs(difference(p.a[i], [&] { return p.loss(); }) + 1 - da[i]) < 1e-8);
}

TEST_CASE("math: flows keep their mass: what enters the sums leaves by edges and by inputs") {
  Product1<double> p{4, 3, 5};
  p.a[2] = p.a[5] = 0;
  double in = 0, edges = 0, out = 0;
  for (double& value : p.dy) in += value = std::fabs(value);
  log_matmul_backward(p.call());
  std::vector<double> counts(p.a.size());
  expected_counts(p.a, p.da, counts);
  for (const double value : counts) edges += value;
  for (const double value : p.dx) out += value;
  CHECK(counts[2] == 0);
  CHECK(edges == doctest::Approx(in).epsilon(1e-13));
  CHECK(out == doctest::Approx(in).epsilon(1e-13));
}

TEST_CASE("math: impossible columns and rows of zeros are -inf, without flow and without nan") {
  Product1<double> p{3, 4, 2};
  for (std::int64_t i = 0; i < 4; ++i) p.x[at(i * 2)] = -infinity;  // column 0
  p.x[1] = -infinity;                                               // one entry of column 1
  for (std::int64_t i = 0; i < 4; ++i) p.a[at(4 + i)] = 0;          // row 1
  log_matmul(p.call());
  for (const std::int64_t j : {0, 1, 2}) CHECK(p.y[at(j * 2)] == -infinity);
  CHECK(p.y[3] == -infinity);
  CHECK(std::isfinite(p.y[1]));
  CHECK(std::isfinite(p.y[5]));
  log_matmul_backward(p.call());
  for (const std::int64_t i : {0, 1, 2, 3}) CHECK(p.dx[at(i * 2)] == 0);
  CHECK(p.dx[1] == 0);
  CHECK(p.dx[3] != 0);
  for (const std::int64_t i : {0, 1, 2, 3}) CHECK(p.da[at(4 + i)] == 0);
  for (const double value : p.da) CHECK(std::isfinite(value));
}

TEST_CASE("math: log-space products in float follow those in double, and allocate nothing") {
  const MonarchCase item{{{8, 9}, {11, 10}}, 7};
  MonarchProduct<double> exact(item);
  MonarchProduct<float> rounded(item);
  log_monarch(rounded.call());  // the first call may set up the product's own buffers
  const std::int64_t before = allocations();
  log_monarch(rounded.call());
  log_monarch_backward(rounded.call());
  CHECK(allocations() == before);
  log_monarch(exact.call());
  log_monarch_backward(exact.call());
  double largest = 0;
  for (const double g : exact.dx) largest = std::max(largest, std::fabs(g));
  for (std::size_t i = 0; i < exact.dy.size(); ++i)
    CHECK(std::fabs(static_cast<double>(rounded.output()[i]) - exact.output()[i]) < 1e-5);
  for (std::size_t i = 0; i < exact.dx.size(); ++i)
    CHECK(std::fabs(static_cast<double>(rounded.dx[i]) - exact.dx[i]) < 1e-4 * largest);
}

TEST_CASE("math: a Monarch product is that of its matrix, entry by entry") {
  for (const MonarchCase& item : monarchs) {
    MonarchProduct<double> p(item);
    log_monarch(p.call());
    for (std::int64_t j = 0; j < p.outputs; ++j)
      for (std::int64_t b = 0; b < p.batch; ++b) {
        double sum = 0;
        for (std::int64_t i = 0; i < p.inputs; ++i)
          sum += entry(p.factors, p.a, j, i) * std::exp(p.x[at(i * p.batch + b)]);
        CHECK(std::fabs(p.output()[at(j * p.batch + b)] - std::log(sum)) < 1e-12);
      }
  }
}

TEST_CASE("math: a Monarch product's backward agrees with differences") {
  for (const MonarchCase& item : monarchs) {
    MonarchProduct<double> p(item);
    log_monarch(p.call());
    log_monarch_backward(p.call());
    const auto dx = p.dx, da = p.da;
    for (std::size_t i = 0; i < p.x.size(); ++i)
      CHECK(std::fabs(difference(p.x[i], [&] { return p.loss(); }) - dx[i]) < 1e-8);
    for (std::size_t i = 0; i < p.a.size(); ++i)
      CHECK(std::fabs(difference(p.a[i], [&] { return p.loss(); }) - da[i]) < 1e-7);
  }
}

TEST_CASE("golden: Monarch products and their transposes") {
  const Json* cases = golden::field("pc", "monarch_rect");
  if (cases == nullptr) return;
  for (const Json& item : cases->items()) {
    MonarchCase shape{{}, 1};
    for (std::size_t t = 0; t < item.at("m").size(); ++t)
      shape.factors.push_back({item.at("m").at(t).integer(), item.at("n").at(t).integer()});
    MonarchProduct<double> p(shape);
    CHECK(monarch_edges(p.factors) == item.at("edges").integer());
    load_golden(p, item);
    const auto x = golden_layer::tensor(item.at("x")).data;
    const auto product = golden_layer::tensor(item.at("Mx")).data;
    const auto left = golden_layer::tensor(item.at("y")).data;
    const auto transposed = golden_layer::tensor(item.at("MTy")).data;
    for (std::size_t i = 0; i < x.size(); ++i) p.x[i] = std::log(x[i]);
    log_monarch(p.call());
    for (std::size_t j = 0; j < product.size(); ++j) {
      CHECK(std::fabs(std::exp(p.output()[j]) - product[j]) < 1e-10);
      p.dy[j] = left[j] * std::exp(p.output()[j]);  // then dx = x * M^T y
    }
    log_monarch_backward(p.call());
    for (std::size_t i = 0; i < x.size(); ++i)
      CHECK(std::fabs(p.dx[i] - x[i] * transposed[i]) < 1e-10);
  }
}

TEST_CASE("math: an edge of weight 0 counts nothing even where its gradient overflows") {
  Product1<float> p{1, 2, 8};
  p.a = {0, 1};
  for (std::size_t b = 0; b < 8; ++b) p.x[b] = 0, p.x[8 + b] = -87, p.dy[b] = 1;
  log_matmul_backward(p.call());
  CHECK(std::isinf(p.da[0]));
  std::vector<float> counts(2);
  expected_counts(p.a, p.da, counts);
  CHECK(counts[0] == 0);
  CHECK(counts[1] == doctest::Approx(8));
}

}  // namespace logpx::log_space_test
