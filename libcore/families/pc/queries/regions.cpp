// Values of which only a region is known.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/queries/queries.hpp"

#include <algorithm>

namespace logpx::pc {

std::shared_ptr<const ValueRegions> Queries::regions_of(const Evidence& rows) const {
  if (!rows.regions) return nullptr;
  auto as_read = std::make_shared<ValueRegions>(*rows.regions);
  for (auto& [place, region] : *as_read)
    for (ValueRange& range : region.ranges)
      range = {rows_.standardised(range.low, place), rows_.standardised(range.high, place)};
  return as_read;
}

// A gaussian of several variables has a mass over a range of one of them; over several it has none
// that can be written down.
std::string Queries::refuse_regions(const Evidence& rows) const {
  if (!rows.regions) return "";
  if (reads_colours()) return "this model reads colours whole";
  const Circuit& circuit = plan_.circuit();
  const auto variables = std::ssize(circuit.variables);
  for (const Block& block : circuit.blocks) {
    std::vector<std::string> names;
    for (const auto& [place, region] : *rows.regions) {
      const auto v = static_cast<int>(place % variables);
      if (rows.x[at(place)] < 0 && std::ranges::find(block.variables, v) != block.variables.end())
        names.push_back(circuit.variables[at(v)].name);
    }
    if (names.size() > 1)
      return "names ranges of " + names[0] + " and " + names[1] +
             ", and one gaussian over several columns joins both: it takes a range of one";
  }
  return "";
}

}  // namespace logpx::pc
