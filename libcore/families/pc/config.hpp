// What a circuit is made of, as options say it: its structure, its hidden states, how x is read.
// [spec/pc.md sections 4 and 13]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/pc/leaves/choice.hpp"
#include "libcore/families/pc/structures/learned_tree.hpp"
#include "libcore/families/pc/structures/structures.hpp"

#include <cstdint>
#include <optional>
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
  // Leaves of an hclt that are mixed from elements: how many, of which some on the crowded top
  // range and on all other values above 0; and for how many styles of rows. Unset: by the data.
  std::optional<std::int64_t> dictionary = {}, styles = {};
  std::int64_t peak_elements = 4, broad_elements = 16;
  std::int64_t preset_styles = 64;  // where styles are unset, at most
  std::string binarise = "none";
  std::uint64_t binarise_seed = 1;
  Transform transform = Transform::none;

  void describe(Fields& fields);
  // Says what was left open, by the data; usage errors for what contradicts itself or the data.
  void settle(const DatasetInfo& data);

  [[nodiscard]] RowRules rules() const;
  [[nodiscard]] std::int64_t levels(const DatasetInfo& data) const;  // 2 once binarised
  // A column of words has as many as there are words, whatever the others have; colours as
  // brightness and differences have 256, 511 and 511 by channel.
  [[nodiscard]] std::int64_t levels_of(const DatasetInfo& data, std::int64_t column) const;
  // Of a settled config:
  [[nodiscard]] MonarchFactors sum_factors() const;
  [[nodiscard]] Dictionary tree_dictionary() const;

 private:
  void describe_tree(Fields& fields);
  void settle_dictionary(const DatasetInfo& data);
  void check_transform() const;
};

// The circuit of a settled config whose structure no file says; a tree is learned from the rows.
[[nodiscard]] Circuit make_circuit(const Config& config, const LeafChoice& leaves,
                                   const Examples& rows, Workers& workers);

}  // namespace logpx::pc
