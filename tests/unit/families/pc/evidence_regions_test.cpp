// Evidence that is a set or a range: against sums over all rows, and integrals.
#include "libcore/base/index.hpp"
#include "libcore/eval/best_filling.hpp"
#include "libcore/eval/joint_table.hpp"
#include "libcore/eval/moments.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

namespace logpx::evidence_regions_test {

using namespace logpx::pc;
using namespace logpx::testing;
using testing::SymbolRows;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Evidence with(Evidence rows, const ValueRegions& regions) {
  rows.regions = std::make_shared<const ValueRegions>(regions);
  return rows;
}

// All rows that agree with what is there, and whose values lie in their regions.
SymbolRows agreeing(const AskedCircuit& asked, const Evidence& rows, std::int64_t i) {
  SymbolRows all(1);
  for (std::int64_t place = 0; place < rows.lengths[at(i)]; ++place) {
    SymbolRows longer;
    for (const auto& row : all)
      for (std::int32_t k = 0; k < asked.queries.levels_at(place); ++k) {
        const std::int32_t there = rows.row(i)[at(place)];
        const auto region = rows.regions->find(place);
        const bool inside = region == rows.regions->end() || region->second.has(k);
        if ((there >= 0 && there != k) || !inside) continue;
        longer.push_back(row);
        longer.back().push_back(k);
      }
    all = std::move(longer);
  }
  return all;
}

// Real numbers, whole ones and a joint leaf, mixed over two ways to split them:
//   a: a gaussian, n: whole numbers, kind: three words, u and v: a gaussian of both
Circuit mixed_circuit() {
  Circuit circuit;
  circuit.variables = {{"a", 0}, {"n", 0, true}, {"kind", 3}, {"u", 0}, {"v", 0}, {"w", 0}};
  circuit.blocks = {Block::leaf("a", 2, 0, LeafKind::gaussian),
                    Block::leaf("n", 2, 1, LeafKind::dgaussian),
                    Block::leaf("kind", 2, 2),
                    Block::joint("uvw", 2, {3, 4, 5}),
                    Block::hadamard("all", 2, {0, 1, 2, 3}),
                    Block::dense_sum("root", 1, {4}, 2)};
  circuit.root = 5;
  return circuit;
}

HeldCircuit held_mixed() {
  HeldCircuit held(mixed_circuit());
  held.set("a/q", {-1, 0.5, 2, 1});
  held.set("n/q", {3.25, 1.5, 40, 9});
  held.set("kind/p", {0.5, 0.25, 0.25, 0.125, 0.125, 0.75});
  held.set("uvw/q", {0.5, -1, 2, 1.5, 0.5, 0.75, -1, 0.25, 0.5,  //
                     -0.25, 1.5, 0, 0.5, -1, 2, 0.5, 1, 1.25});
  held.set("root/w", {0.375, 0.625});
  return held;
}

constexpr std::int64_t a = 0, n = 1, kind = 2, u = 3, v = 4, w = 5;

struct Mixed : AskedCircuit {
  Mixed() : AskedCircuit(held_mixed()) {}
};

Evidence nothing() {
  Evidence row = unknown_row(6);
  row.reals.resize(6);
  return row;
}

// The integral of f of p(row with this value), by Simpson's rule.
struct Integrals {
  double mass = 0, mean = 0, square = 0;
};
Integrals integrals(const Mixed& asked, const Evidence& row, std::int64_t place,
                    const ValueRange& range) {
  constexpr std::int64_t steps = 4000;
  Evidence points = row.repeat(0, steps + 1);
  std::vector<double> x;
  for (std::int64_t k = 0; k <= steps; ++k) {
    points.set_real(k, place,
                    range.low + (range.high - range.low) * static_cast<double>(k) / steps);
    x.push_back(static_cast<double>(points.reals[at(k * 6 + place)]));
  }
  const std::vector<double> nats = asked.queries.log_p(points);
  Integrals sum;
  for (std::size_t k = 0; k + 2 < x.size(); k += 2)
    for (std::size_t i = 0; i < 3; ++i) {
      const double p = std::exp(nats[k + i]) * (x[k + 2] - x[k]) / 6 * (i == 1 ? 4 : 1);
      sum.mass += p;
      sum.mean += p * x[k + i];
      sum.square += p * x[k + i] * x[k + i];
    }
  sum.mean /= sum.mass;
  sum.square /= sum.mass;
  return sum;
}

ValueRegion between(double low, double high) { return {.ranges = {{low, high}}}; }

}  // namespace

TEST_CASE("pc queries: a value of which a set is known is summed over the set, in every circuit") {
  for (const SmallCircuit& named : small_circuits()) {
    INFO(named.name);
    const AskedCircuit asked(named.circuit, 5);
    const Evidence rows = with(evidence_of(named.rows), {{1, {.categories = {1, 0, 1}}}});
    if (asked.queries.levels_at(1) != 3) continue;
    const std::vector<double> nats = asked.queries.log_p(rows);
    const ValueTables tables = asked.queries.tables(rows);
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      if (rows.lengths[at(i)] < 2) continue;
      double whole = 0;
      std::vector<double> by_value(at(rows.width * asked.queries.levels()));
      for (const auto& row : agreeing(asked, rows, i)) {
        const double p = std::exp(asked.held.plain_log_p(row));
        whole += p;
        for (std::size_t place = 0; place < row.size(); ++place)
          by_value[place * at(asked.queries.levels()) + at(row[place])] += p;
      }
      if (whole == 0) {
        CHECK(nats[at(i)] == -infinity);
        continue;
      }
      CHECK(nats[at(i)] == doctest::Approx(std::log(whole)));
      CHECK(tables.nats[at(i)] == doctest::Approx(std::log(whole)));
      for (std::int64_t place = 0; place < rows.lengths[at(i)]; ++place) {
        if (rows.row(i)[at(place)] >= 0) continue;  // of these the tables say what others expect
        const std::int64_t from = place * asked.queries.levels();
        for (std::int64_t k = 0; k < asked.queries.levels_at(place); ++k)
          CHECK(tables.p[at(i * rows.width * asked.queries.levels() + from + k)] ==
                doctest::Approx(by_value[at(from + k)] / whole));
      }
    }
  }
}

TEST_CASE("pc queries: draws, explanations and best values lie in the set that is known") {
  const SmallCircuit named = small_circuits()[2];
  const AskedCircuit asked(named.circuit, 5);
  const Evidence rows =
      with(evidence_of(SymbolRows(2000, {-1, -1, 1})), {{1, {.categories = {1, 0, 1}}}});
  const FilledRows drawn = asked.queries.fill(rows, FillBy::draws, Rng(3), 0);
  const double zero = asked.queries.tables(rows).p[3];
  double share = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    CHECK(drawn.x[3 * i + 1] != 1);
    share += drawn.x[3 * i + 1] == 0 ? 1.0 / 2000 : 0;
  }
  CHECK(share == doctest::Approx(zero).epsilon(0.1));
  double best = -infinity;
  for (const auto& row : agreeing(asked, rows, 0))
    best = std::max(best, asked.held.plain_log_p(row));
  const BestFilling found = best_filling(asked.queries, rows, 0, {});
  CHECK(found.exact);
  CHECK(found.nats == doctest::Approx(best));
  CHECK(asked.queries.fill(rows, FillBy::explanation, Rng(3), 0).x[1] != 1);
}

TEST_CASE("pc queries: p of a range is the integral of the density over it") {
  const Mixed asked;
  Evidence row = nothing();
  row.set_real(0, v, 0.5);
  row.set(0, kind, 2);
  for (const std::int64_t place : {a, u, w})
    for (const ValueRange range : {ValueRange{0.5, 2}, ValueRange{-3, -0.5}, ValueRange{4, 4.25}}) {
      const Integrals sum = integrals(asked, row, place, range);
      const Evidence ranged = with(row, {{place, {.ranges = {range}}}});
      CHECK(asked.queries.log_p(ranged)[0] == doctest::Approx(std::log(sum.mass)).epsilon(1e-6));
      const RealMoments moments = asked.queries.tables(ranged).reals[at(place)];
      CHECK(moments.mean == doctest::Approx(sum.mean).epsilon(1e-5));
      CHECK(moments.square == doctest::Approx(sum.square).epsilon(1e-5));
    }
}

TEST_CASE("pc queries: ranges of several columns hold together where no gaussian joins them") {
  const Mixed asked;
  const double both = asked.queries.log_p(
      with(nothing(), {{a, between(-1, 1)}, {u, between(0, infinity)}, {n, between(3, 38)}}))[0];
  double sum = 0;
  for (int k = 3; k <= 38; ++k) {
    Evidence row = with(nothing(), {{u, between(0, infinity)}});
    row.set_real(0, n, k);
    sum += integrals(asked, row, a, {-1, 1}).mass;
  }
  CHECK(both == doctest::Approx(std::log(sum)).epsilon(1e-6));
  CHECK(asked.queries.refuse_regions(with(nothing(), {{a, between(0, 1)}, {u, between(0, 1)}}))
            .empty());
  CHECK(
      asked.queries.refuse_regions(with(nothing(), {{v, between(0, 1)}, {u, between(0, 1)}})) ==
      "names ranges of u and v, and one gaussian over several columns joins both: it takes a range "
      "of one");
}

TEST_CASE("pc queries: of whole numbers a range is the sum of their probabilities") {
  const Mixed asked;
  for (const ValueRange range : {ValueRange{3, 6}, ValueRange{35, 60}, ValueRange{90, 140}}) {
    double mass = 0, mean = 0, square = 0;
    for (double k = range.low; k <= range.high; ++k) {
      Evidence row = nothing();
      row.set_real(0, n, k);
      const double p = std::exp(asked.queries.log_p(row)[0]);
      mass += p, mean += p * k, square += p * k * k;
    }
    const Evidence ranged = with(nothing(), {{n, {.ranges = {range}}}});
    CHECK(asked.queries.log_p(ranged)[0] == doctest::Approx(std::log(mass)).epsilon(1e-8));
    const RealMoments moments = asked.queries.tables(ranged).reals[n];
    CHECK(moments.mean == doctest::Approx(mean / mass).epsilon(1e-6));
    CHECK(moments.square == doctest::Approx(square / mass).epsilon(1e-6));
    const FilledRows drawn = asked.queries.fill(ranged, FillBy::draws, Rng(4), 0);
    CHECK(drawn.reals[n] == std::nearbyint(drawn.reals[n]));
    CHECK(ranged.regions->at(n).has(static_cast<double>(drawn.reals[n])));
  }
  // A set of them.
  const ValueRegion set{.ranges = {{2, 2}, {5, 5}, {40, 41}}};
  double sum = 0;
  for (const double k : {2.0, 5.0, 40.0, 41.0})
    sum += std::exp(asked.queries.log_p(with(nothing(), {{n, between(k, k)}}))[0]);
  CHECK(asked.queries.log_p(with(nothing(), {{n, set}}))[0] == doctest::Approx(std::log(sum)));
}

TEST_CASE("pc queries: what a range of a column says of others that a gaussian joins with it") {
  const Mixed asked;
  const ValueRange range{1, 2.5};
  Evidence row = nothing();
  row.set_real(0, w, 0.75);
  row.set(0, kind, 0);
  const Evidence ranged = with(row, {{u, {.ranges = {range}}}});
  const ValueTables tables = asked.queries.tables(ranged);
  // E v and E v^2 from the moments at each u.
  constexpr std::int64_t steps = 2000;
  Evidence points = row.repeat(0, steps);
  for (std::int64_t k = 0; k < steps; ++k)
    points.set_real(k, u, 1 + 1.5 * (static_cast<double>(k) + 0.5) / steps);
  const ValueTables at_points = asked.queries.tables(points);
  double mass = 0, mean = 0, square = 0;
  for (std::size_t k = 0; k < at(steps); ++k) {
    const double p = std::exp(at_points.nats[k]);
    mass += p;
    mean += p * at_points.reals[6 * k + at(v)].mean;
    square += p * at_points.reals[6 * k + at(v)].square;
  }
  CHECK(tables.reals[at(v)].mean == doctest::Approx(mean / mass).epsilon(1e-5));
  CHECK(tables.reals[at(v)].square == doctest::Approx(square / mass).epsilon(1e-5));
  // How odd w is, given the range of u.
  Evidence without = ranged;
  without.set(0, w, -1);
  CHECK(tables.reals[at(w)].nats ==
        doctest::Approx(tables.nats[0] - asked.queries.log_p(without)[0]));
  const RealMoments expected = asked.queries.tables(without).reals[at(w)];
  CHECK(tables.reals[at(w)].mean == doctest::Approx(expected.mean));
  CHECK(tables.reals[at(w)].square == doctest::Approx(expected.square));
  // Densities of v.
  const DensityCurve curve = density_curve(asked.queries, ranged, 0, v);
  Evidence one = row;
  one.set_real(0, v, curve.values[4]);
  CHECK(curve.density[4] ==
        doctest::Approx(integrals(asked, one, u, range).mass / std::exp(tables.nats[0]))
            .epsilon(1e-5));
}

TEST_CASE("pc queries: draws lie in their range, spread as the density there") {
  const Mixed asked;
  constexpr std::int64_t count = 4000;
  for (const std::int64_t place : {a, u}) {
    const Evidence one = with(nothing(), {{place, {.ranges = {{-2, -1}, {1, infinity}}}}});
    const Evidence rows = one.repeat(0, count);
    const FilledRows drawn = asked.queries.fill(rows, FillBy::draws, Rng(5), 0);
    const RealMoments exact = asked.queries.tables(one).reals[at(place)];
    double mean = 0, square = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto x = static_cast<double>(drawn.reals[at(i * 6 + place)]);
      CHECK(one.regions->at(place).has(x));
      mean += x / count, square += x * x / count;
    }
    CHECK(std::abs(mean - exact.mean) < 0.1);
    CHECK(square == doctest::Approx(exact.square).epsilon(0.1));
    // The most probable explanation is the best of the range.
    const FilledRows best = asked.queries.fill(one, FillBy::explanation, Rng(5), 0);
    CHECK(one.regions->at(place).has(static_cast<double>(best.reals[at(place)])));
  }
  const Evidence far = with(nothing(), {{u, between(60, 61)}});
  const FilledRows drawn = asked.queries.fill(far, FillBy::draws, Rng(5), 0);
  CHECK(std::isfinite(drawn.nats[0]));
  CHECK(drawn.reals[at(u)] >= 60);
  CHECK(drawn.reals[at(u)] < 60.5F);
}

TEST_CASE("pc queries: a value that is there and lies outside its range has probability 0") {
  const Mixed asked;
  for (const std::int64_t place : {a, n, u}) {
    Evidence row = with(nothing(), {{place, between(1, 5)}});
    row.set_real(0, place, 6);
    CHECK(asked.queries.log_p(row)[0] == -infinity);
    Evidence alone = nothing();
    row.set_real(0, place, 2);
    alone.set_real(0, place, 2);
    CHECK(asked.queries.log_p(row)[0] == asked.queries.log_p(alone)[0]);
  }
}

}  // namespace logpx::evidence_regions_test
