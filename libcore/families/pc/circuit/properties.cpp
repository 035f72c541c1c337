#include "libcore/families/pc/circuit/properties.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace logpx::pc {
namespace {

// Values that variables may have; variables that are absent may have any.
using Support = std::map<int, std::set<std::int64_t>>;

bool are_disjoint(const Support& a, const Support& b) {
  return std::ranges::any_of(a, [&](const auto& of_a) {
    const auto of_b = b.find(of_a.first);
    return of_b != b.end() && std::ranges::none_of(of_a.second, [&](std::int64_t value) {
             return of_b->second.contains(value);
           });
  });
}

// The support of a product or a sum of parts with these supports.
Support joined_support(const std::vector<Support>& parts, BlockKind kind) {
  if (parts.empty()) return {};
  Support all = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (kind == BlockKind::product) {
      all.insert(parts[i].begin(), parts[i].end());
      continue;
    }
    for (auto variable = all.begin(); variable != all.end();) {
      const auto other = parts[i].find(variable->first);
      if (other == parts[i].end()) {
        variable = all.erase(variable);
        continue;
      }
      variable->second.insert(other->second.begin(), other->second.end());
      ++variable;
    }
  }
  return all;
}

}  // namespace

bool splits_alike(const Circuit& circuit, const std::vector<Scope>& scopes) {
  std::map<Scope, std::set<Scope>> splits;
  for (std::size_t b = 0; b < circuit.blocks.size(); ++b) {
    const Block& block = circuit.blocks[b];
    if (block.kind != BlockKind::product) continue;
    std::set<Scope> parts;
    for (const int child : block.children) parts.insert(scopes[at(child)]);
    const auto [known, added] = splits.try_emplace(scopes[b], parts);
    if (!added && known->second != parts) return false;
  }
  return true;
}

bool splits_into_single(const Circuit& circuit, const std::vector<Scope>& scopes) {
  if (circuit.chained()) return false;
  return std::ranges::all_of(circuit.blocks, [&](const Block& block) {
    return block.kind != BlockKind::product || std::ranges::all_of(block.children, [&](int child) {
             return scopes[at(child)].size() == 1 ||
                    circuit.blocks[at(child)].kind == BlockKind::product;
           });
  });
}

bool chooses_one_input(const Circuit& circuit) {
  if (circuit.styles > 1) return false;
  std::vector<Support> supports(circuit.blocks.size());
  for (const int b : children_first(circuit, circuit.root)) {
    const Block& block = circuit.blocks[at(b)];
    std::vector<Support> parts;
    for (const int child : block.children) parts.push_back(supports[at(child)]);
    supports[at(b)] = joined_support(parts, block.kind);
    if (block.kind == BlockKind::indicator) supports[at(b)][block.variable] = {block.value};
    if (block.kind != BlockKind::sum && block.kind != BlockKind::mixing) continue;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (block.kind == BlockKind::sum && circuit.blocks[at(block.children[i])].size > 1)
        return false;
      for (std::size_t j = 0; j < i; ++j)
        if (!are_disjoint(parts[i], parts[j])) return false;
    }
  }
  return true;
}

}  // namespace logpx::pc
