// What a molecule must have before a pattern can match it, told by the pattern's text: most
// patterns are ruled out without being tried.
#pragma once

#include <GraphMol/ROMol.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace logpx {

// A bit for each kind of atom, apart for aromatic ones, and for triple bonds.
using MoleculeParts = std::uint32_t;
[[nodiscard]] MoleculeParts parts_of(const RDKit::ROMol& molecule);

class SmartsNeeds {
 public:
  explicit SmartsNeeds(std::string_view smarts);
  [[nodiscard]] bool met_by(MoleculeParts parts) const;

 private:
  std::vector<MoleculeParts> any_of_;  // one bit of each must be there
};

}  // namespace logpx
