// What a circuit is made of, as options say it: its structure, its hidden states, how x is read.
// [pc/README 4]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/pc/leaves/table_choice.hpp"
#include "libcore/families/pc/structures/learned_tree.hpp"
#include "libcore/families/pc/structures/region_settings.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "libcore/families/pc/structures/table.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace logpx {
class Fields;
}

namespace logpx::pc {

struct Config {
  std::string structure = "auto";  // table, hmm, hclt, mixture, ff, one of regions, or file
  std::int64_t hidden = 0;         // 0: what the factors say, or the preset
  std::string factors;             // of Monarch sums; empty: dense sums
  std::string program;             // the layers of Monarch sums
  // States where neither hidden nor factors are given; sequences take two factors of this size.
  std::int64_t preset_states = 32;
  bool inhomogeneous = false;  // an hmm whose steps have parameters of their own
  std::string leaf = "auto";   // or one kind for all variables, or "file"
  TieLeaves tie_leaves = TieLeaves::none;
  LeafLatents leaf_latents = LeafLatents::keep;
  TreeSearch tree;                     // of hclt and table
  std::int64_t trees = 4, blocks = 3;  // parts of a table's circuit
  std::int64_t block_states = 0;       // 0: the preset
  std::int64_t preset_block_states = 8;
  UnknownValues unknown = UnknownValues::together;
  std::string part_weights;  // of the parts; empty: all alike
  RegionSettings regions;    // of quad-tree, quad-graph, pd and rat
  // Elements that leaves of an hclt are mixed from, and styles of rows; the data decide where they
  // are unset. Some elements cover the crowded top range, some all other values above 0.
  std::optional<std::int64_t> dictionary = {}, styles = {};
  std::int64_t peak_elements = 4, broad_elements = 16;
  std::int64_t preset_styles = 64;  // most styles, where styles is unset
  std::string binarise = "none";
  std::uint64_t binarise_seed = 1;
  Transform transform = Transform::none;

  void describe(Fields& fields);
  // Fills in what was left open, by the data; usage errors for contradictions.
  void settle(const DatasetInfo& data);

  [[nodiscard]] RowRules rules() const;
  [[nodiscard]] std::int64_t levels(const DatasetInfo& data) const;  // 2 once binarised
  // A column of words has as many levels as words. Brightness and differences of colour have 256,
  // 511 and 511.
  [[nodiscard]] std::int64_t levels_of(const DatasetInfo& data, std::int64_t column) const;
  // Need a settled config:
  [[nodiscard]] TableForm table_form() const;
  [[nodiscard]] MonarchFactors sum_factors() const;
  [[nodiscard]] Dictionary tree_dictionary() const;
  [[nodiscard]] LeafTies ties(const DatasetInfo& data) const;

 private:
  void describe_data(Fields& fields);
  void describe_dictionary(Fields& fields);
  void describe_tree(Fields& fields);
  void describe_table(Fields& fields);
  [[nodiscard]] bool asks_for_one_tree() const;
  void settle_table(const DatasetInfo& data);
  void settle_states();
  void settle_dictionary(const DatasetInfo& data);
  void check_transform() const;
};

// Whether the data are a table, whose columns have values of their own.
[[nodiscard]] bool has_own_columns(const DatasetInfo& data);

// The circuit of a settled config, unless a file gives its structure. Trees are learned from the
// rows, and random regions are drawn.
[[nodiscard]] Circuit make_circuit(const Config& config, const LeafChoice& leaves,
                                   const Examples& rows, Workers& workers, const Rng& rng);

}  // namespace logpx::pc
