// Molecules from SMILES and from graphs against tests/golden/loarm.json.
#include "formats/import/packed_molecules.hpp"
#include "formats/mol/chemistry.hpp"
#include "formats/mol/molecule_lines.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace logpx::loarm_molecules_test {
namespace {

const Json* molecules(const char* part) {
  const Json* all = golden::field("loarm", "molecules");
  return all == nullptr || !has_chemistry() ? nullptr : all->find(part);
}

// What `pack-data smiles --fragments keep` makes of one line.
struct Packed {
  explicit Packed(const Json& item)
      : vocabulary(item.at("vocab").string(), std::nullopt),
        molecules({.most_atoms = vocabulary.most_atoms(), .fragments = Fragments::keep},
                  vocabulary) {
    const PackedMolecules::Candidate read = molecules.read(item.at("smiles").string());
    trouble = molecules.trouble_of(read);
    if (!trouble.empty()) return;
    molecules.take(read, 0, Repeats::keep);
    types = vocabulary.types();
    molecule = molecules.molecule(0, vocabulary.numbers(types));
  }
  AtomVocabulary vocabulary;
  PackedMolecules molecules;
  std::string trouble;
  AtomTypes types;
  Molecule molecule;
};

Molecule graph_of(const Json& item) {
  Molecule molecule;
  for (const Json& atom : item.at("atoms").items())
    molecule.atoms.push_back(static_cast<std::uint8_t>(atom.integer()));
  molecule.bonds.resize(static_cast<std::size_t>(pairs_of(molecule.size())));
  for (const Json& bond : item.at("bonds").items())
    molecule.set_bond(bond.at(0).integer(), bond.at(1).integer(),
                      static_cast<std::uint8_t>(bond.at(2).integer()));
  return molecule;
}

void check_decoded(const Json& expected, const CompoundReading& made) {
  REQUIRE((made.compound != nullptr) == expected.at("valid").boolean());
  if (made.compound) CHECK(made.compound->smiles() == expected.at("canonical").string());
  else CHECK(word_of(*made.trouble) == "valence");
}

}  // namespace

TEST_CASE("golden/loarm/molecules: SMILES are the graphs that they should be, or of their class") {
  const Json* items = molecules("smiles");
  if (items == nullptr) return;
  for (const Json& item : items->items()) {
    INFO(item.at("smiles").string());
    const Packed packed(item);
    if (const Json* trouble = item.find("error")) {
      CHECK(packed.trouble == trouble->string());
      continue;
    }
    REQUIRE(packed.trouble.empty());
    CHECK(packed.molecules.smiles(0) == item.at("canonical_no_stereo").string());
    CHECK(packed.molecule == graph_of(item));
    CHECK((packed.molecules.come_back() == 1) == item.at("roundtrip_equal").boolean());
    check_decoded(
        item.at("decoded"),
        chemistry().make(compound_graph(packed.molecule, packed.types), ChargeRule::restored));
  }
}

TEST_CASE(
    "golden/loarm/molecules: graphs are molecules or not, with and without charges of bonds") {
  const Json* items = molecules("graphs");
  if (items == nullptr) return;
  for (const Json& item : items->items()) {
    INFO(item.at("name").string());
    const AtomVocabulary vocabulary(item.at("vocab").string(), std::nullopt);
    const CompoundGraph graph = compound_graph(graph_of(item), vocabulary.types());
    check_decoded(item.at("decoded_with_charge_rule"),
                  chemistry().make(graph, ChargeRule::restored));
    check_decoded(item.at("decoded_strict"), chemistry().make(graph, ChargeRule::none));
  }
}

}  // namespace logpx::loarm_molecules_test
