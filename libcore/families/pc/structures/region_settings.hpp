// How `--structure quad-tree`, `quad-graph`, `pd` and `rat` split the variables, as options say it.
// [pc/README 4.5]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/families/pc/circuit/circuit.hpp"
#include "libcore/families/pc/structures/region_graph.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace logpx {
class Fields;
}

namespace logpx::pc {

// Whether a structure is made of regions, and its name in a list.
[[nodiscard]] bool has_regions(const std::string& structure);
inline constexpr const char* structures_of_regions = "quad-tree, quad-graph, pd or rat";

struct RegionSettings {
  QuadSplit splits = QuadSplit::halves;  // of a quad-tree
  std::optional<std::int64_t> pd_step = {};
  RandomSplits random = {};
  ProductKind product = ProductKind::hadamard;

  void describe(Fields& fields, const std::string& structure);
  // Fills in what was left open. Usage errors for data that are no pictures, where they are needed,
  // for too many regions and for products of too many nodes.
  void settle(const std::string& structure, const DatasetInfo& data, std::int64_t hidden);
  // The same draws split the variables in the same way. Needs settled settings.
  [[nodiscard]] RegionGraph regions(const std::string& structure, const DatasetInfo& data,
                                    Substream draws) const;

 private:
  void settle_step(const PixelGrid& grid);
  void check_repetitions(std::int64_t variables) const;
};

}  // namespace logpx::pc
