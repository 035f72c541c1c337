// The circuits that `--structure` names, all of them made of the same blocks.
// [pc/README 4]
#pragma once

#include "libcore/families/pc/structures/leaf_ties.hpp"
#include "libcore/families/pc/text/circuit_text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx::pc {

// Sums over hidden states: one matrix, or a product of sparse ones.
[[nodiscard]] MonarchFactors square_sum(std::int64_t hidden,
                                        const std::optional<MonarchFactors>& factors);

// p(x) = sum over states of gamma(z_1) prod beta(x_t | z_t) prod alpha(z_{t+1} | z_t): a chain, for
// sequences of any length. Blocks: state (carried), transition, emission, root.
[[nodiscard]] Circuit hidden_markov(Variable symbol, const MonarchFactors& transition);

// A tree of hidden states, one for each variable: parents[root] is -1.
// Blocks of variable v: leaf.v, state.v, down.v (the sum over z_v that its parent sees); root.
//
// With a dictionary leaf.v is a sum over elements that all variables share, of which the first is
// value 0 alone (ground.v), and the others are the rows of a leaf that styles may change (grey.v):
//   leaf_v(x | z, style) = sum over elements of W_v[z, element] E_style[element, x]
enum class LeafLatents { keep, merge };  // merge: none at the ends of the tree
struct Dictionary {
  std::int64_t elements = 0;  // 0: leaves have values of their own
  std::int64_t styles = 1;
};
struct TreeForm {
  MonarchFactors transition;
  LeafTies ties = {};
  LeafLatents leaf_latents = LeafLatents::keep;
  Dictionary dictionary = {};
  // By variable: the variable on whose hidden state its leaf hangs, which is also its parent; -1
  // for one with its own state. Empty: all have their own.
  std::vector<std::int32_t> hosts = {};
};
[[nodiscard]] Circuit hidden_tree(const std::vector<Variable>& variables,
                                  const std::vector<std::int32_t>& parents, const TreeForm& form);

// Products of independent variables, mixed.
[[nodiscard]] Circuit mixture(const std::vector<Variable>& variables, std::int64_t components);

// What `--structure file:F` holds: a circuit (circuit_text.hpp), or the three arrays of a hidden
// Markov model as hmmlearn has them: {"hmm": {"startprob", "transmat", "emissionprob"}}.
[[nodiscard]] CircuitText read_structure(std::string_view text, const std::string& name);

}  // namespace logpx::pc
