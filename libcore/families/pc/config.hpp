// What a circuit is made of, as options say it: its structure, its hidden states, how x is read.
// [spec/pc.md sections 4 and 13]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/pc/leaves/choice.hpp"
#include "libcore/families/pc/structures/learned_tree.hpp"
#include "libcore/families/pc/structures/structures.hpp"

#include <cstdint>
#include <string>

namespace logpx {
class Fields;
}

namespace logpx::pc {

struct Config {
  std::string structure = "auto";  // hmm, hclt, mixture, or file
  std::int64_t hidden = 0;         // 0: what the factors say, or the preset
  std::string factors;             // of Monarch sums; empty: dense
  std::string program;             // the layers of Monarch sums
  // Where neither hidden nor factors are given: so many states, and of sequences as many in each of
  // two factors.
  std::int64_t preset_states = 32;
  bool inhomogeneous = false;  // an hmm whose steps have parameters of their own
  std::string leaf = "auto";   // or a kind for all variables, or "file": by variable
  TieLeaves tie_leaves = TieLeaves::none;
  LeafLatents leaf_latents = LeafLatents::keep;
  TreeSearch tree;  // of hclt
  std::string binarise = "none";
  std::uint64_t binarise_seed = 1;

  void describe(Fields& fields);
  // Says what was left open, by the data; usage errors for what contradicts itself or the data.
  void settle(const DatasetInfo& data);

  [[nodiscard]] RowRules rules() const;
  [[nodiscard]] std::int64_t levels(const DatasetInfo& data) const;  // 2 once binarised
  // A column of words has as many as there are words.
  [[nodiscard]] std::int64_t levels_of(const DatasetInfo& data, std::int64_t column) const;
  [[nodiscard]] MonarchFactors sum_factors() const;  // of a settled config
};

// The circuit of a settled config whose structure no file says; a tree is learned from the rows.
[[nodiscard]] Circuit make_circuit(const Config& config, const LeafChoice& leaves,
                                   const Examples& rows, Workers& workers);

}  // namespace logpx::pc
