// Which types of atoms the molecules of a dataset have: known beforehand, or found in them.
//
//   AtomVocabulary vocabulary("qm9", {});
//   if (vocabulary.takes(type)) atoms.push_back(vocabulary.add(type));
//   const AtomTypes types = vocabulary.types();   // once all have been added
//   const auto numbers = vocabulary.numbers(types);
//   row[0] = numbers[atoms[0]];
#pragma once

#include "libcore/mol/atom_types.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

struct DatasetInfo;

class AtomVocabulary {
 public:
  // `asked` is what --vocab says. Unless `charges` says otherwise, atoms that are found are told
  // apart by them, and those of a list are not. Types of a dataset or a model stay as they are.
  AtomVocabulary(const std::string& asked, std::optional<bool> charges);

  [[nodiscard]] std::optional<std::int64_t> most_atoms() const { return most_atoms_; }
  [[nodiscard]] bool tells_charges() const { return charges_; }
  // Whether --vocab-charges would tell more.
  [[nodiscard]] bool may_tell_charges() const { return !charges_ && !fixed_; }
  [[nodiscard]] bool knows_element(const std::string& element) const;
  [[nodiscard]] bool takes(const AtomType& type) const;
  // Takes an atom of a molecule that is kept, and gives a ticket.
  std::uint8_t add(const AtomType& type);

  // The types of all that were added. A data error where there are too many.
  [[nodiscard]] AtomTypes types() const;
  // For each ticket the number of the type in types().
  [[nodiscard]] std::vector<std::uint8_t> numbers(const AtomTypes& types) const;

 private:
  [[nodiscard]] AtomType kind_of(const AtomType& type) const;
  void read_file(const std::string& path);
  void take_data(const DatasetInfo& data, const std::string& path);

  std::vector<std::string> elements_;  // empty: any
  std::optional<AtomTypes> fixed_;     // nothing else
  std::optional<std::int64_t> most_atoms_;
  bool charges_ = false;
  std::vector<AtomType> found_;
};

}  // namespace logpx
