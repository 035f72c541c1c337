// The door of the module: chemistry() looks for this one function.
#include "formats/mol/rdkit/compound.hpp"

#include <RDGeneral/RDLog.h>
#include <RDGeneral/versions.h>

#include <mutex>
#include <new>

namespace logpx {
namespace {

// RDKit makes its tables once, by pthread_once. Where an exception leaves that, as for want of
// memory, libc first loads what unwinds it, and aborts if there is no memory for that either: so
// one leaves it now.
void find_unwinder() {
  std::once_flag once;
  try {
    std::call_once(once, [] { throw std::bad_alloc(); });
  } catch (const std::bad_alloc&) {
    return;
  }
}

class Rdkit final : public Chemistry {
 public:
  Rdkit() {
    boost::logging::disable_logs("rdApp.*");  // what is wrong is said by us
    find_unwinder();
  }

  [[nodiscard]] std::string version() const override {
    return std::string("RDKit ") + RDKit::rdkitVersion;
  }
  [[nodiscard]] CompoundReading read(std::string_view smiles) const override {
    return read_smiles(smiles);
  }
  [[nodiscard]] PlainCompound read_plain(std::string_view smiles) const override {
    return read_plain_smiles(smiles);
  }
  [[nodiscard]] std::string isomeric_smiles(std::string_view smiles) const override {
    return logpx::isomeric_smiles(smiles);
  }
  [[nodiscard]] CompoundReading make(const CompoundGraph& graph, ChargeRule rule) const override {
    return make_compound(graph, rule);
  }
  [[nodiscard]] std::vector<DrawnAtom> drawn_atoms(const CompoundGraph& graph,
                                                   ChargeRule rule) const override {
    return logpx::drawn_atoms(graph, rule);
  }
};

}  // namespace
}  // namespace logpx

extern "C" const logpx::Chemistry* logpx_chemistry() {
  static const logpx::Rdkit rdkit;
  return &rdkit;
}
