// Gaussians of several variables, against formulas with whole covariances.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/leaves/maximise_leaves.hpp"
#include "libcore/families/pc/passes/slopes.hpp"
#include "libcore/families/pc/sampling/sample.hpp"
#include "libcore/families/pc/text/circuit_numbers.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace logpx::joint_gaussian_test {

using namespace logpx::pc;
using namespace logpx::testing;

namespace {

constexpr std::size_t d = 3, nodes = 2;
using Values = std::array<double, d>;
using Square = std::array<Values, d>;
constexpr std::array<Values, nodes> mean = {{{0.5, -1, 2}, {-0.25, 1.5, 0}}};
// Rows of the Cholesky factors.
constexpr std::array<Square, nodes> factor = {{{{{1.5, 0, 0}, {0.5, 0.75, 0}, {-1, 0.25, 0.5}}},
                                               {{{0.5, 0, 0}, {-1, 2, 0}, {0.5, 1, 1.25}}}}};
constexpr std::array<std::array<double, 2>, nodes> words = {{{0.75, 0.25}, {0.125, 0.875}}};
constexpr std::array<double, nodes> share = {0.375, 0.625};

Circuit circuit_of_words_and_reals() {
  Circuit circuit;
  circuit.variables = {{"a", 0}, {"word", 2}, {"b", 0}, {"c", 0}};
  circuit.blocks = {Block::joint("reals", nodes, {0, 2, 3}), Block::leaf("word", nodes, 1),
                    Block::hadamard("both", nodes, {0, 1}),
                    Block::dense_sum("root", 1, {2}, nodes)};
  circuit.root = 3;
  return circuit;
}

HeldCircuit held_circuit() {
  HeldCircuit held(circuit_of_words_and_reals());
  std::vector<double> q;
  for (std::size_t n = 0; n < nodes; ++n) {
    q.insert(q.end(), mean[n].begin(), mean[n].end());
    for (std::size_t i = 0; i < d; ++i)
      q.insert(q.end(), factor[n][i].begin(), factor[n][i].begin() + 1 + static_cast<int>(i));
  }
  held.set("reals/q", q);
  held.set("word/p", {words[0][0], words[0][1], words[1][0], words[1][1]});
  held.set("root/w", {share[0], share[1]});
  return held;
}

double covariance(std::size_t n, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < d; ++k) sum += factor[n][i][k] * factor[n][j][k];
  return sum;
}

// Solves S y = right for the rows and columns `of` of a node's covariance by elimination, and
// multiplies the determinant.
std::vector<double> solve(std::size_t n, const std::vector<std::size_t>& of,
                          std::vector<double> right, double& determinant) {
  std::vector<std::vector<double>> s;
  for (const std::size_t i : of) {
    s.emplace_back();
    for (const std::size_t j : of) s.back().push_back(covariance(n, i, j));
  }
  determinant = 1;
  for (std::size_t i = 0; i < of.size(); ++i) {
    determinant *= s[i][i];
    for (std::size_t r = 0; r < of.size(); ++r) {
      if (r == i) continue;
      const double times = s[r][i] / s[i][i];
      for (std::size_t j = 0; j < of.size(); ++j) s[r][j] -= times * s[i][j];
      right[r] -= times * right[i];
    }
  }
  for (std::size_t i = 0; i < of.size(); ++i) right[i] /= s[i][i];
  return right;
}

struct Row {
  Values x = {};
  std::array<bool, d> seen = {};
  int word = -1;

  [[nodiscard]] std::vector<std::size_t> places() const {
    std::vector<std::size_t> all;
    for (std::size_t v = 0; v < d; ++v)
      if (seen[v]) all.push_back(v);
    return all;
  }
};

double density(std::size_t n, const Row& row) {
  const std::vector<std::size_t> of = row.places();
  std::vector<double> off;
  for (const std::size_t v : of) off.push_back(row.x[v] - mean[n][v]);
  double determinant = 0;
  const std::vector<double> y = solve(n, of, off, determinant);
  const double square = std::inner_product(y.begin(), y.end(), off.begin(), 0.0);
  return std::exp(-square / 2) /
         std::sqrt(determinant * std::pow(2 * std::numbers::pi, static_cast<double>(of.size())));
}
double joint(std::size_t n, const Row& row) {
  return share[n] * density(n, row) * (row.word < 0 ? 1 : words[n][at(row.word)]);
}
// The mean of a hidden variable under a node.
double expected(std::size_t n, const Row& row, std::size_t hidden) {
  std::vector<double> off;
  for (const std::size_t v : row.places()) off.push_back(row.x[v] - mean[n][v]);
  double determinant = 0, value = mean[n][hidden];
  const std::vector<double> y = solve(n, row.places(), off, determinant);
  for (std::size_t i = 0; i < y.size(); ++i) value += covariance(n, hidden, row.places()[i]) * y[i];
  return value;
}

// Every pattern of holes, with and without the word.
std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (int holes = 0; holes < 8; ++holes)
    for (int kind = -1; kind < 2; ++kind)
      rows.push_back({.x = {0.25, -0.5, 1.75},
                      .seen = {(holes & 1) == 0, (holes & 2) == 0, (holes & 4) == 0},
                      .word = kind});
  return rows;
}

Columns columns_of(const std::vector<Row>& rows) {
  const std::size_t n = rows.size();
  Columns columns{.count = std::ssize(rows)};
  columns.lengths.assign(n, 1);
  columns.x.assign(4 * n, -1);
  columns.reals.assign(4 * n, 0);
  constexpr std::array<std::size_t, d> places = {0, 2, 3};
  for (std::size_t c = 0; c < n; ++c) {
    columns.x[n + c] = rows[c].word;
    for (std::size_t v = 0; v < d; ++v)
      if (rows[c].seen[v]) {
        columns.x[places[v] * n + c] = 0;
        columns.reals[places[v] * n + c] = static_cast<float>(rows[c].x[v]);
      }
  }
  return columns;
}

Evidence evidence_of(const std::vector<Row>& rows) {
  Evidence all{.width = 4};
  constexpr std::array<std::int64_t, d> places = {0, 2, 3};
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    all.lengths.push_back(4);
    all.x.insert(all.x.end(), 4, -1);
    all.reals.resize(all.x.size());
    all.set(i, 1, rows[at(i)].word);
    for (std::size_t v = 0; v < d; ++v)
      if (rows[at(i)].seen[v]) all.set_real(i, places[v], rows[at(i)].x[v]);
  }
  return all;
}

struct Asked {
  HeldCircuit held = held_circuit();
  pc::SymbolRows reader{{}, held.plan.circuit()};
  pc::Queries queries{held.plan, held.params, reader, held.theta};
};

// Rows around two lines, with holes.
Columns rows_with_holes(std::int64_t count) {
  const Substream draws = Rng(3).stream(Stream::test);
  std::vector<Row> rows;
  for (std::uint64_t r = 0; r < at(count); ++r) {
    const double t = 4 * draws.uniform(9 * r) - 2, noise = draws.uniform(9 * r + 1);
    const int side = draws.word(9 * r + 2) % 2 == 0 ? 1 : -1;
    Row row{.x = {t, side * t + 0.5 * noise, t * t + noise}, .word = side < 0 ? 0 : 1};
    for (std::size_t v = 0; v < d; ++v) row.seen[v] = draws.word(9 * r + 3 + v) % 4 != 0;
    if (draws.word(9 * r + 7) % 5 == 0) row.word = -1;
    rows.push_back(row);
  }
  return columns_of(rows);
}

}  // namespace

TEST_CASE("pc: a gaussian of several variables is that of what is seen, whatever the holes") {
  const HeldCircuit held = held_circuit();
  const std::vector<Row> rows = all_rows();
  for (const Arithmetic arithmetic : {Arithmetic::scaled, Arithmetic::logarithms}) {
    std::vector<double> nats(rows.size());
    Pass<double>(held.plan, {.arithmetic = arithmetic}).log_p(held.theta, columns_of(rows), nats);
    for (std::size_t i = 0; i < rows.size(); ++i)
      CHECK(std::abs(nats[i] - std::log(joint(0, rows[i]) + joint(1, rows[i]))) < 1e-10);
  }
}

TEST_CASE("pc: EM of gaussians of several variables never lets the likelihood fall") {
  HeldCircuit held = held_circuit();
  const Columns columns = rows_with_holes(80);
  const JointData data{.mean = {0, 0, 1}, .deviation = {1, 1, 1}, .least = {1e-4, 1e-4, 1e-4}};
  JointTargets targets(held.plan.circuit().blocks.size());
  targets[0] = data;
  double before = -1e9, first = 0;
  for (int step = 0; step < 50; ++step) {
    std::vector<double> nats(80), slopes(held.theta.size()), logs(80), other(held.theta.size());
    Pass<double>(held.plan, {}).add_slopes(held.theta, columns, nats, slopes);
    Pass<double>(held.plan, {.arithmetic = Arithmetic::logarithms})
        .add_slopes(held.theta, columns, logs, other);
    for (std::size_t i = 0; i < slopes.size(); ++i)
      CHECK(std::abs(slopes[i] - other[i]) < 1e-7 * (1 + std::abs(other[i])));
    multiply_rows<double>(held.params, held.theta, slopes);
    const double now = std::accumulate(nats.begin(), nats.end(), 0.0);
    CHECK(now >= before - 1e-6);
    if (step == 0) first = now;
    before = now;
    maximise<double>(held.params, {}, {}, slopes, {}, held.theta);
    maximise_joints<double>(held.plan, {}, targets, slopes, {}, held.theta);
  }
  CHECK(before > first + 50);
}

TEST_CASE("pc: covariances of few rows lean on the mean of all, and keep a floor") {
  const JointForm form{2};
  // Three rows at (0, 0), (2, 2), (4, 1) under the first node, one at (1, 0) under the second.
  const std::vector<double> sums = {3, 6, 3, 20, 8, 5, 1, 1, 0, 1, 0, 0};
  std::vector<double> q(10);
  maximise_joint(form, {.pooled = 2}, {.mean = {0, 0}, .deviation = {1, 1}, .least = {0.1, 0.1}},
                 sums, q);
  // S = (8, 2; 2, 2) of the first, 0 of the second; W = S / 4.
  const auto covariance = [&](std::size_t node, std::size_t i, std::size_t j) {
    const double* const l = q.data() + 5 * node + 2;
    const std::array<std::array<double, 2>, 2> rows = {{{l[0], 0}, {l[1], l[2]}}};
    return rows[i][0] * rows[j][0] + rows[i][1] * rows[j][1];
  };
  CHECK(q[0] == doctest::Approx(2));
  CHECK(q[1] == doctest::Approx(1));
  CHECK(covariance(0, 0, 0) == doctest::Approx((8 + 2 * 2.0) / 5 + 0.01));
  CHECK(covariance(0, 0, 1) == doctest::Approx((2 + 2 * 0.5) / 5));
  CHECK(covariance(1, 0, 0) == doctest::Approx(2 * 2.0 / 3 + 0.01));
  CHECK(covariance(1, 1, 1) == doctest::Approx(2 * 0.5 / 3 + 0.01));
}

TEST_CASE("pc: rounding of statistics does not blow up a covariance, whatever the units") {
  const JointForm form{3};
  // As rounding leaves them: the first two numbers are more than equal, the third has no variance.
  const std::vector<double> sums = {1, 0, 0, 0, 1e-6, 1.1e-1, 1e4, 0, 3, 0};
  std::vector<double> q(9);
  maximise_joint(form, {},
                 {.mean = {0, 0, 0}, .deviation = {1e-3, 100, 10}, .least = {1e-5, 1, 0.1}}, sums,
                 q);
  for (std::size_t k = 0; k < q.size(); ++k) CHECK(std::isfinite(q[k]));
  CHECK(std::abs(q[4]) <= doctest::Approx(std::sqrt(1e4 + 1)));
  CHECK(q[5] == doctest::Approx(0.5));  // half its floor
  CHECK(std::hypot(q[6], q[7]) <= doctest::Approx(0.1));
}

TEST_CASE("pc queries: moments given all other values know the covariances of a gaussian") {
  const Asked asked;
  const std::vector<Row> rows = all_rows();
  const ValueTables tables = asked.queries.tables(evidence_of(rows));
  constexpr std::array<std::size_t, d> places = {0, 2, 3};
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t v = 0; v < d; ++v) {
      Row others = rows[i];
      others.seen[v] = false;
      const RealMoments& moments = tables.reals[4 * i + places[v]];
      const double first = joint(0, others), second = joint(1, others);
      CHECK(moments.mean ==
            doctest::Approx((first * expected(0, others, v) + second * expected(1, others, v)) /
                            (first + second)));
      if (!rows[i].seen[v]) continue;
      const double whole = joint(0, rows[i]) + joint(1, rows[i]);
      CHECK(moments.nats == doctest::Approx(std::log(whole / (first + second))));
    }
}

TEST_CASE("pc queries: draws of hidden values have the covariances of their node") {
  const Asked asked;
  const Row row{.x = {0.25, 0, 0}, .seen = {true, false, false}, .word = 1};
  const std::vector<Row> rows(4000, row);
  const FilledRows filled = asked.queries.fill(evidence_of(rows), FillBy::draws, Rng(7), 0);
  const double first = joint(0, row) / (joint(0, row) + joint(1, row));
  double b = 0, c = 0, product = 0, exact_b = 0, exact_product = 0;
  for (std::size_t n = 0; n < nodes; ++n) {
    const double weight = n == 0 ? first : 1 - first, of_a = covariance(n, 0, 0);
    const double between = covariance(n, 1, 2) - covariance(n, 1, 0) * covariance(n, 2, 0) / of_a;
    exact_b += weight * expected(n, row, 1);
    exact_product += weight * (between + expected(n, row, 1) * expected(n, row, 2));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(filled.reals[4 * i] == 0.25F);
    b += static_cast<double>(filled.reals[4 * i + 2]) / 4000;
    c += static_cast<double>(filled.reals[4 * i + 3]) / 4000;
    product += static_cast<double>(filled.reals[4 * i + 2] * filled.reals[4 * i + 3]) / 4000;
  }
  CHECK(b == doctest::Approx(exact_b).epsilon(0.1));
  CHECK(product == doctest::Approx(exact_product).epsilon(0.15));
}

TEST_CASE("pc: a circuit with gaussians of several variables is the same read back as text") {
  const HeldCircuit held = held_circuit();
  ParamSet params;
  const PassPlan plan(circuit_of_words_and_reals(), params);
  std::ranges::transform(held.theta, params.block().begin(),
                         [](double one) { return static_cast<float>(one); });
  const std::string text = write_circuit(with_numbers(plan, params));
  const CircuitText back = read_circuit(text, "text");
  CHECK(back.circuit.blocks[0].variables == std::vector<int>{0, 2, 3});
  CHECK(write_circuit(back) == text);
}

TEST_CASE("pc: a gaussian of several variables that names one twice or a word is refused") {
  Circuit circuit = circuit_of_words_and_reals();
  circuit.blocks[0].variables = {0, 2, 2};
  CHECK_THROWS_AS(require_valid(circuit, "circuit"), Error);
  circuit.blocks[0].variables = {0, 1, 3};
  CHECK_THROWS_AS(require_valid(circuit, "circuit"), Error);
  circuit.blocks[0].variables = {0, 2, 3};
  require_valid(circuit, "circuit");
}

}  // namespace logpx::joint_gaussian_test
