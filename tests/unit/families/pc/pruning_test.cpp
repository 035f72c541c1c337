// Likelihoods from few hidden states: bounds, and sums that skip zeros.
#include "libcore/base/index.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::pruning_test {

using namespace logpx::pc;
using namespace logpx::testing;

namespace {

HeldCircuit drawn(const Circuit& circuit) {
  HeldCircuit held(circuit);
  held.draw(11);
  return held;
}

// Neither is counted where a row is impossible.
bool at_most(double bound, double nats) { return bound <= nats + 1e-12 || std::isinf(bound); }

}  // namespace

TEST_CASE("pc pruning: fewer states give a lower bound, and none left out is log p itself") {
  for (const SmallCircuit& small : small_circuits()) {
    CAPTURE(small.name);
    const HeldCircuit held = drawn(small.circuit);
    const std::vector<double> nats = held.log_p(small.rows);
    for (const PruneScope scope : {PruneScope::step, PruneScope::all}) {
      std::vector<double> tighter = nats;
      for (const double share : {0.0, 0.3, 0.5, 0.9}) {
        CAPTURE(share);
        const auto bound = held.log_p(small.rows, {.pruning = {.states = share, .scope = scope}});
        for (std::size_t i = 0; i < nats.size(); ++i) CHECK(at_most(bound[i], tighter[i]));
        if (share == 0) CHECK(bound == nats);
        tighter = nats;
      }
    }
  }
}

TEST_CASE("pc pruning: sums that skip zeros give the numbers of those that do not") {
  for (const SmallCircuit& small : small_circuits()) {
    CAPTURE(small.name);
    const HeldCircuit held = drawn(small.circuit);
    for (const PruneScope scope : {PruneScope::step, PruneScope::all}) {
      StatePruning pruning{.states = 0.5, .scope = scope};
      const std::vector<double> dense = held.log_p(small.rows, {.pruning = pruning});
      pruning.exec = PruneExec::sparse;
      const std::vector<double> sparse = held.log_p(small.rows, {.pruning = pruning});
      for (std::size_t i = 0; i < dense.size(); ++i)
        CHECK((sparse[i] == dense[i] || std::abs(sparse[i] - dense[i]) < 1e-12));
    }
  }
}

TEST_CASE("pc pruning: queries answer with the same bound") {
  for (const SmallCircuit& small : small_circuits()) {
    CAPTURE(small.name);
    const AskedCircuit asked(small.circuit, 11);
    const StatePruning pruning{.states = 0.5};
    const Evidence rows = evidence_of(small.rows);
    const std::vector<double> answered = asked.queries.log_p_pruned(rows, pruning),
                              computed = asked.held.log_p(small.rows, {.pruning = pruning});
    for (std::size_t i = 0; i < answered.size(); ++i) {
      const bool empty = std::ranges::all_of(small.rows[i], [](std::int32_t x) { return x < 0; });
      if (empty) CHECK(answered[i] == 0);  // nothing is asked, and nothing bounded
      else CHECK((answered[i] == computed[i] || std::abs(answered[i] - computed[i]) < 1e-12));
    }
  }
}

}  // namespace logpx::pruning_test
