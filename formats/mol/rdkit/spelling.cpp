// How others write a molecule: with what we leave out.
#include "formats/mol/rdkit/compound.hpp"

#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <new>

namespace logpx {

std::string isomeric_smiles(std::string_view smiles) {
  try {
    const std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol(std::string(smiles)));
    return molecule ? RDKit::MolToSmiles(*molecule) : "";
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return "";
  }
}

}  // namespace logpx
