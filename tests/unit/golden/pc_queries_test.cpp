// Answers of circuits as in tests/golden/pc.json, in double.
#include "libcore/base/index.hpp"
#include "libcore/eval/best_filling.hpp"
#include "libcore/eval/differences.hpp"
#include "libcore/eval/moments.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_circuits.hpp"
#include "tests/support/golden_message.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace logpx::pc_queries_test {

using namespace logpx::pc;
using namespace logpx::testing;
using golden::reals_of;
using testing::SymbolRows;

namespace {

std::vector<std::int32_t> row_of(const Json& list) {
  return golden::rows_of(Json(Json::Array{list}))[0];
}

std::vector<std::int32_t> whole_row(const std::vector<std::int32_t>& x, std::int64_t i,
                                    const Evidence& rows) {
  const auto first = x.begin() + i * rows.width;
  return {first, first + rows.lengths[at(i)]};
}

// The table of one value of row i.
void check_table(const std::vector<double>& tables, std::size_t cell, const Json& expected) {
  const std::vector<double> p = reals_of(expected);
  for (std::size_t k = 0; k < p.size(); ++k)
    CHECK(std::abs(tables[cell * p.size() + k] - p[k]) < 1e-10);
}

// p of each missing value: for each row {"place": table}.
void check_posteriors(const AskedCircuit& asked, const Evidence& rows, const Json& expected) {
  const std::vector<double> tables = asked.queries.tables(rows).p;
  for (std::int64_t i = 0; i < rows.count(); ++i)
    for (const auto& [place, table] : expected.at(at(i)).members())
      check_table(tables, at(i * rows.width) + std::stoul(place), table);
}

void check_explanations(const AskedCircuit& asked, const Evidence& rows, const Json& expected) {
  const FilledRows best = asked.queries.fill(rows, FillBy::explanation, Rng(1), 0);
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    const Json& one = expected.at(at(i));
    CHECK(std::abs(best.nats[at(i)] - one.at("log_joint").number()) < 1e-10);
    CHECK(whole_row(best.x, i, rows) == row_of(one.at("x")));
    if (best.states.empty()) continue;
    const std::vector<std::int32_t> z = row_of(one.at("z"));
    for (std::size_t t = 0; t < z.size(); ++t) CHECK(best.states[at(i * rows.width) + t] == z[t]);
  }
}

void check_best(const AskedCircuit& asked, const Evidence& rows, const Json& expected) {
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    const BestFilling best = best_filling(asked.queries, rows, i, {});
    CHECK(std::abs(best.nats - expected.at(at(i)).at("log_p").number()) < 1e-10);
    CHECK(whole_row(best.x, 0, rows.repeat(i, 1)) == row_of(expected.at(at(i)).at("x")));
  }
}

double total_probability(const AskedCircuit& asked) {
  std::vector<std::int32_t> categories;
  for (const Variable& variable : asked.held.plan.circuit().variables)
    categories.push_back(static_cast<std::int32_t>(variable.categories));
  double sum = 0;
  for (const double nats : asked.queries.log_p(evidence_of(all_rows(categories))))
    sum += std::exp(nats);
  return sum;
}

}  // namespace

TEST_CASE("golden/pc/hmm_dense posterior_of_missing, mpe_states_and_symbols, map_symbols") {
  const Json* item = golden::field("pc", "hmm_dense");
  if (!item) return;
  const AskedCircuit asked(golden::dense_hmm(*item));
  const Json& missing = item->at("missing");
  const Evidence rows = evidence_of(golden::rows_of(missing.at("sequences")));
  check_posteriors(asked, rows, missing.at("posterior_of_missing"));
  check_explanations(asked, rows, missing.at("mpe_states_and_symbols"));
  check_best(asked, rows, missing.at("map_symbols"));
}

TEST_CASE("golden/pc/hmm_dense next_symbol, state_posterior, expected_symbol_value") {
  const Json* item = golden::field("pc", "hmm_dense");
  if (!item) return;
  const AskedCircuit asked(golden::dense_hmm(*item));
  const Json& next = item->at("next_symbol");
  const std::vector<double> tables = asked.queries.next(evidence_of({row_of(next.at("sequence"))}));
  for (std::size_t t = 0; t < next.at("conditionals").size(); ++t)
    check_table(tables, t, next.at("conditionals").at(t));
  const Json& states = item->at("state_posterior");
  const std::vector<double> q = asked.queries.states(evidence_of({row_of(states.at("sequence"))}));
  for (std::size_t t = 0; t < states.at("gamma_tz").size(); ++t)
    check_table(q, t, states.at("gamma_tz").at(t));
  const Json& expected = item->at("expected_symbol_value");
  const std::vector<std::int64_t> place = {expected.at("position").integer()};
  const ValueMoments moments = value_moments(
      asked.queries, evidence_of({row_of(expected.at("sequence"))}), 0, place, Pairs::none);
  CHECK(std::abs(moments.mean.at(0) - expected.at("value").number()) < 1e-10);
}

TEST_CASE("golden/pc/hclt missing, univariate_marginals, total_probability") {
  const Json* item = golden::field("pc", "hclt");
  if (!item) return;
  const AskedCircuit asked(golden::tree(*item));
  const Json& missing = item->at("missing");
  const Evidence rows = evidence_of(golden::rows_of(missing.at("data")));
  check_posteriors(asked, rows, missing.at("conditionals"));
  check_explanations(asked, rows, missing.at("mpe_latents_and_values"));
  check_best(asked, rows, missing.at("map_values"));
  const std::vector<double> alone = asked.queries.tables(unknown_row(item->at("D").integer())).p;
  for (std::size_t v = 0; v < item->at("univariate_marginals").size(); ++v)
    check_table(alone, v, item->at("univariate_marginals").at(v));
  CHECK(std::abs(total_probability(asked) - item->at("total_probability").number()) < 1e-10);
}

TEST_CASE("golden/pc/hmm_dense entropy and hclt entropy_H_x_nats") {
  const Json* hmm = golden::field("pc", "hmm_dense");
  const Json* hclt = golden::field("pc", "hclt");
  if (!hmm || !hclt) return;
  const AskedCircuit chain(golden::dense_hmm(*hmm)), tree(golden::tree(*hclt));
  const Json& entropy = hmm->at("entropy");
  const std::int64_t length = entropy.at("length").integer();
  CHECK(std::abs(chain.queries.joint_entropy(length) - entropy.at("H_xz_nats").number()) < 1e-10);
  const auto exact = [](const AskedCircuit& asked, std::int64_t width) {
    return exact_entropy(asked.queries, width, std::int64_t{1} << 20).value();
  };
  CHECK(std::abs(exact(chain, length) - entropy.at("H_x_nats").number()) < 1e-10);
  CHECK(std::abs(exact(tree, hclt->at("D").integer()) - hclt->at("entropy_H_x_nats").number()) <
        1e-10);
}

TEST_CASE("golden/pc/mpe_vs_map") {
  const Json* item = golden::field("pc", "mpe_vs_map");
  if (!item) return;
  const auto values = static_cast<std::int64_t>(item->at("leaf0").at(0).size());
  HeldCircuit held(mixture({{"x0", values}, {"x1", values}},
                           static_cast<std::int64_t>(item->at("weights").size())));
  held.set("root/w", reals_of(item->at("weights")));
  held.set("leaf.0/p", reals_of(item->at("leaf0")));
  held.set("leaf.1/p", reals_of(item->at("leaf1")));
  const AskedCircuit asked(std::move(held));
  const Evidence rows = evidence_of({row_of(item->at("evidence"))});
  const Json &mpe = item->at("mpe"), &map = item->at("map");
  const FilledRows explained = asked.queries.fill(rows, FillBy::explanation, Rng(1), 0);
  CHECK(explained.x == row_of(mpe.at("x")));
  CHECK(std::abs(explained.nats[0] - mpe.at("log_joint").number()) < 1e-10);
  CHECK(std::abs(asked.queries.log_p(evidence_of({explained.x}))[0] -
                 mpe.at("log_p_of_mpe_x").number()) < 1e-10);
  for (const FillingSearch& search : {FillingSearch{}, FillingSearch{.enumerate = 1, .beam = 1}}) {
    const BestFilling best = best_filling(asked.queries, rows, 0, search);
    CHECK(best.x == row_of(map.at("x")));
    CHECK(std::abs(best.nats - map.at("log_p").number()) < 1e-10);
    CHECK(best.exact == (search.enumerate > 1));
  }
}

// The example of Wikipedia's article on the Viterbi algorithm.
TEST_CASE("pc queries: the weather explains three days of walking, shopping and cleaning") {
  HeldCircuit held(hidden_markov({"activity", 3}, square_sum(2, {})));
  held.set("root/w", {0.6, 0.4});
  held.set("transition/w", {0.7, 0.3, 0.4, 0.6});
  held.set("emission/p", {0.1, 0.4, 0.5, 0.6, 0.3, 0.1});
  const AskedCircuit asked(std::move(held));
  const FilledRows best =
      asked.queries.fill(evidence_of({{0, 1, 2}}), FillBy::explanation, Rng(1), 0);
  CHECK(best.states == std::vector<std::int64_t>{1, 0, 0});
  CHECK(std::exp(best.nats[0]) == doctest::Approx(0.01344).epsilon(1e-12));
}

}  // namespace logpx::pc_queries_test
