#include "libcore/families/pc/leaves/seen_groups.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <map>

namespace logpx::pc {

std::vector<ColumnValues> columns_of_leaf(const Circuit& circuit, const Block& joint,
                                          const StepColumns& values) {
  std::vector<ColumnValues> all;
  for (const int v : joint.variables)
    all.push_back(values.columns.of(values.step, std::ssize(circuit.variables), v));
  return all;
}

SeenPlaces places_in(const Circuit& circuit, const Block& joint,
                     std::span<const ColumnValues> values, std::int64_t column) {
  SeenPlaces places;
  for (std::size_t v = 0; v < values.size(); ++v)
    (values[v].missing(column) ? places.hidden : places.seen)
        .push_back(static_cast<std::int64_t>(v));
  const auto known = std::ranges::find_if(
      places.hidden, [&](std::int64_t v) { return values[at(v)].region != nullptr; });
  if (known == places.hidden.end()) return places;
  places.region = values[at(*known)].region;
  places.whole = circuit.variables[at(joint.variables[at(*known)])].whole;
  std::rotate(places.hidden.begin(), known, known + 1);
  return places;
}

namespace {

bool lies_outside(std::span<const ColumnValues> all, std::int64_t column) {
  return std::ranges::any_of(all, [&](const ColumnValues& one) {
    return one.region != nullptr && !one.missing(column) && !one.region->has(one.number(column, 0));
  });
}

}  // namespace

std::vector<SeenGroup> seen_groups(const Circuit& circuit, const Block& joint,
                                   const StepColumns& values) {
  const std::vector<ColumnValues> all = columns_of_leaf(circuit, joint, values);
  std::vector<SeenGroup> groups;
  std::map<std::vector<bool>, std::size_t> known;
  std::vector<bool> seen(all.size());
  for (std::int64_t c = 0; c < values.columns.count; ++c) {
    if (lies_outside(all, c)) continue;
    for (std::size_t v = 0; v < all.size(); ++v) seen[v] = !all[v].missing(c);
    const auto [place, added] = known.try_emplace(seen, groups.size());
    if (added) groups.emplace_back().places = places_in(circuit, joint, all, c);
    SeenGroup& group = groups[place->second];
    group.columns.push_back(c);
    for (std::size_t v = 0; v < all.size(); ++v)
      group.x.push_back(seen[v] ? all[v].number(c, 0) : 0);
  }
  return groups;
}

}  // namespace logpx::pc
