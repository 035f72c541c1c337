#include "tests/support/golden_circuits.hpp"

#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/golden_message.hpp"

#include <string>

namespace logpx::golden {

using namespace logpx::pc;
using testing::HeldCircuit;

testing::SymbolRows rows_of(const Json& list) {
  testing::SymbolRows rows;
  for (const Json& row : list.items()) {
    rows.emplace_back();
    for (const Json& x : row.items()) rows.back().push_back(static_cast<std::int32_t>(x.integer()));
  }
  return rows;
}

HeldCircuit dense_hmm(const Json& hmm) {
  HeldCircuit held(
      hidden_markov({"x", hmm.at("V").integer()}, square_sum(hmm.at("S").integer(), {})));
  held.set("root/w", reals_of(hmm.at("gamma")));
  held.set("transition/w", reals_of(hmm.at("alpha")));
  held.set("emission/p", reals_of(hmm.at("beta")));
  return held;
}

HeldCircuit tree(const Json& hclt) {
  std::vector<std::int32_t> parents;
  std::vector<Variable> variables;
  for (const Json& parent : hclt.at("parent").items()) {
    variables.push_back({"x" + std::to_string(parents.size()), hclt.at("V").integer()});
    parents.push_back(static_cast<std::int32_t>(parent.integer()));
  }
  HeldCircuit held(
      hidden_tree(variables, parents, {.transition = square_sum(hclt.at("h").integer(), {})}));
  held.set("root/w", reals_of(hclt.at("gamma")));
  for (const auto& [v, matrix] : hclt.at("transition").members())
    held.set("down." + v + "/w", reals_of(matrix));
  for (std::size_t v = 0; v < parents.size(); ++v)
    held.set("leaf." + std::to_string(v) + "/p", reals_of(hclt.at("leaf").at(v)));
  return held;
}

}  // namespace logpx::golden
