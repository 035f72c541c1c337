// What is predicted of single columns, against sums and integrals of p: of trees and of gaussians
// over several columns, mixed.
#include "libcore/base/index.hpp"
#include "libcore/eval/prediction.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace logpx::mixtures_test {

using namespace logpx::pc;
using namespace logpx::testing;

namespace {

// A real number, one of three words, a whole number.
Circuit mixed_circuit() {
  Circuit circuit;
  circuit.variables = {{"a", 0}, {"word", 3}, {.name = "n", .whole = true}};
  circuit.blocks = {Block::leaf("a", 2, 0, LeafKind::gaussian),
                    Block::leaf("word", 2, 1),
                    Block::leaf("n", 2, 2, LeafKind::dgaussian),
                    Block::hadamard("three", 2, {0, 1, 2}),
                    Block::dense_sum("tree", 1, {3}, 2),
                    Block::joint("reals", 2, {0, 2}),
                    Block::leaf("words", 2, 1),
                    Block::hadamard("two", 2, {5, 6}),
                    Block::dense_sum("clusters", 1, {7}, 2),
                    Block::dense_sum("root", 1, {4, 8}, 2)};
  circuit.root = 9;
  return circuit;
}

HeldCircuit held_circuit() {
  HeldCircuit held(mixed_circuit());
  held.set("a/q", {-1, 0.5, 1.5, 0.25});
  held.set("word/p", {0.5, 0.25, 0.25, 0.125, 0.125, 0.75});
  held.set("n/q", {2.25, 0.5, 7, 3});
  held.set("tree/w", {0.375, 0.625});
  held.set("reals/q", {0.25, 4, 1.5, -1, 2, 0, 1, 0.75, 0.5, 1.25});
  held.set("words/p", {0.25, 0.5, 0.25, 0.5, 0.375, 0.125});
  held.set("clusters/w", {0.75, 0.25});
  held.set("root/w", {0.5, 0.5});
  return held;
}

struct Asked {
  HeldCircuit held = held_circuit();
  pc::SymbolRows reader{{.columns = {.mean = {3, 0, 0}, .deviation = {2, 1, 1}}},
                        held.plan.circuit()};
  pc::Queries queries{held.plan, held.params, reader, held.theta};
};

constexpr std::int64_t a = 0, word = 1, n = 2;

// Every pattern of holes.
Evidence all_holes() {
  Evidence rows{.width = 3};
  for (std::int64_t holes = 0; holes < 8; ++holes) {
    rows.lengths.push_back(3);
    rows.x.insert(rows.x.end(), 3, -1);
    rows.reals.resize(rows.x.size());
    if ((holes & 1) == 0) rows.set_real(holes, a, 4.5);
    if ((holes & 2) == 0) rows.set(holes, word, 2);
    if ((holes & 4) == 0) rows.set_real(holes, n, 5);
  }
  return rows;
}

// p of numbers at a place of row i given the others: at `from`, `from` + step ...
std::vector<double> densities(const Asked& asked, const Evidence& rows, std::int64_t i,
                              std::int64_t place, double from, double step, std::int64_t count) {
  Evidence others = rows.repeat(i, 1);
  others.set(0, place, -1);
  Evidence points = others.repeat(0, count);
  for (std::int64_t k = 0; k < count; ++k)
    points.set_real(k, place, from + step * static_cast<double>(k));
  const double rest = asked.queries.log_p(others)[0];
  std::vector<double> p;
  for (const double nats : asked.queries.log_p(points)) p.push_back(std::exp(nats - rest));
  return p;
}

Outlook outlook_of(const Asked& asked, const Evidence& rows, std::int64_t i, std::int64_t place) {
  Evidence others = rows.repeat(i, 1);
  others.set(0, place, -1);
  const ValueTables tables = asked.queries.tables(others);
  return {
      asked.queries,
      place,
      {.normals = asked.queries.mixtures(others, place)[0], .moments = tables.reals[at(place)]}};
}

}  // namespace

TEST_CASE("pc mixtures: a real number's whole distribution is the integral of its density") {
  const Asked asked;
  const Evidence rows = all_holes();
  const std::vector<NormalMixture> mixtures = asked.queries.mixtures(rows, a);
  constexpr double from = -29, step = 1.0 / 128;
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    const std::vector<double> p = densities(asked, rows, i, a, from, step, 64 * 128 + 1);
    const Outlook outlook = outlook_of(asked, rows, i, a);
    double below = 0, mean = 0, square = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
      const double x = from + step * static_cast<double>(k);
      if (k % 256 == 0)
        CHECK(std::abs(mixtures[at(i)].below(x) - (below + step * p[k] / 2)) < 1e-5);
      below += step * p[k];
      mean += step * p[k] * x;
      square += step * p[k] * x * x;
    }
    CHECK(std::abs(outlook.mean() - mean) < 1e-5);
    CHECK(std::abs(outlook.deviation() - std::sqrt(square - mean * mean)) < 1e-5);
    for (const double u : {0.05, 0.5, 0.95})
      CHECK(std::abs(mixtures[at(i)].below(outlook.quantile(u)) - u) < 1e-10);
  }
}

TEST_CASE("pc mixtures: quantiles of whole numbers are whole, and hold as much as they say") {
  const Asked asked;
  const Evidence rows = all_holes();
  constexpr double of_joint = 2e-4;  // its densities at whole numbers sum to 1 but for this
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    constexpr std::int64_t from = -40;
    const std::vector<double> p = densities(asked, rows, i, n, from, 1, 100);
    const Outlook outlook = outlook_of(asked, rows, i, n);
    for (const double u : {0.05, 0.5, 0.95}) {
      const double found = outlook.quantile(u);
      CHECK(found == std::floor(found));
      double below = 0, mean = 0, square = 0;
      for (std::size_t k = 0; k < p.size(); ++k) {
        const double x = static_cast<double>(from) + static_cast<double>(k);
        if (x <= found) below += p[k];
        mean += p[k] * x;
        square += p[k] * x * x;
      }
      CHECK(below > u - of_joint);
      CHECK(below - p[at(static_cast<std::int64_t>(found) - from)] < u + of_joint);
      CHECK(std::abs(outlook.mean() - mean) < 1e-3);
      CHECK(std::abs(outlook.deviation() - std::sqrt(square - mean * mean)) < 2e-3);
    }
  }
}

TEST_CASE("pc mixtures: p of words is what their rows sum to, and the best one is the largest") {
  const Asked asked;
  const Evidence rows = all_holes();
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    Evidence each = rows.repeat(i, 3);
    for (std::int64_t k = 0; k < 3; ++k) each.set(k, word, static_cast<std::int32_t>(k));
    Evidence others = rows.repeat(i, 1);
    others.set(0, word, -1);
    const std::vector<double> nats = asked.queries.log_p(each);
    const double all = std::exp(nats[0]) + std::exp(nats[1]) + std::exp(nats[2]);
    const ValueTables tables = asked.queries.tables(others);
    const Outlook outlook(asked.queries, word, {.table = std::span(tables.p).subspan(3, 3)});
    std::size_t best = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(std::abs(outlook.p()[k] - std::exp(nats[k]) / all) < 1e-9);
      if (nats[k] > nats[best]) best = k;
    }
    CHECK(outlook.best_category() == static_cast<std::int64_t>(best));
  }
}

TEST_CASE("pc mixtures: numbers of a table have its moments and quantiles, what is new left out") {
  Circuit circuit;
  circuit.variables = {{.name = "n", .categories = 4, .open = true, .values = {-2, 0, 7}}};
  circuit.blocks = {Block::leaf("n", 1, 0)};
  circuit.root = 0;
  HeldCircuit held(circuit);
  held.set("n/p", {0.25, 0.125, 0.5, 0.125});
  const pc::SymbolRows reader{{}, held.plan.circuit()};
  const pc::Queries queries{held.plan, held.params, reader, held.theta};
  const ValueTables tables = queries.tables(unknown_row(1));
  const Outlook outlook(queries, 0, {.table = std::span(tables.p).first(4)});
  const double mean = (-2 * 2 + 7 * 4) / 7.0, square = (4 * 2 + 49 * 4) / 7.0;
  CHECK(std::abs(outlook.mean() - mean) < 1e-9);
  CHECK(std::abs(outlook.deviation() - std::sqrt(square - mean * mean)) < 1e-9);
  CHECK(outlook.best() == 7);
  CHECK(outlook.quantile(2.0 / 7) == -2);
  CHECK(outlook.quantile(0.4) == 0);
  CHECK(outlook.quantile(0.95) == 7);
}

}  // namespace logpx::mixtures_test
