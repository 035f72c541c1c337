// What circuits of real numbers, and of categories beside them, answer: against closed forms.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/eval/best_filling.hpp"
#include "libcore/eval/joint_table.hpp"
#include "libcore/eval/moments.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace logpx::real_queries_test {

using namespace logpx::pc;
using namespace logpx::testing;

namespace {

constexpr std::array<double, 2> share = {0.3, 0.7};
struct Normal {
  double mean, deviation;
  [[nodiscard]] double density(double x) const {
    const double z = (x - mean) / deviation;
    return std::exp(-z * z / 2) / (deviation * std::sqrt(2 * std::numbers::pi));
  }
};
constexpr std::array<Normal, 2> a = {{{-1, 0.5}, {2, 1}}}, b = {{{10, 2}, {14, 0.25}}};
constexpr std::array<std::array<double, 3>, 2> kind = {{{0.5, 0.25, 0.25}, {0.125, 0.125, 0.75}}};

Circuit two_normals() {
  Circuit circuit;
  circuit.variables = {{"a", 0}, {"kind", 3}, {"b", 0}};
  circuit.blocks = {Block::leaf("a", 2, 0, LeafKind::gaussian), Block::leaf("kind", 2, 1),
                    Block::leaf("b", 2, 2, LeafKind::gaussian),
                    Block::hadamard("both", 2, {0, 1, 2}), Block::dense_sum("root", 1, {3}, 2)};
  circuit.root = 4;
  return circuit;
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Its parameters are standardised as the reader below does it.
HeldCircuit held_circuit() {
  const auto scaled = [](const std::array<Normal, 2>& of, double mean, double deviation) {
    std::vector<double> q;
    for (const Normal& one : of)
      q.insert(q.end(), {(one.mean - mean) / deviation, one.deviation / deviation});
    return q;
  };
  HeldCircuit held(two_normals());
  held.set("a/q", scaled(a, 0.5, 2));
  held.set("b/q", scaled(b, 12, 4));
  held.set("kind/p", {0.5, 0.25, 0.25, 0.125, 0.125, 0.75});
  held.set("root/w", {share[0], share[1]});
  return held;
}

struct Asked {
  HeldCircuit held = held_circuit();
  pc::SymbolRows reader{{.columns = {.mean = {0.5, 0, 12}, .deviation = {2, 1, 4}}},
                        held.plan.circuit()};
  pc::Queries queries{held.plan, held.params, reader, held.theta};
};

struct Row {
  double a = nan;
  std::int32_t kind = -1;
  double b = nan;
};

Evidence evidence(const std::vector<Row>& rows) {
  Evidence all{.width = 3};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    all.lengths.push_back(3);
    all.x.insert(all.x.end(), 3, -1);
    all.reals.resize(all.x.size());
    const auto row = static_cast<std::int64_t>(i);
    if (!std::isnan(rows[i].a)) all.set_real(row, 0, rows[i].a);
    all.set(row, 1, rows[i].kind);
    if (!std::isnan(rows[i].b)) all.set_real(row, 2, rows[i].b);
  }
  return all;
}

// p(observed values, component z).
double joint(const Row& row, std::size_t z) {
  return share[z] * (std::isnan(row.a) ? 1 : a[z].density(row.a)) *
         (row.kind < 0 ? 1 : kind[z][at(row.kind)]) * (std::isnan(row.b) ? 1 : b[z].density(row.b));
}
double density(const Row& row) { return joint(row, 0) + joint(row, 1); }
double given(const Row& row, std::size_t z) { return joint(row, z) / density(row); }

const std::vector<Row> rows = {{0.25, 1, 12.5}, {nan, 2, 11}, {1.5, -1, nan},
                               {-2, 0, nan},    {},           {nan, -1, 13.75}};

bool near(double x, double y) { return std::abs(x - y) < 1e-6 * std::max(1.0, std::abs(y)); }

}  // namespace

TEST_CASE("pc queries: log p of real numbers is their log-density, in the units of the data") {
  const Asked asked;
  const std::vector<double> nats = asked.queries.log_p(evidence(rows));
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(near(nats[i], std::log(density(rows[i]))));
}

TEST_CASE("pc queries: moments and densities of real numbers are those given all other values") {
  const Asked asked;
  const ValueTables tables = asked.queries.tables(evidence(rows));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(near(tables.nats[i], std::log(density(rows[i]))));
    for (const std::size_t place : {std::size_t{0}, std::size_t{2}}) {
      Row others = rows[i];
      (place == 0 ? others.a : others.b) = nan;
      double mean = 0, square = 0;
      for (const std::size_t z : {std::size_t{0}, std::size_t{1}}) {
        const Normal& one = place == 0 ? a[z] : b[z];
        mean += given(others, z) * one.mean;
        square += given(others, z) * (one.mean * one.mean + one.deviation * one.deviation);
      }
      const RealMoments& moments = tables.reals[i * 3 + place];
      CHECK(near(moments.mean, mean));
      CHECK(near(moments.square, square));
      const bool there = !std::isnan(place == 0 ? rows[i].a : rows[i].b);
      if (there) CHECK(near(moments.nats, std::log(density(rows[i]) / density(others))));
    }
    Row others = rows[i];
    others.kind = -1;
    for (std::size_t k = 0; k < 3; ++k) {
      const double p = given(others, 0) * kind[0][k] + given(others, 1) * kind[1][k];
      CHECK(near(tables.p[(i * 3 + 1) * 3 + k], p));
    }
  }
}

TEST_CASE("pc queries: a value that is new has probability 0, and others are asked without it") {
  const Asked asked;
  DatasetInfo info;
  info.content = Content::vector;
  info.element = Element::f32;
  info.shape = {3};
  info.column_names = {"a", "kind", "b"};
  Rows stored;
  stored.count = 4;
  stored.x.resize(at(stored.count) * info.row_bytes());
  std::ranges::copy(std::array<float, 12>{0.25F, -1, 12.5F, 0.25F, 3, 12.5F, 0.25F, 0.5F, 12.5F,
                                          0.25F, static_cast<float>(nan), 12.5F},
                    stored.values<float>().begin());
  const Evidence rows = asked.queries.observed({info, stored, 0});
  const ValueTables tables = asked.queries.tables(rows);
  const std::vector<double> nats = asked.queries.log_p(rows);
  const FilledRows filled = asked.queries.fill(rows, FillBy::explanation, Rng(1), 0);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    CHECK(rows.x[i * 3 + 1] == Evidence::new_value);
    CHECK(nats[i] == -std::numeric_limits<double>::infinity());
    CHECK(tables.nats[i] == nats[i]);
    CHECK(filled.nats[i] == nats[i]);
    CHECK(tables.reals[i * 3].nats == tables.reals[9].nats);
  }
  CHECK(rows.x[10] == -1);
  CHECK(near(nats[3], std::log(density({0.25, -1, 12.5}))));
  // Training and scoring refuse new values.
  CHECK_THROWS_WITH_AS((void)asked.reader.take_all({info, stored, 0}),
                       doctest::Contains("row 0, column kind is -1, and the model knows 0 to 2"),
                       Error);
}

TEST_CASE("pc queries: a value far from all that was seen is as odd as its density says") {
  const Asked asked;
  const Row far = {1e4, 1, 12};
  const ValueTables tables = asked.queries.tables(evidence({far}));
  // Both components vanish; the wide one is left.
  const double z = (1e4 - a[1].mean) / a[1].deviation;
  const Row others = {nan, 1, 12};
  const double nats = std::log(given(others, 1)) - z * z / 2 - std::log(a[1].deviation) -
                      std::log(2 * std::numbers::pi) / 2;
  CHECK(near(tables.reals[0].nats, nats));
}

TEST_CASE("pc queries: a curve says the density at values around the mean, given all others") {
  const Asked asked;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const DensityCurve curve =
        density_curve(asked.queries, evidence(rows), static_cast<std::int64_t>(i), 0);
    REQUIRE(curve.values.size() == 13);
    Row others = rows[i];
    others.a = nan;
    for (std::size_t k = 0; k < curve.values.size(); ++k) {
      Row with = others;
      with.a = curve.values[k];
      CHECK(near(curve.density[k], density(with) / density(others)));
    }
    CHECK(std::is_sorted(curve.values.begin(), curve.values.end()));
  }
}

TEST_CASE("pc queries: joint tables of categories and real numbers are exact densities") {
  const Asked asked;
  const Evidence rows_of_two = evidence({{nan, -1, 12}});
  const Assignments assignments(asked.queries, {0, 1}, rows_of_two, 0);
  REQUIRE(assignments.count(1000) == 39);
  CHECK(assignments.has_reals());
  const std::vector<double> p = joint_table(asked.queries, rows_of_two, 0, assignments);
  for (std::int64_t number = 0; number < 39; ++number) {
    const std::vector<std::int32_t> values = assignments.values(number);
    const Row whole = {assignments.real(0, values[0]), values[1], 12};
    CHECK(near(p[at(number)], density(whole) / density({nan, -1, 12})));
  }
}

TEST_CASE(
    "pc queries: a category and a real number have a covariance, two real ones are left out") {
  const Asked asked;
  const std::vector<std::int64_t> places = {0, 1, 2};
  const ValueMoments moments = value_moments(asked.queries, evidence({{}}), 0, places, Pairs::all);
  double product = 0, mean_a = 0, mean_kind = 0;
  for (const std::size_t z : {std::size_t{0}, std::size_t{1}}) {
    const double of_kind = kind[z][1] + 2 * kind[z][2];
    product += share[z] * a[z].mean * of_kind;
    mean_a += share[z] * a[z].mean;
    mean_kind += share[z] * of_kind;
  }
  CHECK(near(moments.covariance[1], product - mean_a * mean_kind));
  CHECK(moments.covariance[3] == moments.covariance[1]);
  CHECK(std::isnan(moments.covariance[2]));
  CHECK(near(moments.covariance[0], moments.square[0] - mean_a * mean_a));
}

TEST_CASE("pc queries: draws of real numbers have the moments that they should have") {
  const Asked asked;
  const Row known = {nan, 0, 12};
  constexpr std::int64_t count = 20000;
  const Evidence many = evidence({known}).repeat(0, count);
  const FilledRows filled = asked.queries.fill(many, FillBy::draws, Rng(3), 0);
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    REQUIRE(filled.x[at(i * 3)] == 0);
    REQUIRE(filled.reals[at(i * 3 + 2)] == 12);
    const auto x = static_cast<double>(filled.reals[at(i * 3)]);
    sum += x, squares += x * x;
  }
  const RealMoments moments = asked.queries.tables(evidence({known})).reals[0];
  const double deviation = std::sqrt(moments.square - moments.mean * moments.mean);
  CHECK(std::abs(sum / count - moments.mean) < 5 * deviation / std::sqrt(double(count)));
  CHECK(std::abs(squares / count / moments.square - 1) < 0.05);
  CHECK(near(filled.nats[0], std::log(density(known))));
}

TEST_CASE("pc queries: the most probable explanation takes the mean of one component") {
  const Asked asked;
  const FilledRows filled =
      asked.queries.fill(evidence({{nan, -1, 13.9}}), FillBy::explanation, Rng(1), 0);
  CHECK(near(static_cast<double>(filled.reals[0]), a[1].mean));
  CHECK(filled.x[1] == 2);
  CHECK(near(filled.nats[0], std::log(joint({a[1].mean, 2, 13.9}, 1))));
}

TEST_CASE("pc queries: the most probable values of real numbers lie at the peak of their density") {
  const Asked asked;
  for (const Row& row : {Row{nan, -1, 12.75}, Row{nan, 1, nan}, Row{}}) {
    const BestFilling best = best_filling(asked.queries, evidence({row}), 0, {});
    REQUIRE(!best.x.empty());
    CHECK_FALSE(best.exact);
    double highest = 0;
    for (std::int32_t k = 0; k < 3; ++k)
      for (double x = -3; x < 5; x += 0.01)
        for (double y = 8; y < 16; y += 0.05) {
          const Row whole = {x, row.kind < 0 ? k : row.kind, std::isnan(row.b) ? y : row.b};
          highest = std::max(highest, density(whole));
        }
    CHECK(best.nats > std::log(highest) - 1e-9);
    const Row found = {static_cast<double>(best.reals[0]), best.x[1],
                       static_cast<double>(best.reals[2])};
    CHECK(near(best.nats, std::log(density(found))));
  }
}

TEST_CASE("pc queries: at another temperature a gaussian is as wide as its square root") {
  Circuit circuit;
  circuit.variables = {{"x", 0}};
  circuit.blocks = {Block::leaf("x", 1, 0, LeafKind::gaussian),
                    Block::dense_sum("root", 1, {0}, 1)};
  circuit.root = 1;
  HeldCircuit held(circuit);
  held.set("x/q", {3, 2});
  held.set("root/w", {1});
  const AskedCircuit asked(std::move(held));
  const RealMoments moments = asked.queries.tempered(4)->tables(unknown_row(1)).reals[0];
  CHECK(near(moments.mean, 3));
  CHECK(near(moments.square, 9 + 16));
}

TEST_CASE("pc queries: at another temperature a coin has the odds to that power") {
  Circuit circuit;
  circuit.variables = {{"x", 2}};
  circuit.blocks = {Block::leaf("x", 1, 0, LeafKind::bernoulli),
                    Block::dense_sum("root", 1, {0}, 1)};
  circuit.root = 1;
  HeldCircuit held(circuit);
  held.set("x/q", {0.8});
  held.set("root/w", {1});
  const AskedCircuit asked(std::move(held));
  CHECK(near(asked.queries.tempered(2)->tables(unknown_row(1)).p[1], 2.0 / 3));
}

}  // namespace logpx::real_queries_test
