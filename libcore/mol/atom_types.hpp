// What the types of atoms stand for: an element, and where a vocabulary tells them apart, a charge
// and hydrogens that are written out.   [spec/loarm.md section 10.1]
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

struct ElementFacts {
  const char* symbol;
  int valence;    // the normal one: bonds of a neutral atom, hydrogens among them
  double weight;  // atomic mass
};
// Nothing for an element that is not among the common ones of organic molecules.
[[nodiscard]] const ElementFacts* find_element(std::string_view symbol);
[[nodiscard]] std::vector<std::string> element_symbols();

struct AtomType {
  std::string element;
  int charge = 0, hydrogens = 0;
  friend bool operator==(const AtomType&, const AtomType&) = default;
};

class AtomTypes {
 public:
  AtomTypes() = default;
  explicit AtomTypes(std::vector<AtomType> types) : types_(std::move(types)) {}
  // Neutral atoms of these elements.
  [[nodiscard]] static AtomTypes of_elements(const std::vector<std::string>& symbols);

  // One type a line: element, charge, hydrogens ("N 1 0"). parse() takes text of anyone: a data
  // error without a subject, where it is not of that form.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] static AtomTypes parse(const std::string& text);

  [[nodiscard]] std::int64_t size() const { return std::ssize(types_); }
  [[nodiscard]] const AtomType& operator[](std::int64_t i) const;
  // "C", "N+", "OH-"; the number of a type that is not there.
  [[nodiscard]] std::string name(std::int64_t i) const;
  [[nodiscard]] std::string names() const;  // "C N O F"
  friend bool operator==(const AtomTypes&, const AtomTypes&) = default;

 private:
  std::vector<AtomType> types_;
};

// The most types that there can be beside the codes for no atom and an unknown one.
inline constexpr std::int64_t most_atom_types = 254;

}  // namespace logpx
