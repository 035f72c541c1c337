#include "formats/import/packed_molecules.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::int64_t most_by_itself = 100;  // atoms, where nobody says how many
constexpr std::int64_t most_parsed = 1000;    // atoms; more would take long, for nothing
constexpr std::size_t most_bad_lines = 20;
constexpr const char *unknown_element = "unknown-element", *unknown_atom = "unknown-atom",
                     *too_large = "too-large", *multi_fragment = "multi-fragment";

bool is_visible(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
}

// About as many atoms as a text has: what is in brackets, and letters that begin an element.
std::int64_t atoms_in(std::string_view smiles) {
  std::int64_t atoms = 0;
  bool bracket = false;
  for (const char c : smiles) {
    if (c == '[') ++atoms;
    bracket = c == '[' || (bracket && c != ']');
    const bool begins =
        (c >= 'A' && c <= 'Z') || std::string_view("bcnops").find(c) != std::string_view::npos;
    if (begins && !bracket) ++atoms;
  }
  return atoms;
}

// The part of the most atoms, of two the one whose text comes first.
std::string largest_part(const std::string& smiles) {
  const std::vector<std::string> parts = split_text(smiles, '.');
  return *std::ranges::min_element(parts, [](const std::string& a, const std::string& b) {
    const std::int64_t more = atoms_in(a) - atoms_in(b);
    return more != 0 ? more > 0 : a < b;
  });
}

// Whether the graph without charges and hydrogens tells the molecule.
bool told_by_elements(const CompoundGraph& graph) {
  const std::vector<int> used = used_valences(graph.bonds, std::ssize(graph.atoms));
  for (std::size_t i = 0; i < graph.atoms.size(); ++i) {
    const AtomType& type = graph.atoms[i];
    if (type.hydrogens != usual_hydrogens ||
        type.charge != charge_told_by_bonds(type.element, used[i]))
      return false;
  }
  return true;
}

}  // namespace

PackedMolecules::PackedMolecules(MoleculeRules rules, AtomVocabulary& vocabulary)
    : rules_(rules), vocabulary_(&vocabulary) {}

std::int64_t PackedMolecules::limit() const { return rules_.most_atoms.value_or(most_by_itself); }

PackedMolecules::Candidate PackedMolecules::read(const std::string& text) const {
  if (!is_visible(text)) return {.trouble = word_of(CompoundTrouble::syntax)};
  if (atoms_in(text) > most_parsed) return {.trouble = too_large};
  Candidate candidate{.compound = chemistry().read_plain(text)};
  const bool parts = candidate.compound.smiles.find('.') != std::string::npos;
  if (parts && rules_.fragments == Fragments::largest)
    candidate.compound = chemistry().read_plain(largest_part(candidate.compound.smiles));
  if (candidate.compound.trouble) candidate.trouble = word_of(*candidate.compound.trouble);
  return candidate;
}

std::string PackedMolecules::trouble_of(const Candidate& read) const {
  if (!read.trouble.empty()) return read.trouble;
  const std::vector<AtomType>& atoms = read.compound.graph.atoms;
  for (const AtomType& type : atoms)
    if (!vocabulary_->takes(type))
      return vocabulary_->knows_element(type.element) ? unknown_atom : unknown_element;
  if (std::ssize(atoms) > limit()) return too_large;
  const bool parts = read.compound.smiles.find('.') != std::string::npos;
  return parts && rules_.fragments == Fragments::reject ? multi_fragment : "";
}

void PackedMolecules::take(const Candidate& read, std::int64_t source, Repeats repeats) {
  const CompoundGraph& graph = read.compound.graph;
  const bool known = known_.contains(read.compound.smiles);
  if (known) ++repeated_;
  if (known && repeats == Repeats::drop) return;
  Packed& packed = all_.emplace_back();
  packed.smiles = read.compound.smiles;
  packed.source = source;
  if (!known) known_.insert(packed.smiles);
  for (const AtomType& type : graph.atoms) packed.atoms.push_back(vocabulary_->add(type));
  const std::int64_t n = std::ssize(graph.atoms);
  for (std::int64_t i = 0, pair = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j, ++pair)
      if (const std::uint8_t order = graph.bonds[at(pair)]; order > 0)
        packed.bonds.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j), order});
  most_ = std::max(most_, n);
  if (vocabulary_->tells_charges() || told_by_elements(graph)) ++come_back_;
}

std::int64_t PackedMolecules::source(std::int64_t i) const { return all_[at(i)].source; }

const std::string& PackedMolecules::smiles(std::int64_t i) const { return all_[at(i)].smiles; }

Molecule PackedMolecules::molecule(std::int64_t i, std::span<const std::uint8_t> numbers) const {
  const Packed& packed = all_[at(i)];
  Molecule molecule;
  for (const std::uint8_t ticket : packed.atoms) molecule.atoms.push_back(numbers[ticket]);
  molecule.bonds.resize(at(pairs_of(molecule.size())));
  for (const auto& [first, second, order] : packed.bonds) molecule.set_bond(first, second, order);
  return molecule;
}

Molecule grown(const Molecule& molecule, std::int64_t further) {
  Molecule made = molecule;
  made.atoms.resize(molecule.atoms.size() + at(further), unknown_part);
  made.bonds.assign(at(pairs_of(made.size())), unknown_part);
  for (std::int64_t i = 0; i < molecule.size(); ++i)
    for (std::int64_t j = i + 1; j < molecule.size(); ++j) made.set_bond(i, j, molecule.bond(i, j));
  return made;
}

void BadLines::add(const std::string& trouble, const std::string& place, const std::string& text) {
  ++counts_[trouble];
  if (first_.size() < most_bad_lines) first_.push_back({place, text, trouble});
}

std::int64_t BadLines::count() const {
  std::int64_t count = 0;
  for (const auto& [trouble, times] : counts_) count += times;
  return count;
}

std::string BadLines::words() const {
  std::vector<std::string> words;
  for (const auto& [trouble, times] : counts_)
    words.push_back(std::to_string(times) + ' ' + trouble);
  return join_text(words, ", ");
}

std::string BadLines::most_frequent() const {
  const auto found =
      std::ranges::max_element(counts_, {}, [](const auto& one) { return one.second; });
  return found == counts_.end() ? "" : found->first;
}

Json BadLines::counts_json() const {
  Json json = Json::object();
  for (const auto& [trouble, times] : counts_) json.set(trouble, times);
  return json;
}

Json BadLines::first_json() const {
  Json json = Json::array();
  for (const Line& line : first_)
    json.push(
        Json::object().set("line", line.place).set("text", line.text).set("class", line.trouble));
  return json;
}

}  // namespace logpx
