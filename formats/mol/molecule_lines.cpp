#include "formats/mol/molecule_lines.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "libcore/mol/molecule.hpp"

#include <algorithm>

namespace logpx {
namespace {

std::string line_of(const Molecule& molecule, const AtomTypes& types) {
  std::string refused = unknown_parts;
  if (is_whole(molecule)) {
    const CompoundReading made =
        chemistry().make(compound_graph(molecule, types), charge_rule(types));
    if (made.compound) return made.compound->smiles();
    refused = word_of(*made.trouble);
  }
  return "# " + refused + ": " + molecule_text(molecule, types);
}

}  // namespace

bool is_whole(const Molecule& molecule) {
  const auto unknown = [](std::uint8_t part) { return part == unknown_part; };
  return std::ranges::none_of(molecule.atoms, unknown) &&
         std::ranges::none_of(molecule.bonds, unknown);
}

CompoundGraph compound_graph(const Molecule& molecule, const AtomTypes& types) {
  CompoundGraph graph{.bonds = molecule.bonds};
  for (const std::uint8_t atom : molecule.atoms) graph.atoms.push_back(types[atom]);
  return graph;
}

ChargeRule charge_rule(const AtomTypes& types) {
  return types.tells_charges() ? ChargeRule::none : ChargeRule::restored;
}

std::string smiles_lines(const DatasetInfo& info, const Rows& rows, Workers* workers) {
  constexpr std::int64_t rows_a_block = 64;
  const AtomTypes types = atom_types_of(info);
  (void)chemistry();
  const std::int64_t blocks = (rows.count + rows_a_block - 1) / rows_a_block;
  std::vector<std::string> texts(at(blocks));
  const auto write = [&](std::int64_t block) {
    const std::int64_t end = std::min(rows.count, (block + 1) * rows_a_block);
    for (std::int64_t row = block * rows_a_block; row < end; ++row)
      texts[at(block)] += line_of(molecule_of_row(info, rows, row), types) + '\n';
  };
  run_blocks(workers, blocks, write);
  return join_text(texts, "");
}

std::string refused_class(std::string_view line) {
  if (!line.starts_with("# ")) return "";
  const std::string_view word = line.substr(2, line.find(':') - 2);
  for (const auto trouble : {CompoundTrouble::syntax, CompoundTrouble::valence,
                             CompoundTrouble::kekulize, CompoundTrouble::empty})
    if (word == word_of(trouble)) return std::string(word);
  return word == unknown_parts ? std::string(word) : "";
}

}  // namespace logpx
