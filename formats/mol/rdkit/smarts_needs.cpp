#include "formats/mol/rdkit/smarts_needs.hpp"

#include <algorithm>
#include <array>

namespace logpx {
namespace {

// As SMARTS writes them without brackets; two letters before one.
constexpr std::array<std::string_view, 14> part_kinds = {"Cl", "Br", "C", "N", "O", "S", "P",
                                                         "F",  "I",  "c", "n", "o", "s", "#"};
constexpr MoleculeParts bit_of_kind(std::size_t kind) { return MoleculeParts{1} << kind; }

// The kind that the text begins with, or none.
std::size_t kind_at(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::find_if(part_kinds,
                           [&](std::string_view kind) { return text.starts_with(kind); }) -
      part_kinds.begin());
}

// One past the bracket that closes the first one; recursive patterns hold brackets.
std::size_t end_of_bracket(std::string_view text) {
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++open;
    if (text[i] == ']' && --open == 0) return i + 1;
  }
  return text.size();
}

// The kinds of "[F,Cl,Br]"; 0 where a bracket says anything else.
MoleculeParts kinds_of_bracket(std::string_view inside) {
  MoleculeParts bits = 0;
  while (!inside.empty()) {
    const std::size_t end = std::min(inside.find(','), inside.size());
    const std::string_view item = inside.substr(0, end);
    const std::size_t kind = kind_at(item);
    if (kind == part_kinds.size() || item != part_kinds[kind] || item == "#") return 0;
    bits |= bit_of_kind(kind);
    inside.remove_prefix(std::min(end + 1, inside.size()));
  }
  return bits;
}

}  // namespace

MoleculeParts parts_of(const RDKit::ROMol& molecule) {
  MoleculeParts parts = 0;
  for (const auto* atom : molecule.atoms()) {
    std::string symbol = atom->getSymbol();
    if (atom->getIsAromatic() && symbol.size() == 1) symbol[0] = static_cast<char>(symbol[0] + 32);
    const auto kind = std::ranges::find(part_kinds, symbol);
    if (kind != part_kinds.end())
      parts |= bit_of_kind(static_cast<std::size_t>(kind - part_kinds.begin()));
  }
  for (const auto* bond : molecule.bonds())
    if (bond->getBondType() == RDKit::Bond::TRIPLE) parts |= bit_of_kind(part_kinds.size() - 1);
  return parts;
}

SmartsNeeds::SmartsNeeds(std::string_view smarts) {
  while (!smarts.empty()) {
    std::size_t taken = 1;
    MoleculeParts bits = 0;
    if (smarts.front() == '[') {
      taken = end_of_bracket(smarts);
      bits = kinds_of_bracket(smarts.substr(1, taken - 2));
    } else if (const std::size_t kind = kind_at(smarts); kind < part_kinds.size()) {
      taken = part_kinds[kind].size();
      bits = bit_of_kind(kind);
    }
    if (bits != 0 && std::ranges::count(any_of_, bits) == 0) any_of_.push_back(bits);
    smarts.remove_prefix(taken);
  }
}

bool SmartsNeeds::met_by(MoleculeParts parts) const {
  return std::ranges::all_of(any_of_, [parts](MoleculeParts bits) { return (bits & parts) != 0; });
}

}  // namespace logpx
