#include "libcore/mol/atom_types.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace logpx {
namespace {

constexpr std::array<ElementFacts, 12> elements{{{"H", 1, 1.008},
                                                 {"B", 3, 10.81},
                                                 {"C", 4, 12.011},
                                                 {"N", 3, 14.007},
                                                 {"O", 2, 15.999},
                                                 {"F", 1, 18.998},
                                                 {"Si", 4, 28.085},
                                                 {"P", 3, 30.974},
                                                 {"S", 2, 32.06},
                                                 {"Cl", 1, 35.45},
                                                 {"Br", 1, 79.904},
                                                 {"I", 1, 126.904}}};

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

// "N 1 0"
std::optional<AtomType> parse_type(const std::string& line) {
  const std::vector<std::string> parts = split_text(line, ' ');
  if (parts.size() != 3 || parts[0].empty() || parts[0].size() > 3) return std::nullopt;
  if (!std::ranges::all_of(parts[0], is_letter)) return std::nullopt;
  const auto charge = parse_integer(parts[1]), hydrogens = parse_integer(parts[2]);
  if (!charge || !hydrogens || std::abs(*charge) > 9 || *hydrogens < no_hydrogens || *hydrogens > 9)
    return std::nullopt;
  return AtomType{parts[0], static_cast<int>(*charge), static_cast<int>(*hydrogens)};
}

}  // namespace

const ElementFacts* find_element(std::string_view symbol) {
  const auto found =
      std::ranges::find_if(elements, [&](const ElementFacts& one) { return one.symbol == symbol; });
  return found == elements.end() ? nullptr : &*found;
}

std::vector<std::string> element_symbols() {
  std::vector<std::string> symbols;
  for (const ElementFacts& one : elements) symbols.emplace_back(one.symbol);
  return symbols;
}

int charge_told_by_bonds(std::string_view element, int used_valence) {
  return (element == "N" && used_valence == 4) || (element == "O" && used_valence == 3) ? 1 : 0;
}

AtomTypes AtomTypes::of_elements(const std::vector<std::string>& symbols) {
  std::vector<AtomType> types;
  for (const std::string& symbol : symbols) types.push_back({.element = symbol});
  return AtomTypes(std::move(types));
}

std::string AtomTypes::text() const {
  std::string text;
  for (const AtomType& type : types_)
    text += (text.empty() ? "" : "\n") + type.element + ' ' + std::to_string(type.charge) + ' ' +
            std::to_string(type.hydrogens);
  return text;
}

AtomTypes AtomTypes::parse(const std::string& text) {
  AtomTypes made;
  for (const std::string& line : split_text(text, '\n')) {
    const std::optional<AtomType> type = parse_type(line);
    if (!type || made.size() == most_atom_types)
      fail(ErrorKind::data, "",
           "line " + std::to_string(made.size() + 1) +
               " is not ELEMENT CHARGE HYDROGENS of one of " + std::to_string(most_atom_types) +
               " types");
    if (std::ranges::find(made.types_, *type) != made.types_.end())
      fail(ErrorKind::data, "", "names '" + line + "' twice");
    made.types_.push_back(*type);
  }
  return made;
}

const AtomType& AtomTypes::operator[](std::int64_t i) const { return types_[at(i)]; }

std::optional<std::uint8_t> AtomTypes::find(const AtomType& type) const {
  const auto found = std::ranges::find(types_, type);
  if (found == types_.end()) return std::nullopt;
  return static_cast<std::uint8_t>(found - types_.begin());
}

bool AtomTypes::tells_charges() const {
  return std::ranges::any_of(types_, [](const AtomType& type) {
    return type.charge != 0 || type.hydrogens != usual_hydrogens;
  });
}

std::string AtomTypes::name(std::int64_t i) const {
  if (i >= size()) return std::to_string(i);
  const AtomType& type = (*this)[i];
  const auto counted = [](const char* sign, int count) {
    return count == 0 ? "" : sign + (count > 1 ? std::to_string(count) : "");
  };
  const bool none = type.hydrogens == no_hydrogens;
  const std::string text = type.element + counted("H", none ? 0 : type.hydrogens) +
                           counted(type.charge > 0 ? "+" : "-", std::abs(type.charge));
  return none ? '[' + text + ']' : text;
}

std::string AtomTypes::names() const {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < size(); ++i) all.push_back(name(i));
  return join_text(all, " ");
}

}  // namespace logpx
