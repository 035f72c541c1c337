// What a config says of the circuit of a table.   [pc/README 4.7]
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/pc/config.hpp"

namespace logpx::pc {

void Config::describe_table(Fields& f) {
  const auto without = [this] { return structure != "table"; };
  const Condition table{[without] { return !without(); }, "--structure table"};
  f.add("trees", trees, "trees of hidden states, from seeds of their own, at most").range(0, 64);
  f.add("blocks", blocks, "mixtures of clusters with gaussians over all numbers, at most")
      .range(0, 64);
  f.add("block-states", block_states, "clusters of each, one of them broad; 0: by the rows")
      .range(0, 1 << 16);
  f.add("unknown", unknown,
        {{"together", UnknownValues::together, "have a probability together"},
         {"error", UnknownValues::error, "are refused"}},
        "words and values of short lists that the training rows lack");
  for (const char* option : {"--trees", "--blocks", "--block-states", "--unknown"})
    f.find_option(option)->when(table).unset_while(without).rank(Rank::manual);
  f.add("preset-block-states", preset_block_states, "clusters without --block-states")
      .range(1, 1 << 15)
      .unset_while(without)
      .rank(Rank::set_only);
  f.add("part-weights", part_weights, "shares of the trees, then of the mixtures of clusters")
      .metavar("P,...")
      .unset_while([this] { return part_weights.empty(); })
      .rank(Rank::set_only);
}

// Options that other structures of tables lack.
bool Config::asks_for_one_tree() const {
  return leaf != "auto" || !factors.empty() || tie_leaves != TieLeaves::none ||
         leaf_latents != LeafLatents::keep || dictionary || styles ||
         transform != Transform::none || binarise != "none";
}

void Config::settle_table(const DatasetInfo& data) {
  if (data.content == Content::image || data.content == Content::molecules)
    fail(ErrorKind::usage, "--structure",
         "is table, and " + data.name + " holds " +
             (data.content == Content::image ? "pictures" : "molecules"),
         "--structure hclt");
  if (transform != Transform::none || binarise != "none")
    fail(ErrorKind::usage, "--structure", "is table, whose columns are read as they are",
         "--structure hclt");
  if (trees + blocks == 0)
    fail(ErrorKind::usage, "--trees", "and --blocks are 0, and nothing is left to train",
         "--trees 1");
  if (block_states == 0) block_states = preset_block_states;
}

TableForm Config::table_form() const {
  return {.trees = trees, .tree_states = hidden, .blocks = blocks, .block_states = block_states};
}

}  // namespace logpx::pc
