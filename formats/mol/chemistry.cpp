#include "formats/mol/chemistry.hpp"

#include "libcore/base/error.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

namespace logpx {
namespace {

constexpr const char* module_name = "liblogpx-chemistry.so";

// In the folder that the build names, or beside the library of the tools, where their run path
// leads. A sanitizer that comes between looks along its own one: then the program's folder says
// where that is.
void* open_module() {
  const std::filesystem::path folder = LOGPX_MODULE_DIR;
  if (!folder.empty()) return dlopen((folder / module_name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (void* const found = dlopen(module_name, RTLD_NOW | RTLD_LOCAL)) return found;
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const auto path = program.parent_path().parent_path() / "lib" / module_name;
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

const Chemistry* load_chemistry() {
  void* const module = open_module();
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
