// Rows with styles and dictionaries of greys: the style of a row, first parameters, M-steps.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/family.hpp"
#include "libcore/families/pc/maximisation/maximise.hpp"
#include "libcore/families/pc/styles/style_mixture.hpp"
#include "libcore/families/pc/task.hpp"
#include "tests/support/held_circuit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::styles_test {

using namespace logpx::pc;
using namespace logpx::testing;

namespace {

// Pictures of 3 x 3 pixels with 64 levels. Even ones repeat grey 18, odd ones 19; the first pixel
// is always black, and ink is 62 and 63.
HeldRows pictures(std::int64_t count) {
  HeldRows held;
  held.info.name = "pictures";
  held.info.shape = {3, 3, 1};
  held.info.n = count;
  held.info.levels = 64;
  held.info.value_max = 63;
  held.rows.count = count;
  const Substream draws = Rng(7).stream(Stream::test);
  for (std::int64_t i = 0; i < count * 9; ++i) {
    const std::uint32_t word = draws.word(static_cast<std::uint64_t>(i));
    const std::int64_t usual = i / 9 % 2 == 0 ? 18 : 19, other = 1 + word / 16 % 60;
    const std::int64_t kind = word % 8;
    const std::int64_t grey = kind < 3 ? 62 + word / 8 % 2 : kind < 6 ? usual : other;
    held.rows.x.push_back(static_cast<std::byte>(i % 9 == 0 ? 0 : grey));
  }
  return held;
}

Trainee trainee_of(const HeldRows& held, Workers& workers) {
  Settings settings = Settings::presets().make("tiny");
  settings.model.hidden = 3;
  settings.model.styles = 2;
  return make_trainee(settings, {.train = held.examples()}, Rng(1), {.workers = workers});
}

const Block& block_of(const Circuit& circuit, const std::string& id) {
  return *std::ranges::find(circuit.blocks, id, &Block::id);
}

}  // namespace

TEST_CASE("pc: styles, styled leaves and indicators are written and read again") {
  Workers alone(1);
  const HeldRows held = pictures(600);
  const Trainee trainee = trainee_of(held, alone);
  const Circuit& circuit = dynamic_cast<const PcModel&>(*trainee.model).circuit();
  CHECK(circuit.styles == 2);
  const std::string text = write_circuit(circuit);
  const CircuitText read = read_circuit(text, "t");
  CHECK(write_circuit(read.circuit) == text);
  CHECK(read.circuit.styles == 2);
  CHECK(block_of(read.circuit, "grey.4").styled);
  CHECK(block_of(read.circuit, "ground.4").kind == BlockKind::indicator);
}

TEST_CASE("pc: a styled leaf has a matrix for each style") {
  const std::string text = R"({"variables": [{"cats": 2}], "root": "r", "styles": 2, "blocks": [
    {"id": "g", "type": "leaf", "dist": "indicator", "var": 0, "value": 1},
    {"id": "l", "type": "leaf", "var": 0, "styled": true,
     "params": [[[0.5, 0.5], [1, 0], [0, 1]], [[0.2, 0.8], [1, 0], [0, 1]]]},
    {"id": "r", "type": "sum", "children": ["g", "l"], "weights": [[0.1, 0.2, 0.3, 0.4]]}]})";
  const CircuitText read = read_circuit(text, "t");
  CHECK(read.circuit.blocks[1].size == 3);
  HeldCircuit held(read.circuit);
  held.set("l/p", read.weights[1]);
  held.set("r/w", read.weights[2]);
  held.set(style_prior_tensor, {0.25, 0.75});
  // x = 0: 0.25 (0.2 0.5 + 0.3) + 0.75 (0.2 0.2 + 0.3)
  CHECK(std::exp(held.log_p({{0}})[0]) == doctest::Approx(0.25 * 0.4 + 0.75 * 0.34));
  CHECK(std::exp(held.log_p({{1}})[0]) == doctest::Approx(0.25 * 0.6 + 0.75 * 0.66));
}

TEST_CASE("pc: styles without styled leaves are refused, and indicators of no value") {
  Circuit circuit;
  circuit.variables = {{"a", 2}};
  circuit.blocks = {Block::indicator("i", 0, 2), Block::leaf("l", 1, 0),
                    Block::dense_sum("r", 1, {0, 1}, 2)};
  circuit.root = 2;
  circuit.styles = 3;
  const std::vector<Fault> faults = find_faults(circuit);
  REQUIRE(faults.size() == 2);
  CHECK(faults[0].text == "styles and styled leaves go together");
  CHECK(faults[1].text == "is an indicator of what is not one of the values of its variable");
  circuit.styles = 0;
  CHECK(find_faults(circuit)[0].text == "there are 0 styles, expected 1 to 4096");
}

TEST_CASE("pc: the style of a row is the one that makes its values most probable") {
  Circuit circuit = hidden_markov({"x", 3}, square_sum(2, {}));
  circuit.styles = 3;
  for (Block& block : circuit.blocks) block.styled = block.kind == BlockKind::leaf;
  HeldCircuit held(circuit);
  held.draw(4);
  const std::vector<float> theta(held.theta.begin(), held.theta.end());
  const StyleChoice choice(held.plan, theta);
  const float* const prior = theta.data() + held.plan.style_prior().begin;
  const float* const p = theta.data() + held.plan.style_values().begin;
  for (std::int64_t n = 0; n < 30; ++n) {
    const std::vector<std::int64_t> counts = {n % 4, n % 5, n / 7};
    std::int32_t best = 0;
    std::vector<double> scores;
    for (std::size_t s = 0; s < 3; ++s) {
      double score = prior[s];
      for (std::size_t k = 0; k < 3; ++k)
        score *= std::pow(static_cast<double>(p[s * 3 + k]), static_cast<double>(counts[k]));
      scores.push_back(score);
      if (score > scores[at(best)]) best = static_cast<std::int32_t>(s);
    }
    CHECK(choice.of(counts) == best);
  }
  Columns columns = columns_of({{0, 0, 1}, {-1, 2, 2}, {1}}, 1);
  choice.choose(columns);
  const std::vector<std::int32_t> each = {choice.of(std::vector<std::int64_t>{2, 1, 0}),
                                          choice.of(std::vector<std::int64_t>{0, 0, 2}),
                                          choice.of(std::vector<std::int64_t>{0, 1, 0})};
  CHECK(columns.styles == each);
}

TEST_CASE("pc: styles are what pictures repeat, whatever the number of threads") {
  const HeldRows held = pictures(600);
  Workers one(1), four(4);
  const Trainee trainee = trainee_of(held, one), again = trainee_of(held, four);
  const auto& model = dynamic_cast<const PcModel&>(*trainee.model);
  const std::span<const float> theta = model.param_set().block(),
                               other =
                                   dynamic_cast<const PcModel&>(*again.model).param_set().block();
  CHECK(std::ranges::equal(theta, other));
  Columns columns = model.rows().take_all(held.examples());
  StyleChoice(model.plan(), theta).choose(columns);
  std::int64_t alike = 0;
  for (std::size_t i = 2; i < columns.styles.size(); ++i)
    alike += columns.styles[i] == columns.styles[i % 2] ? 1 : 0;
  CHECK(columns.styles[0] != columns.styles[1]);
  CHECK(alike > 560);
}

TEST_CASE("pc: every value above 0 has an element, 0 has the ground alone, and rows sum to one") {
  Workers alone(1);
  const HeldRows held = pictures(300);
  const Trainee trainee = trainee_of(held, alone);
  const auto& model = dynamic_cast<const PcModel&>(*trainee.model);
  CHECK(find_weight_faults(model.param_set(), model.param_set().block()).empty());
  for (int b = 0; b < static_cast<int>(model.circuit().blocks.size()); ++b) {
    const Block& block = model.circuit().blocks[at(b)];
    if (block.kind != BlockKind::leaf) continue;
    for (std::int64_t style = 0; style < 2; ++style) {
      const float* p = leaf_values(model.plan(), b, style, model.param_set().block());
      for (std::int64_t k = 0; k < 64; ++k) {
        double most = 0;
        for (std::int64_t m = 0; m < block.size; ++m)
          most = std::max(most, static_cast<double>(p[m * 64 + k]));
        CHECK((most > 0) == (k > 0));
      }
    }
  }
}

TEST_CASE("pc: a variable that hardly varies hangs on the hidden state of another") {
  Workers alone(1);
  const HeldRows held = pictures(300);
  const Trainee trainee = trainee_of(held, alone);
  const Circuit& circuit = dynamic_cast<const PcModel&>(*trainee.model).circuit();
  // The first pixel is always 0: it has a leaf, and neither a state nor transitions.
  CHECK(std::ranges::count(circuit.blocks, "leaf.0", &Block::id) == 1);
  for (const char* id : {"state.0", "down.0"})
    CHECK(std::ranges::count(circuit.blocks, id, &Block::id) == 0);
  CHECK(std::ranges::count(circuit.blocks, BlockKind::product, &Block::kind) > 0);
}

TEST_CASE(
    "pc: the crowded range ends at the top, and begins where values are five times as common") {
  std::vector<double> frequencies = {1000, 3, 2, 4, 3, 2, 90, 80, 30};
  CHECK(crowded_from(frequencies) == 6);
  frequencies.back() = 10;
  CHECK(crowded_from(frequencies) == 9);
  CHECK(crowded_from(std::vector<double>{5, 0, 0, 0, 7}) == 5);
}

TEST_CASE("pc: rows of a group pool their counts by kind, and what is 0 stays 0") {
  ParamSet params;
  params.add("w", {4, 2});
  const std::vector<double> counts = {3, 1, 0, 4, 1, 1, 2, 0};
  const std::vector<double> begin = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 0};
  std::vector<double> theta = begin;
  const MaximiseStep step{.rule = EmRule::params, .rate = 0.5, .pseudocount = 0.5};
  RowPriors priors = {
      {.rows = {0, 8},
       .shares = {0.9, 0.1},
       .group = RowGroup{.kinds = 2, .pseudocounts = 4, .of_pool = 0.5, .even = 0.1}}};
  maximise<double>(params, step, priors, counts, {}, theta);
  // Rows 0 and 2 are of one kind: pool 4/6 and 2/6; kappa is 2.
  const double p0 = 0.9 * (0.5 * 4 / 6 + 0.5 * 0.9) + 0.05,
               first = 0.5 * 0.5 + 0.5 * (3 + 2 * p0) / 6,
               rest = 0.5 * 0.5 + 0.5 * (1 + 2 * (0.9 * (0.5 * 2 / 6 + 0.5 * 0.1) + 0.05)) / 6;
  CHECK(theta[0] == doctest::Approx(first / (first + rest)));
  CHECK(theta[6] == 1);
  CHECK(theta[7] == 0);
  theta = begin;
  priors[0].group->moves = RowGroup::Moves::never;
  maximise<double>(params, step, priors, counts, {}, theta);
  CHECK(theta == begin);
}

TEST_CASE("pc: a group that averages keeps the mean of its first steps, and moves after ten") {
  ParamSet params;
  params.add("e", {1, 2});
  std::vector<double> theta = {0.5, 0.5}, statistics(2);
  const RowPriors priors = {
      {.rows = {0, 2},
       .group = RowGroup{
           .moves = RowGroup::Moves::with_average, .pseudocounts = 1, .of_pool = 1, .even = 0}}};
  CHECK(keeps_statistics(priors));
  for (std::int64_t step = 0; step < 10; ++step) {
    const std::vector<double> counts = {static_cast<double>(step), 2};
    maximise<double>(params, {.rule = EmRule::params, .rate = 0, .pseudocount = 1, .step = step},
                     priors, counts, statistics, theta);
    CHECK(statistics[0] == doctest::Approx(static_cast<double>(step) / 2));
    CHECK((theta[0] == 0.5) == (step < 9));
  }
  CHECK(theta[0] == doctest::Approx(4.5 / 6.5));
}

}  // namespace logpx::styles_test
