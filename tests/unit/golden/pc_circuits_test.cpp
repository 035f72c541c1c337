// Likelihoods, counts and M-steps of circuits as in tests/golden/pc.json, in double.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "libcore/math/monarch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_circuits.hpp"
#include "tests/support/golden_message.hpp"
#include "tests/support/held_circuit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace logpx::pc_circuits_test {

using namespace logpx::pc;
using namespace logpx::testing;
using golden::reals_of;

namespace {

void check_close(const std::vector<double>& found, const std::vector<double>& expected,
                 double tolerance = 1e-10) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(found[i] - expected[i]) < tolerance);
  }
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

void check_likelihoods(const HeldCircuit& held, const SymbolRows& rows, const Json& expected) {
  check_close(held.log_p(rows), reals_of(expected));
  check_close(held.log_p_in_float(rows), reals_of(expected), 1e-4);
}

std::vector<double> packed(const MonarchLayer& layer, const std::vector<double>& tensor) {
  return pack_tensor<double>(layer, tensor);
}

HeldCircuit monarch_hmm(const Json& hmm) {
  MonarchFactors factors;
  for (const Json& m : hmm.at("m").items()) factors.m.push_back(m.integer());
  for (const Json& n : hmm.at("n").items()) factors.n.push_back(n.integer());
  HeldCircuit held(hidden_markov({"x", hmm.at("V").integer()}, factors));
  const Monarch form(factors);
  for (std::size_t t = 0; t < form.layers().size(); ++t)
    held.set("transition/a" + std::to_string(t + 1),
             packed(form.layers()[t], reals_of(hmm.at("tensors").at(t).at("data"))));
  held.set("root/w", reals_of(hmm.at("gamma")));
  held.set("emission/p", reals_of(hmm.at("beta")));
  return held;
}

// The M-step on counts of all data.
void maximise_fully(HeldCircuit& held, const std::vector<double>& counts, double pseudocount) {
  maximise<double>(held.params, {.rule = EmRule::full, .pseudocount = pseudocount}, {}, counts, {},
                   held.theta);
}

void check_hmm(const HeldCircuit& held, const std::vector<double>& block, const Json& expected) {
  check_close(held.get("root/w", block), reals_of(expected.at("gamma")), 1e-9);
  check_close(held.get("transition/w", block), reals_of(expected.at("alpha")), 1e-9);
  check_close(held.get("emission/p", block), reals_of(expected.at("beta")), 1e-9);
}

// p(x_place = value | all other values of the row), for every value.
std::vector<double> conditional(const HeldCircuit& held, std::vector<std::int32_t> row,
                                std::size_t place, std::int64_t values) {
  std::vector<double> p;
  row[place] = -1;
  const double all = held.log_p({row})[0];
  for (std::int32_t value = 0; value < values; ++value) {
    row[place] = value;
    p.push_back(std::exp(held.log_p({row})[0] - all));
  }
  return p;
}

}  // namespace

TEST_CASE("golden/pc/generic_circuit") {
  const Json* item = golden::field("pc", "generic_circuit");
  if (!item) return;
  const CircuitText read = read_circuit(item->at("circuit").dump(), "golden");
  const CircuitFacts facts = facts_of(read.circuit);
  CHECK(facts.nodes == item->at("num_nodes").integer());
  CHECK(facts.edges == item->at("num_edges_sum").integer());
  HeldCircuit held(read.circuit);
  for (std::size_t b = 0; b < read.weights.size(); ++b)
    if (!read.weights[b].empty()) held.set(read.circuit.blocks[b].id + "/w", read.weights[b]);
  CHECK(find_weight_faults<double>(held.params, held.theta).empty());
  check_likelihoods(held, golden::rows_of(item->at("data")), item->at("loglik_nats"));
  double sum = 0;
  for (const double nats : held.log_p(all_rows({3, 3, 3, 3}))) sum += std::exp(nats);
  CHECK(std::abs(sum - item->at("total_probability").number()) < 1e-10);
}

TEST_CASE("golden/pc/hmm_dense likelihoods") {
  const Json* item = golden::field("pc", "hmm_dense");
  if (!item) return;
  const HeldCircuit held = golden::dense_hmm(*item);
  check_likelihoods(held, golden::rows_of(item->at("sequences")), item->at("loglik_nats"));
  const Json& missing = item->at("missing");
  const SymbolRows rows = golden::rows_of(missing.at("sequences"));
  check_likelihoods(held, rows, missing.at("loglik_nats"));
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (const auto& [t, expected] : missing.at("posterior_of_missing").at(k).members())
      check_close(conditional(held, rows[k], std::stoul(t), item->at("V").integer()),
                  reals_of(expected));
  const std::vector<std::int32_t> sequence =
      golden::rows_of(Json(Json::Array{item->at("next_symbol").at("sequence")}))[0];
  for (std::size_t t = 0; t < sequence.size(); ++t)
    check_close(conditional(held, {sequence.begin(), sequence.begin() + std::ptrdiff_t(t) + 1}, t,
                            item->at("V").integer()),
                reals_of(item->at("next_symbol").at("conditionals").at(t)));
}

TEST_CASE("golden/pc/hmm_dense em_full_batch") {
  const Json* item = golden::field("pc", "hmm_dense");
  if (!item) return;
  SymbolRows rows = golden::rows_of(item->at("sequences"));
  for (auto& row : golden::rows_of(item->at("missing").at("sequences"))) rows.push_back(row);
  const Json& em = item->at("em_full_batch");
  HeldCircuit held = golden::dense_hmm(*item);
  const std::vector<double> counts = held.counts(rows), before = held.theta;
  check_hmm(held, counts, em.at("expected_counts"));
  maximise_fully(held, counts, 1);
  check_hmm(held, held.theta, em.at("pseudocount_1"));
  held.theta = before;
  const Json& plain = em.at("pseudocount_0");
  CHECK(std::abs(sum_of(held.log_p(rows)) - plain.at("total_loglik_before").number()) < 1e-9);
  maximise_fully(held, counts, 0);
  check_hmm(held, held.theta, plain);
  CHECK(std::abs(sum_of(held.log_p(rows)) - plain.at("total_loglik_after").number()) < 1e-9);
}

TEST_CASE("golden/pc/hmm_dense em_stochastic") {
  const Json* item = golden::field("pc", "hmm_dense");
  if (!item) return;
  const Json& em = item->at("em_stochastic");
  const std::vector<double> rates = reals_of(em.at("step_sizes"));
  for (const auto& [rule, name] :
       {std::pair(EmRule::stats, "stats_rule"), std::pair(EmRule::params, "params_rule")}) {
    CAPTURE(name);
    HeldCircuit held = golden::dense_hmm(*item);
    std::vector<double> statistics(keeps_statistics(rule) ? held.theta.size() : 0);
    for (std::size_t k = 0; k < rates.size(); ++k)
      maximise<double>(held.params,
                       {.rule = rule,
                        .rate = rates[k],
                        .pseudocount = em.at("pseudocount").number(),
                        .step = static_cast<std::int64_t>(k)},
                       {}, held.counts(golden::rows_of(em.at("minibatches").at(k))), statistics,
                       held.theta);
    check_hmm(held, held.theta, em.at(name));
  }
}

TEST_CASE("golden/pc/monarch_hmm") {
  const Json* items = golden::field("pc", "monarch_hmm");
  if (!items) return;
  for (const Json& item : items->items()) {
    HeldCircuit held = monarch_hmm(item);
    const SymbolRows rows = golden::rows_of(item.at("sequences"));
    check_likelihoods(held, rows, item.at("loglik_nats"));
    const Json &em = item.at("em_full_batch"), &counted = em.at("expected_counts");
    const std::vector<double> counts = held.counts(rows), before = held.theta;
    const auto check_tensors = [&](const std::vector<double>& block, const Json& expected) {
      const Monarch form(held.plan.block(1).factors);
      for (std::size_t t = 0; t < form.layers().size(); ++t)
        check_close(held.get("transition/a" + std::to_string(t + 1), block),
                    packed(form.layers()[t], reals_of(expected.at(t))), 1e-9);
    };
    check_tensors(counts, counted.at("tensors"));
    check_close(held.get("root/w", counts), reals_of(counted.at("gamma")), 1e-9);
    check_close(held.get("emission/p", counts), reals_of(counted.at("beta")), 1e-9);
    maximise_fully(held, counts, 1);
    check_tensors(held.theta, em.at("pseudocount_1").at("tensors"));
    held.theta = before;
    const Json& plain = em.at("pseudocount_0");
    CHECK(std::abs(sum_of(held.log_p(rows)) - plain.at("total_loglik_before").number()) < 1e-9);
    maximise_fully(held, counts, 0);
    check_tensors(held.theta, plain.at("tensors"));
    check_close(held.get("root/w"), reals_of(plain.at("gamma")), 1e-9);
    check_close(held.get("emission/p"), reals_of(plain.at("beta")), 1e-9);
    CHECK(std::abs(sum_of(held.log_p(rows)) - plain.at("total_loglik_after").number()) < 1e-9);
  }
}

TEST_CASE("golden/pc/pruned") {
  const Json* items = golden::field("pc", "monarch_hmm");
  if (!items) return;
  for (const Json& item : items->items()) {
    const HeldCircuit held = monarch_hmm(item);
    const SymbolRows rows = golden::rows_of(item.at("sequences"));
    const Json& pruned = item.at("pruned");
    StatePruning pruning{.states = 1 - pruned.at("keep").number(), .scope = PruneScope::all};
    for (const PruneExec exec : {PruneExec::dense, PruneExec::sparse}) {
      pruning.exec = exec;
      check_close(held.log_p(rows, {.pruning = pruning}), reals_of(pruned.at("loglik_nats")));
    }
  }
}

TEST_CASE("golden/pc/hclt likelihoods") {
  const Json* item = golden::field("pc", "hclt");
  if (!item) return;
  const HeldCircuit held = golden::tree(*item);
  const std::int64_t values = item->at("V").integer();
  check_likelihoods(held, golden::rows_of(item->at("data")), item->at("loglik_nats"));
  const SymbolRows rows = golden::rows_of(item->at("missing").at("data"));
  check_likelihoods(held, rows, item->at("missing").at("loglik_nats"));
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (const auto& [v, expected] : item->at("missing").at("conditionals").at(k).members())
      check_close(conditional(held, rows[k], std::stoul(v), values), reals_of(expected));
  const std::vector<std::int32_t> nothing(item->at("leaf").size(), -1);
  for (std::size_t v = 0; v < nothing.size(); ++v)
    check_close(conditional(held, nothing, v, values),
                reals_of(item->at("univariate_marginals").at(v)));
}

TEST_CASE("golden/pc/hclt em_full_batch") {
  const Json* item = golden::field("pc", "hclt");
  if (!item) return;
  const Json& em = item->at("em_full_batch");
  const SymbolRows rows = golden::rows_of(item->at("data"));
  HeldCircuit held = golden::tree(*item);
  const std::vector<double> counts = held.counts(rows);
  CHECK(std::abs(sum_of(held.log_p(rows)) - em.at("total_loglik_before").number()) < 1e-9);
  maximise_fully(held, counts, 0);
  CHECK(std::abs(sum_of(held.log_p(rows)) - em.at("total_loglik_after").number()) < 1e-9);
  check_close(held.get("root/w"), reals_of(em.at("gamma")), 1e-9);
  for (const auto& [v, matrix] : em.at("transition").members())
    check_close(held.get("down." + v + "/w"), reals_of(matrix), 1e-9);
  std::vector<double> tied;
  for (std::size_t v = 0; v < item->at("leaf").size(); ++v) {
    const std::string leaf = "leaf." + std::to_string(v) + "/p";
    check_close(held.get(leaf), reals_of(em.at("leaf").at(v)), 1e-9);
    const std::vector<double> of_leaf = held.get(leaf, counts);
    tied.resize(of_leaf.size());
    for (std::size_t i = 0; i < tied.size(); ++i) tied[i] += of_leaf[i];
  }
  normalise_rows(std::span(tied), item->at("V").integer());
  check_close(tied, reals_of(em.at("tied_leaf")), 1e-9);
}

TEST_CASE("golden/pc/hclt_monarch") {
  const Json* item = golden::field("pc", "hclt_monarch");
  if (!item) return;
  const std::int64_t p = item->at("p").integer(), q = item->at("q").integer();
  std::vector<std::int32_t> parents;
  std::vector<Variable> variables;
  for (const Json& parent : item->at("parent").items()) {
    variables.push_back({"x" + std::to_string(parents.size()), item->at("V").integer()});
    parents.push_back(static_cast<std::int32_t>(parent.integer()));
  }
  const MonarchFactors factors{.m = {p, q}, .n = {p, q}, .program = {1, 2, 1}};
  HeldCircuit held(hidden_tree(variables, parents, {.transition = factors}));
  const Monarch form(factors);
  held.set("root/w", reals_of(item->at("gamma")));
  for (std::size_t v = 0; v < parents.size(); ++v)
    held.set("leaf." + std::to_string(v) + "/p", reals_of(item->at("leaf").at(v)));
  for (const auto& [v, layers] : item->at("layers").members()) {
    const char* const names[] = {"A", "B", "C"};
    for (std::size_t t = 0; t < 3; ++t)
      held.set("down." + v + "/a" + std::to_string(t + 1),
               packed(form.layers()[t], reals_of(layers.at(names[t]).at("data"))));
  }
  check_likelihoods(held, golden::rows_of(item->at("data")), item->at("loglik_nats"));
}

TEST_CASE("golden/pc/flops_table") {
  const Json* items = golden::field("pc", "flops_table");
  if (!items) return;
  for (const Json& item : items->items()) {
    const std::int64_t h = item.at("h").integer();
    CHECK(Monarch(square_sum(h, {})).edges() == item.at("dense").integer());
    for (const char* depth : {"2", "3", "4"}) {
      const Json* of_depth = item.find(std::string("monarch") + depth);
      if (of_depth == nullptr) continue;
      const Monarch form(read_factors(std::string("auto:") + depth, h));
      CHECK(form.edges() == of_depth->at("flops").integer());
    }
  }
}

}  // namespace logpx::pc_circuits_test
