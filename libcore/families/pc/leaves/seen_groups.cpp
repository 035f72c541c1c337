#include "libcore/families/pc/leaves/seen_groups.hpp"

#include "libcore/base/index.hpp"

#include <map>

namespace logpx::pc {

std::vector<SeenGroup> seen_groups(const Circuit& circuit, const Block& joint,
                                   const StepColumns& values) {
  std::vector<ColumnValues> all;
  for (const int v : joint.variables)
    all.push_back(values.columns.of(values.step, std::ssize(circuit.variables), v));
  std::vector<SeenGroup> groups;
  std::map<std::vector<bool>, std::size_t> known;
  std::vector<bool> seen(all.size());
  for (std::int64_t c = 0; c < values.columns.count; ++c) {
    for (std::size_t v = 0; v < all.size(); ++v) seen[v] = !all[v].missing(c);
    const auto [place, added] = known.try_emplace(seen, groups.size());
    if (added) {
      SeenPlaces& places = groups.emplace_back().places;
      for (std::size_t v = 0; v < all.size(); ++v)
        (seen[v] ? places.seen : places.hidden).push_back(static_cast<std::int64_t>(v));
    }
    SeenGroup& group = groups[place->second];
    group.columns.push_back(c);
    for (std::size_t v = 0; v < all.size(); ++v)
      group.x.push_back(seen[v] ? all[v].number(c, 0) : 0);
  }
  return groups;
}

}  // namespace logpx::pc
