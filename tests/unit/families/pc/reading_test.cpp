// Circuits that are read as their variables lie: conditionals against whole likelihoods.
#include "libcore/base/index.hpp"
#include "libcore/codec/next_symbol.hpp"
#include "libcore/families/pc/coding/codec.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/held_circuit.hpp"
#include "tests/support/scheme_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::reading_test {

using namespace logpx::pc;
using namespace logpx::testing;

namespace {

constexpr std::int64_t categories = 3;

HeldCircuit drawn(Circuit circuit) {
  HeldCircuit held(std::move(circuit));
  held.draw(11);
  return held;
}
std::vector<Variable> variables_of(int count) {
  std::vector<Variable> variables;
  for (int v = 0; v < count; ++v) variables.push_back({'x' + std::to_string(v), categories});
  return variables;
}
// Two branches and a long one, none in order of its variables.
const std::vector<std::int32_t> branches = {4, 0, 0, 7, -1, 4, 3, 4, 6};

TreeForm form_of(const MonarchFactors& transition, LeafLatents latents = LeafLatents::keep) {
  return {.transition = transition, .ties = {TieLeaves::none}, .leaf_latents = latents};
}

struct Read {
  std::string name;
  HeldCircuit held;
  std::size_t symbols;
};
std::vector<Read> all_kinds() {
  TreeForm mixed = form_of(square_sum(3, {}));
  mixed.dictionary = {.elements = 3, .styles = 1};
  TreeForm styled = mixed;
  styled.dictionary.styles = 3;
  TreeForm hanging = mixed;
  hanging.hosts = {-1, -1, 0, -1, -1, 4, -1, -1, -1};
  std::vector<Read> all;
  const auto add = [&](const char* name, const TreeForm& form) {
    all.push_back({name, drawn(hidden_tree(variables_of(9), branches, form)), 9});
  };
  add("tree", form_of(square_sum(3, {})));
  add("merged", form_of(square_sum(3, {}), LeafLatents::merge));
  add("monarch tree", form_of(read_factors("2,2", 4)));
  add("dictionary", mixed);
  add("hanging", hanging);
  add("styled", styled);
  all.push_back({"mixture", drawn(mixture(variables_of(5), 4)), 5});
  all.push_back({"chain", drawn(hidden_markov({"x", categories}, square_sum(4, {}))), 7});
  return all;
}

CircuitCoding coding_of(const Read& read) {
  std::vector<std::size_t> variables(read.symbols);
  std::iota(variables.begin(), variables.end(), std::size_t{0});
  return CircuitCoding({read.held.plan, read.held.theta, variables});
}

// ln p of every symbol in the order of the bytes, given those before it.
double nats_of(codec::NextSymbol& next, std::span<const std::int32_t> row) {
  double nats = 0;
  for (const std::int32_t symbol : row) {
    const std::span<const double> weights = next.weights();
    nats += std::log(weights[at(symbol)] / std::accumulate(weights.begin(), weights.end(), 0.0));
    next.advance(static_cast<std::uint32_t>(symbol));
  }
  return nats;
}

std::vector<std::int32_t> row_of(std::size_t symbols, std::uint32_t number) {
  std::vector<std::int32_t> row(symbols);
  for (std::size_t i = 0; i < symbols; ++i)
    row[i] = static_cast<std::int32_t>((number * (2 * i + 1) + i * i / 2) % categories);
  return row;
}

}  // namespace

TEST_CASE("pc reading: the conditionals of the variables as they lie make the likelihood") {
  for (const Read& read : all_kinds()) {
    CAPTURE(read.name);
    const CircuitCoding coding = coding_of(read);
    for (std::uint32_t number = 0; number < 12; ++number) {
      const auto next = coding.next_symbol();
      REQUIRE(next != nullptr);
      const std::vector<std::int32_t> row = row_of(read.symbols, number);
      CHECK(nats_of(*next, row) == doctest::Approx(read.held.log_p({row})[0]).epsilon(1e-12));
    }
  }
}

TEST_CASE("pc reading: rows stand alone one after another, and a sequence goes on") {
  for (const Read& read : all_kinds()) {
    CAPTURE(read.name);
    const CircuitCoding coding = coding_of(read);
    const auto next = coding.next_symbol();
    std::vector<std::int32_t> all;
    double together = 0, apart = 0;
    for (std::uint32_t number = 0; number < 5; ++number) {
      const std::vector<std::int32_t> row = row_of(read.symbols, number);
      together += nats_of(*next, row);
      apart += read.held.log_p({row})[0];
      all.insert(all.end(), row.begin(), row.end());
    }
    const double expected = coding.carries() ? read.held.plain_log_p(all) : apart;
    CHECK(together == doctest::Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE("pc reading: a symbol that nobody knows says nothing, and those behind it are expected") {
  for (const Read& read : all_kinds()) {
    CAPTURE(read.name);
    const CircuitCoding coding = coding_of(read);
    std::vector<std::int32_t> row = row_of(read.symbols, 4);
    const auto next = coding.next_symbol();
    double nats = nats_of(*next, std::span(row).first(2));
    static_cast<void>(next->weights());
    next->advance(codec::NextSymbol::unknown);
    nats += nats_of(*next, std::span(row).subspan(3));
    double p = 0;
    for (row[2] = 0; row[2] < categories; ++row[2]) p += std::exp(read.held.log_p({row})[0]);
    CHECK(nats == doctest::Approx(std::log(p)).epsilon(1e-12));
  }
}

TEST_CASE("pc reading: between two variables only the messages on the way are computed") {
  // A star: from one leaf to the next it is two sums; the middle is read last.
  const HeldCircuit held =
      drawn(hidden_tree(variables_of(6), {5, 5, 5, 5, 5, -1}, form_of(square_sum(3, {}))));
  const std::vector<int> order = {0, 1, 2, 3, 4, 5};
  const auto plan = FilterPlan::of_order(held.plan, order);
  REQUIRE(plan.has_value());
  CHECK(plan->order() == order);
  const auto count = [&](FilterAction::Kind kind) {
    return std::ranges::count(plan->step(), kind, &FilterAction::kind);
  };
  CHECK(count(FilterAction::Kind::code) == 6);
  CHECK(count(FilterAction::Kind::up) == 5);
  CHECK(count(FilterAction::Kind::down) == 6);  // the root's among them
  CHECK(count(FilterAction::Kind::meet) == 9);  // what has been read is one product
}

TEST_CASE("pc reading: more styles than can be asked in step say nothing in order") {
  for (const std::int64_t styles : {8, 9}) {
    TreeForm form = form_of(square_sum(3, {}));
    form.dictionary = {.elements = 3, .styles = styles};
    const Read read{"styled", drawn(hidden_tree(variables_of(9), branches, form)), 9};
    CHECK((coding_of(read).next_symbol() == nullptr) == (styles == 9));
  }
}

TEST_CASE("pc reading: where pictures have colours, nothing can be said of their bytes in order") {
  const HeldCircuit held =
      drawn(hidden_tree(variables_of(6), {5, 5, 5, 5, 5, -1}, form_of(square_sum(3, {}))));
  std::vector<std::size_t> variables(6);
  std::iota(variables.begin(), variables.end(), std::size_t{0});
  CircuitCoding::Parts parts{held.plan, held.theta, variables};
  parts.colours.emplace(std::vector<std::int64_t>{1, 2, 3}, 256, Transform::ycocg_r);
  CHECK(CircuitCoding(std::move(parts)).next_symbol() == nullptr);
}

}  // namespace logpx::reading_test
