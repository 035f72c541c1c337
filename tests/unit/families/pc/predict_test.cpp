// Filters of chains give the same likelihoods forwards, for sequences of any length.
#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/held_circuit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace logpx::predict_test {

using namespace logpx::pc;
using namespace logpx::testing;

namespace {

std::vector<std::int32_t> symbols(std::size_t count) {
  const Substream draws = Rng(8).stream(Stream::test);
  std::vector<std::int32_t> row;
  for (std::size_t i = 0; i < count; ++i)
    row.push_back(draws.word(i) % 13 == 0 ? -1 : static_cast<std::int32_t>(draws.word(i) % 3));
  return row;
}

std::vector<double> steps_of(const HeldCircuit& held, const std::vector<std::int32_t>& row,
                             std::int64_t variables = 1) {
  const Columns columns = columns_of({row}, variables);
  std::vector<double> nats(at(columns.steps));
  Pass<double>(held.plan, {.columns = 1}).predict(held.theta, columns, nats);
  return nats;
}

}  // namespace

TEST_CASE("pc: what is predicted of each step given those before it multiplies to p of the row") {
  std::vector<HeldCircuit> all;
  all.emplace_back(hidden_markov({"x", 3}, square_sum(4, {})));
  all.emplace_back(hidden_markov({"x", 3}, {.m = {3, 2}, .n = {2, 3}, .program = {}}));
  for (HeldCircuit& held : all) {
    held.draw(1);
    const std::vector<std::int32_t> row = symbols(40);
    const std::vector<double> steps = steps_of(held, row);
    double sum = 0;
    for (std::size_t t = 0; t < row.size(); ++t) {
      sum += steps[t];
      const double whole = held.log_p({{row.begin(), row.begin() + std::ptrdiff_t(t) + 1}})[0];
      CHECK(std::abs(sum - whole) < 1e-10);
    }
  }
}

TEST_CASE("pc: a million steps are no smaller numbers than one, forwards and backwards") {
  HeldCircuit held(hidden_markov({"x", 3}, square_sum(2, {})));
  held.draw(2);
  const std::vector<std::int32_t> row = symbols(1'000'000);
  const double whole = held.log_p({row})[0];
  CHECK(std::isfinite(whole));
  const std::vector<double> steps = steps_of(held, row);
  const double sum = std::accumulate(steps.begin(), steps.end(), 0.0);
  CHECK(std::abs(sum - whole) < 1e-9 * std::abs(whole));
  CHECK(steps_of(held, {2})[0] == doctest::Approx(held.log_p({{2}})[0]));
}

TEST_CASE("pc: behind what cannot be a sequence begins anew") {
  HeldCircuit held(hidden_markov({"x", 3}, square_sum(2, {})));
  held.draw(3);
  held.set("emission/p", {0.5, 0.5, 0, 0.2, 0.8, 0});
  const std::vector<double> steps = steps_of(held, {0, 2, 1, 0}), again = steps_of(held, {1, 0});
  CHECK(steps[1] == -std::numeric_limits<double>::infinity());
  CHECK(steps[2] == again[0]);
  CHECK(steps[3] == again[1]);
}

}  // namespace logpx::predict_test
