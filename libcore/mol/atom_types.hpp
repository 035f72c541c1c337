// What the types of atoms stand for: an element and, in vocabularies that tell them apart, a charge
// and a number of explicit hydrogens.   [data/README 5.1]
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

struct ElementFacts {
  const char* symbol;
  int valence;    // the normal one: bonds of a neutral atom, including those to hydrogens
  double weight;  // atomic mass
};
// Null unless the element is a common one of organic molecules.
[[nodiscard]] const ElementFacts* find_element(std::string_view symbol);
[[nodiscard]] std::vector<std::string> element_symbols();

// As many hydrogens as the bonds and the charge leave room for; and none although there is room, as
// a radical has it. Any other number is how many there are.
inline constexpr int usual_hydrogens = 0, no_hydrogens = -1;

struct AtomType {
  std::string element;
  int charge = 0, hydrogens = usual_hydrogens;
  friend bool operator==(const AtomType&, const AtomType&) = default;
};

// The charge that bonds tell where types do not: N of four is N+, O of three is O+.
[[nodiscard]] int charge_told_by_bonds(std::string_view element, int used_valence);

class AtomTypes {
 public:
  AtomTypes() = default;
  explicit AtomTypes(std::vector<AtomType> types) : types_(std::move(types)) {}
  // Neutral atoms of these elements.
  [[nodiscard]] static AtomTypes of_elements(const std::vector<std::string>& symbols);

  // One type a line: element, charge, hydrogens ("N 1 0"). parse() throws a data error without a
  // subject where the text has another form, since anyone may have written it.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] static AtomTypes parse(const std::string& text);

  [[nodiscard]] std::int64_t size() const { return std::ssize(types_); }
  [[nodiscard]] const AtomType& operator[](std::int64_t i) const;
  // The number of a type that is one of these.
  [[nodiscard]] std::optional<std::uint8_t> find(const AtomType& type) const;
  // Whether a type says more than its element.
  [[nodiscard]] bool tells_charges() const;
  // "C", "N+", "NH3+", "[C]" without hydrogens; the number itself where there is no such type.
  [[nodiscard]] std::string name(std::int64_t i) const;
  [[nodiscard]] std::string names() const;  // "C N O F"
  friend bool operator==(const AtomTypes&, const AtomTypes&) = default;

 private:
  std::vector<AtomType> types_;
};

// The most types: a byte has two more codes, for no atom and for an unknown one.
inline constexpr std::int64_t most_atom_types = 254;

}  // namespace logpx
