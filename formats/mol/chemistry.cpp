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

const Chemistry& chemistry() {
  static const Chemistry* const loaded = load_chemistry();
  if (loaded == nullptr)
    fail(ErrorKind::usage, "", "this logpx was built without RDKit, which reads and writes SMILES",
         "build with librdkit-dev and libboost-dev (make deps)");
  return *loaded;
}

}  // namespace logpx
