// Molecules that are to be rows, kept small until it is known how wide rows are, and the lines that
// are none.
#pragma once

#include "formats/import/atom_vocabulary.hpp"
#include "formats/import/options.hpp"
#include "formats/json/value.hpp"
#include "formats/mol/chemistry.hpp"
#include "libcore/mol/molecule.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace logpx {

enum class Repeats { keep, drop };

struct MoleculeRules {
  std::optional<std::int64_t> most_atoms = {};  // none: as many as there are, within reason
  Fragments fragments = Fragments::reject;
  std::int64_t grown_by = 0;
};

class PackedMolecules {
 public:
  PackedMolecules(MoleculeRules rules, AtomVocabulary& vocabulary);

  struct Candidate {
    PlainCompound compound = {};
    std::string trouble = {};  // its class
  };
  // For several threads at once.
  [[nodiscard]] Candidate read(const std::string& text) const;
  // The class of what is wrong with it: "too-large"; nothing for a molecule that may be taken.
  [[nodiscard]] std::string trouble_of(const Candidate& read) const;
  // `source`: its number among the lines.
  void take(const Candidate& read, std::int64_t source, Repeats repeats);

  [[nodiscard]] std::int64_t size() const { return std::ssize(all_); }
  [[nodiscard]] std::int64_t most_atoms() const { return most_ + rules_.grown_by; }
  [[nodiscard]] std::int64_t repeated() const { return repeated_; }
  [[nodiscard]] std::int64_t come_back() const { return come_back_; }
  [[nodiscard]] std::int64_t source(std::int64_t i) const;
  [[nodiscard]] const std::string& smiles(std::int64_t i) const;
  // `numbers`: of the vocabulary's tickets.
  [[nodiscard]] Molecule molecule(std::int64_t i, std::span<const std::uint8_t> numbers) const;

 private:
  struct Packed {
    std::string smiles;
    std::vector<std::uint8_t> atoms;                 // tickets
    std::vector<std::array<std::uint8_t, 3>> bonds;  // i < j, order
    std::int64_t source = 0;
  };
  [[nodiscard]] std::int64_t limit() const;

  MoleculeRules rules_;
  AtomVocabulary* vocabulary_;
  std::deque<Packed> all_;
  std::unordered_set<std::string_view> known_;  // of their texts
  std::int64_t most_ = 0, repeated_ = 0, come_back_ = 0;
};

// The molecule and further atoms, of which nothing is known.
[[nodiscard]] Molecule grown(const Molecule& molecule, std::int64_t further);

// Lines that are no molecules: how many of each class, and the first of them.
class BadLines {
 public:
  void add(const std::string& trouble, const std::string& place, const std::string& text);
  [[nodiscard]] std::int64_t count() const;
  [[nodiscard]] std::string words() const;  // "3 valence, 1 empty"
  [[nodiscard]] std::string most_frequent() const;
  [[nodiscard]] std::string first_place() const { return first_.front().place; }
  [[nodiscard]] Json counts_json() const;
  [[nodiscard]] Json first_json() const;

 private:
  struct Line {
    std::string place, text, trouble;
  };
  std::map<std::string, std::int64_t> counts_;
  std::vector<Line> first_;
};

}  // namespace logpx
