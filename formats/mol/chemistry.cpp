#include "formats/mol/chemistry.hpp"

#include "libcore/base/error.hpp"

#include <dlfcn.h>

namespace logpx {
namespace {

const Chemistry* load_chemistry() {
  // It lies beside the library of the tools, where the tools' own run path finds it.
  void* const module = dlopen("liblogpx-chemistry.so", RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return nullptr;
  using Maker = const Chemistry* (*)();
  const auto make = reinterpret_cast<Maker>(dlsym(module, "logpx_chemistry"));
  return make == nullptr ? nullptr : make();
}

const Chemistry* loaded_chemistry() {
  static const Chemistry* const loaded = load_chemistry();
  return loaded;
}

}  // namespace

std::string word_of(CompoundTrouble trouble) {
  switch (trouble) {
    case CompoundTrouble::syntax: return "smiles-syntax";
    case CompoundTrouble::valence: return "valence";
    case CompoundTrouble::kekulize: return "kekulize";
    case CompoundTrouble::empty: return "empty";
    case CompoundTrouble::bond: return "unknown-bond";
  }
  return "";
}

const std::vector<std::string>& descriptor_names() {
  static const std::vector<std::string> names = {
      "weight",          "heavy_atoms",     "logp",         "refractivity", "polar_area",
      "acceptors",       "donors",          "rotatable",    "rings",        "aromatic_rings",
      "aliphatic_rings", "saturated_rings", "heterocycles", "spiro_atoms",  "bridgeheads",
      "fraction_sp3",    "amides",          "centres",      "carbon",       "nitrogen",
      "oxygen",          "fluorine",        "phosphorus",   "sulfur",       "chlorine",
      "bromine",         "iodine",          "single_bonds", "double_bonds", "triple_bonds",
      "aromatic_bonds",  "surface_area"};
  return names;
}

bool has_chemistry() { return loaded_chemistry() != nullptr; }

const Chemistry& chemistry() {
  const Chemistry* const loaded = loaded_chemistry();
  if (loaded == nullptr)
    fail(ErrorKind::usage, "", "this logpx was built without RDKit, which reads and writes SMILES",
         "build with librdkit-dev and libboost-dev (make deps)");
  return *loaded;
}

}  // namespace logpx
