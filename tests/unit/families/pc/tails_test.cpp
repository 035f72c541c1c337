// How far out a number lies given all other values, against sums and integrals of p.
#include "libcore/base/index.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace logpx::tails_test {

using namespace logpx::pc;
using namespace logpx::testing;

namespace {

// Leaves of their own beside a gaussian of two variables; k is whole.
Circuit two_parts() {
  Circuit circuit;
  circuit.variables = {{"a", 0}, {"word", 2}, {"b", 0}, {"k", 0}};
  circuit.variables[3].whole = true;
  circuit.blocks = {Block::leaf("a", 2, 0, LeafKind::gaussian),
                    Block::leaf("word", 2, 1),
                    Block::leaf("b", 2, 2, LeafKind::gaussian),
                    Block::leaf("k", 2, 3, LeafKind::dgaussian),
                    Block::hadamard("tree", 2, {0, 1, 2, 3}),
                    Block::joint("reals", 2, {0, 2}),
                    Block::leaf("word2", 2, 1),
                    Block::leaf("k2", 2, 3, LeafKind::dgaussian),
                    Block::hadamard("clusters", 2, {5, 6, 7}),
                    Block::dense_sum("root", 1, {4, 8}, 4)};
  circuit.root = 9;
  return circuit;
}

HeldCircuit held_circuit() {
  HeldCircuit held(two_parts());
  held.set("a/q", {-1, 0.5, 2, 1});
  held.set("b/q", {1, 2, -3, 0.75});
  held.set("k/q", {4, 0.5, -2, 3});
  held.set("k2/q", {0, 5, 7, 0.25});
  held.set("word/p", {0.5, 0.5, 0.125, 0.875});
  held.set("word2/p", {0.25, 0.75, 0.75, 0.25});
  held.set("reals/q", {0.5, -1, 1.5, 0.5, 0.75, -2, 2, 1, -0.5, 1.25});
  held.set("root/w", {0.25, 0.25, 0.375, 0.125});
  return held;
}

Evidence rows_of(const std::vector<std::vector<double>>& rows) {
  Evidence all{.width = 4};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    all.lengths.push_back(4);
    all.x.insert(all.x.end(), 4, -1);
    all.reals.resize(all.x.size());
    for (std::int64_t v = 0; v < 4; ++v) {
      const double x = rows[i][at(v)];
      if (std::isnan(x)) continue;
      if (v == 1) all.set(row, v, static_cast<std::int32_t>(x));
      else all.set_real(row, v, x);
    }
  }
  return all;
}

// The sum of p over values of a place from its own on, in steps; half of an end counts for reals.
double summed(const Queries& queries, const Evidence& row, std::int64_t place, double step) {
  constexpr std::int64_t most = 6000;
  Evidence points = row.repeat(0, most);
  const auto own = static_cast<double>(row.reals[at(place)]);
  for (std::int64_t k = 0; k < most; ++k)
    points.set_real(k, place, own + step * static_cast<double>(k));
  const std::vector<double> nats = queries.log_p(points);
  double sum = place == 3 ? 0 : -std::exp(nats[0]) / 2;
  for (const double one : nats) sum += std::exp(one);
  return place == 3 ? sum : sum * std::abs(step);
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("pc queries: tails of numbers are sums of p over all that lies further out") {
  const AskedCircuit asked(held_circuit());
  const std::vector<std::vector<double>> rows = {
      {0.25, 1, -1, 3}, {-2.5, 0, 4, -6}, {3, nan, nan, 5}, {nan, 1, 0.5, nan}, {0, nan, -9, 9}};
  for (const std::vector<double>& values : rows) {
    const Evidence row = rows_of({values});
    const ValueTables tables = asked.queries.tables(row, Tails::asked);
    for (const std::int64_t place : {0, 2, 3}) {
      const double tail = tables.reals[at(place)].tail;
      if (std::isnan(values[at(place)])) {
        CHECK(tail == 0);
        continue;
      }
      Evidence others = row;
      others.set(0, place, -1);
      const double step = place == 3 ? 1 : 0.01, all = std::exp(asked.queries.log_p(others)[0]);
      const double least = std::min(summed(asked.queries, row, place, step),
                                    summed(asked.queries, row, place, -step));
      CHECK(std::exp(tail) == doctest::Approx(std::min(1.0, 2 * least / all)).epsilon(1e-4));
    }
    CHECK(asked.queries.tables(row).reals[0].tail == 0);
  }
}

TEST_CASE("pc queries: a tail is finite however far out a number is") {
  const AskedCircuit asked(held_circuit());
  const ValueTables tables = asked.queries.tables(rows_of({{1e6, 1, 0, 3}}), Tails::asked);
  CHECK(std::isfinite(tables.reals[0].tail));
  CHECK(tables.reals[0].tail < -1e10);
  CHECK(std::isfinite(tables.reals[0].nats));
}

}  // namespace logpx::tails_test
