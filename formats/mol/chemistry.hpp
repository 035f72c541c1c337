// What a chemistry library knows of molecules: reading and writing SMILES, what they are made of,
// and numbers that chemists ask for. RDKit is behind it, in a module of its own that is loaded when
// somebody first asks, so that no tool waits for it at its start, and all do without it.
//
//   const CompoundReading read = chemistry().read("OCC");
//   if (read.compound) use(read.compound->smiles());   // "CCO"
//   else complain(word_of(*read.trouble));
#pragma once

#include "libcore/mol/atom_types.hpp"
#include "libcore/mol/molecule.hpp"
#include "libcore/mol/drug_likeness.hpp"
#include "libcore/mol/plane_layout.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

// Why a text or a graph is no molecule.
enum class CompoundTrouble { syntax, valence, kekulize, empty, bond };
[[nodiscard]] std::string word_of(CompoundTrouble trouble);  // "smiles-syntax"

// Heavy atoms, and the orders 0 to 3 of the bonds of all pairs i < j, row by row.
struct CompoundGraph {
  std::vector<AtomType> atoms = {};
  std::vector<std::uint8_t> bonds = {};
};

// Rows of bits that tell what a molecule is made of: Morgan's environments of radius 2, RDKit's
// paths of up to seven bonds, and the 166 MACCS keys.
enum class FingerprintKind { morgan, path, maccs };
[[nodiscard]] constexpr std::int64_t bits_of(FingerprintKind kind) {
  return kind == FingerprintKind::morgan ? 1024 : kind == FingerprintKind::path ? 2048 : 167;
}
[[nodiscard]] const std::vector<std::string>& descriptor_names();  // "weight", "heavy_atoms" ...

// One molecule as the library holds it. One thread at a time may call its functions; several
// molecules can be worked through side by side.
class Compound {
 public:
  virtual ~Compound() = default;

  // Without stereo and isotopes, and the same however the molecule was written.
  [[nodiscard]] virtual std::string smiles() const = 0;
  // With the bonds of aromatic rings single and double, in the order of the atoms in smiles().
  [[nodiscard]] virtual CompoundGraph graph() const = 0;
  [[nodiscard]] virtual std::int64_t heavy_atoms() const = 0;
  // The same graph with atomic numbers for types, and the bonds of aromatic rings all single: as
  // published numbers of NSPDK compare molecules.
  [[nodiscard]] virtual Molecule numbered_graph() const = 0;

  [[nodiscard]] virtual QedInputs qed_inputs() const = 0;
  [[nodiscard]] virtual SyntheticInputs synthetic_inputs() const = 0;
  [[nodiscard]] virtual std::vector<double> descriptors() const = 0;  // as descriptor_names()
  [[nodiscard]] virtual std::vector<std::int64_t> ring_sizes() const = 0;

  [[nodiscard]] virtual Environments environments() const = 0;  // of radius 2
  // Words of 64 bits, the first bit lowest.
  [[nodiscard]] virtual std::vector<std::uint64_t> fingerprint(FingerprintKind kind) const = 0;

  // Parts that no bond joins.
  [[nodiscard]] virtual std::int64_t fragments() const = 0;
  // The part of the most heavy atoms, of two the one whose SMILES comes first.
  [[nodiscard]] virtual std::shared_ptr<const Compound> largest_fragment() const = 0;
  // Murcko's: rings and what joins them, as SMILES; empty below two rings, as MOSES has it.
  [[nodiscard]] virtual std::string scaffold() const = 0;
  // The pieces that cuts by BRICS' rules leave, as SMILES.
  [[nodiscard]] virtual std::vector<std::string> brics() const = 0;
};

struct CompoundReading {
  std::shared_ptr<const Compound> compound = {};  // null where there is trouble
  std::optional<CompoundTrouble> trouble = {};
};

// A molecule as data hold it: what read() says of it, in half the time.
struct PlainCompound {
  std::string smiles = {};
  CompoundGraph graph = {};
  std::optional<CompoundTrouble> trouble = {};  // `bond`: one that is not of order 1, 2 or 3
};

enum class ChargeRule { none, restored };  // N of four bonds is N+, O of three is O+

// An atom in a picture.
struct DrawnAtom {
  PlanePoint place = {};  // in lengths of a bond, y upwards
  int charge = 0, hydrogens = 0;
  bool impossible = false;  // it has more bonds than any such atom
};

class Chemistry {
 public:
  virtual ~Chemistry() = default;
  [[nodiscard]] virtual std::string version() const = 0;  // "RDKit 2022.09.3"
  [[nodiscard]] virtual CompoundReading read(std::string_view smiles) const = 0;
  [[nodiscard]] virtual PlainCompound read_plain(std::string_view smiles) const = 0;
  // Canonical with its stereo and isotopes; empty where it is no molecule.
  [[nodiscard]] virtual std::string isomeric_smiles(std::string_view smiles) const = 0;
  [[nodiscard]] virtual CompoundReading make(const CompoundGraph& graph, ChargeRule rule) const = 0;
  // How any graph is drawn, whether it is a molecule or not, in the order of its atoms.
  [[nodiscard]] virtual std::vector<DrawnAtom> drawn_atoms(const CompoundGraph& graph,
                                                           ChargeRule rule) const = 0;
};

[[nodiscard]] bool has_chemistry();
// A usage error where logpx was built, or is installed, without the module.
[[nodiscard]] const Chemistry& chemistry();

}  // namespace logpx
