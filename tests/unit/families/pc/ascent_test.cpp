// Gradients of circuits by the logits of their rows.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/maximisation/ascent.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/held_circuit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

namespace logpx::ascent_test {

using namespace logpx::pc;
using namespace logpx::testing;
using testing::SymbolRows;

namespace {

const SymbolRows rows = {{0, 1, 2, 1}, {2, 2}, {1, -1, 0}, {0, 0, 1}};

double total(const HeldCircuit& held) {
  const std::vector<double> nats = held.log_p(rows);
  return std::accumulate(nats.begin(), nats.end(), 0.0);
}

// theta with logit i of its row moved by h.
std::vector<double> moved(const HeldCircuit& held, const ParamInfo& info, std::int64_t i,
                          double h) {
  std::vector<double> theta = held.theta;
  const std::int64_t columns = info.shape.back(), begin = info.offset + i / columns * columns;
  theta[at(info.offset + i)] *= std::exp(h);
  const double sum = std::accumulate(theta.begin() + begin, theta.begin() + begin + columns, 0.0);
  for (std::int64_t k = begin; k < begin + columns; ++k) theta[at(k)] /= sum;
  return theta;
}

}  // namespace

TEST_CASE("pc: slopes by logits are those of log p") {
  for (const MonarchFactors& factors :
       {square_sum(3, {}), MonarchFactors{.m = {2, 2}, .n = {2, 2}, .program = {}}}) {
    HeldCircuit held(hidden_markov({"x", 3}, factors));
    held.draw(6);
    const std::vector<double> counts = held.counts(rows);
    std::vector<float> slopes(counts.begin(), counts.end());
    const std::vector<float> theta(held.theta.begin(), held.theta.end());
    logit_slopes(held.params, theta, slopes);
    const std::vector<double> here = held.theta;
    for (const ParamInfo& info : held.params.infos())
      for (std::int64_t i = 0; i < info.shape.elements(); ++i) {
        constexpr double h = 1e-5;
        held.theta = moved(held, info, i, h);
        const double up = total(held);
        held.theta = here;
        held.theta = moved(held, info, i, -h);
        const double down = total(held);
        held.theta = here;
        CHECK(std::abs(static_cast<double>(slopes[at(info.offset + i)]) - (up - down) / (2 * h)) <
              1e-5);
      }
  }
}

TEST_CASE("pc: steps up the slopes keep rows of probabilities and raise the likelihood") {
  HeldCircuit held(hidden_markov({"x", 3}, square_sum(3, {})));
  held.draw(7);
  TrainOptions options;
  Ascent ascent(held.params, options);
  Workers alone(1);
  const double before = total(held);
  for (int step = 0; step < 60; ++step) {
    const std::vector<double> counts = held.counts(rows);
    std::vector<float> sums(counts.begin(), counts.end());
    std::vector<float> theta(held.theta.begin(), held.theta.end());
    ascent.run({.rate = 0.05, .rows = 4}, sums, theta, alone);
    held.theta.assign(theta.begin(), theta.end());
    CHECK(find_weight_faults<float>(held.params, theta).empty());
  }
  CHECK(total(held) > before + 1);
}

}  // namespace logpx::ascent_test
