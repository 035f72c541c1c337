// A set of molecules with what is known of each one: the numbers that sets are compared by are made
// of these.
//
//   const MoleculeSet set = read_molecules(source, parts, {&table, &app.workers()});
#pragma once

#include "formats/mol/chemistry.hpp"
#include "libcore/mol/drug_likeness.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class MoleculeSource;
class Progress;
class Workers;

// What is asked of each molecule besides what it is: some takes long.
struct FactParts {
  bool properties = true;   // QED, SA and descriptors
  bool bits = true;         // Morgan's fingerprint and counts
  bool other_bits = false;  // paths and MACCS keys
  bool pieces = true;       // scaffold, BRICS
  bool graphs = true;       // what NSPDK compares
  bool spelling = false;    // with stereo, for ChemNet
};
struct FactPart {
  const char* word;  // of --measures
  bool FactParts::*member;
};
inline constexpr std::array fact_parts = {
    FactPart{"properties", &FactParts::properties}, FactPart{"similarity", &FactParts::bits},
    FactPart{"pairs", &FactParts::other_bits}, FactPart{"pieces", &FactParts::pieces},
    FactPart{"graphs", &FactParts::graphs}};

// The properties that are reported by name.
inline constexpr std::array property_names = {"QED", "SA", "logP", "TPSA", "MW"};

// What is counted is the largest fragment.
struct MoleculeFacts {
  std::string smiles = {};
  CompoundGraph graph = {};
  Molecule numbered = {};                // for NSPDK
  std::vector<double> descriptors = {};  // as descriptor_names()
  double qed = 0;
  SyntheticScore synthetic = {};  // where there is a table
  Environments environments = {};
  std::vector<std::uint64_t> morgan = {}, path = {}, maccs = {};
  std::string scaffold = {};
  std::vector<std::string> pieces = {};
  std::vector<std::int64_t> ring_sizes = {};
};
// By the name above; SA is 0 without a table.
[[nodiscard]] double property_of(const MoleculeFacts& facts, std::size_t property);

struct RefusedMolecule {
  std::int64_t place = 0;
  std::string text, trouble;
};

struct ValidMolecule {
  std::int64_t place = 0;
  std::string smiles = {};   // of all its fragments
  std::string spelled = {};  // canonical with stereo, where that is asked for
  std::int64_t fragments = 1;
  bool strict = false;
  MoleculeFacts facts = {};
};

struct MoleculeSet {
  std::string name = {};
  std::int64_t n = 0;  // lines or rows, whether molecules or not
  std::vector<ValidMolecule> valid = {};
  std::vector<RefusedMolecule> refused = {};
};

// Canonical SMILES of the valid ones, with stereo where that was asked for.
[[nodiscard]] std::vector<std::string> spellings_of(const MoleculeSet& set);

struct FactMaking {
  const FragmentScores* table = nullptr;  // of SA; null without
  Workers* workers = nullptr;
  Progress* progress = nullptr;
};
// The same set whatever the number of threads.
[[nodiscard]] MoleculeSet read_molecules(const MoleculeSource& source, const FactParts& parts,
                                         const FactMaking& making);

// Canonical SMILES of all that are molecules, sorted, each once.
[[nodiscard]] std::vector<std::string> read_canonical(const MoleculeSource& source,
                                                      const FactMaking& making);

}  // namespace logpx
