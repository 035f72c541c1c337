// M-steps of expectation maximisation.
#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/held_circuit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

namespace logpx::maximise_test {

using namespace logpx::pc;
using namespace logpx::testing;
using testing::SymbolRows;

namespace {

SymbolRows some_rows(bool ends_early) {
  SymbolRows rows;
  const Substream draws = Rng(3).stream(Stream::test);
  for (std::size_t i = 0; i < 40; ++i) {
    rows.emplace_back();
    const std::size_t length = ends_early ? 2 + i % 3 : 4;
    for (std::size_t t = 0; t < length; ++t) {
      const std::uint32_t word = draws.word(i * 8 + t);
      rows.back().push_back(word % 11 == 0 ? -1 : static_cast<std::int32_t>(word % 5 % 3));
    }
  }
  return rows;
}

double total(const HeldCircuit& held, const SymbolRows& rows) {
  const std::vector<double> nats = held.log_p(rows);
  return std::accumulate(nats.begin(), nats.end(), 0.0);
}

// Sum over rows of kappa/K log theta: what pseudocounts add to the objective.
double penalty(const HeldCircuit& held, double pseudocount) {
  double sum = 0;
  for (int tensor = 0; tensor < held.params.count(); ++tensor) {
    const View<const double> view = held.params.view(tensor, std::span(held.theta));
    for (const double value : view.span())
      sum += pseudocount / static_cast<double>(view.shape.back()) * std::log(value);
  }
  return sum;
}

std::vector<HeldCircuit> models() {
  const std::vector<Variable> four(4, {"x", 3});
  std::vector<HeldCircuit> all;
  all.emplace_back(hidden_markov({"x", 3}, square_sum(3, {})));
  all.emplace_back(hidden_markov({"x", 3}, {.m = {2, 2}, .n = {2, 2}, .program = {}}));
  all.emplace_back(hidden_tree(four, {1, -1, 1, 2}, {.transition = square_sum(3, {})}));
  all.emplace_back(hidden_tree(
      four, {1, -1, 1, 2},
      {.transition = {.m = {2, 2}, .n = {2, 2}, .program = {1, 2, 1}}, .ties = {TieLeaves::all}}));
  all.emplace_back(
      hidden_tree(four, {1, -1, 1, 2},
                  {.transition = square_sum(2, {}), .dictionary = {.elements = 3, .styles = 2}}));
  all.emplace_back(mixture(four, 5));
  return all;
}

}  // namespace

TEST_CASE("pc: EM on the whole data never lets the likelihood fall, with missing values") {
  for (HeldCircuit& held : models()) {
    const SymbolRows rows = some_rows(held.plan.circuit().chained());
    for (const double pseudocount : {0.0, 0.5}) {
      held.draw(1);
      double before = total(held, rows) + penalty(held, pseudocount);
      for (int step = 0; step < 50; ++step) {
        maximise<double>(held.params, {.rule = EmRule::full, .pseudocount = pseudocount}, {},
                         held.counts(rows), {}, held.theta);
        const double now = total(held, rows) + (pseudocount > 0 ? penalty(held, pseudocount) : 0);
        CHECK(now >= before - 1e-9 * std::abs(before));
        before = now;
        if (pseudocount == 0) continue;
        CHECK(find_weight_faults<double>(held.params, held.theta).empty());
      }
    }
  }
}

TEST_CASE(
    "pc: pseudocounts follow a marginal where there is one, and weights stay above the floor") {
  ParamSet layout;
  layout.add("p", {2, 3});
  std::vector<double> theta = {0.2, 0.3, 0.5, 0.1, 0.1, 0.8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<double> counts = {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const RowPriors priors = {{{0, 6}, {0.5, 0.5, 0}}};
  maximise<double>(layout, {.pseudocount = 2}, priors, counts, {}, theta);
  CHECK(theta[0] == doctest::Approx(0.75));
  CHECK(theta[1] == doctest::Approx(0.25));
  CHECK(theta[2] == 0);
  CHECK(theta[3] == doctest::Approx(0.5));  // a row that was not visited is the prior
  maximise<double>(layout, {.pseudocount = 2, .floor = 0.1}, priors, counts, {}, theta);
  CHECK(theta[2] == doctest::Approx(0.1 / 1.1));
  const std::vector<double> before = theta;
  maximise<double>(layout, {}, {}, std::vector<double>(16), {}, theta);
  CHECK(theta == before);  // no counts, no pseudocounts: it stays
}

TEST_CASE("pc: the momentum rule begins with the counts themselves, and then averages them") {
  ParamSet layout;
  layout.add("p", {1, 2});
  std::vector<double> theta(16), statistics(16), counts(16);
  theta[0] = theta[1] = 0.5;
  counts[0] = 3, counts[1] = 1;
  const MaximiseStep first{.rule = EmRule::momentum, .step = 0},
      second{.rule = EmRule::momentum, .step = 1};
  maximise<double>(layout, first, {}, counts, statistics, theta);
  CHECK(theta[0] == doctest::Approx(0.75));
  counts[0] = 0, counts[1] = 4;
  maximise<double>(layout, second, {}, counts, statistics, theta);
  CHECK(theta[0] == doctest::Approx(0.9 * 3 / (0.9 * 4 + 4)));
}

TEST_CASE("pc: many restarts of EM find the model that data were drawn from") {
  // Exact expected counts of all rows of three symbols under a known model stand for endless data.
  HeldCircuit truth(hidden_markov({"x", 3}, square_sum(3, {})));
  truth.set("root/w", {0.8, 0.1, 0.1});
  truth.set("transition/w", {0.8, 0.1, 0.1, 0.1, 0.8, 0.1, 0.2, 0.2, 0.6});
  truth.set("emission/p", {0.9, 0.05, 0.05, 0.1, 0.8, 0.1, 0.05, 0.05, 0.9});
  SymbolRows rows;
  for (const auto& row : all_rows({3, 3, 3, 3}))
    for (long copies = std::lround(4000 * std::exp(truth.log_p({row})[0])); copies > 0; --copies)
      rows.push_back(row);
  double best = -1e300;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    HeldCircuit held(truth.plan.circuit());
    held.draw(seed);
    for (int step = 0; step < 150; ++step)
      maximise<double>(held.params, {}, {}, held.counts(rows), {}, held.theta);
    best = std::max(best, total(held, rows));
  }
  CHECK(best > 1.005 * total(truth, rows));  // both are below 0
  CHECK(best > total(truth, rows) - 30);
}

}  // namespace logpx::maximise_test
