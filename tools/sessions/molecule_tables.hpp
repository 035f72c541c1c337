// Tables of molecules' measures for a terminal: of one set what each number says, of several a
// column for each.
#pragma once

#include "formats/json/value.hpp"
#include "tools/sessions/molecule_measures.hpp"

#include <span>
#include <string>

namespace logpx {

// For App::shown(). Without sets there are no tables.
[[nodiscard]] Json people_tables(std::span<const MoleculeMeasures> sets,
                                 const MoleculeReference* reference);
// "1000 molecules, 98.2 % valid, 99.1 % of these unique, QED 0.731"
[[nodiscard]] std::string summary_of(const MoleculeMeasures& measures);

}  // namespace logpx
