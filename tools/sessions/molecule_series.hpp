// How the properties of sets of molecules are spread, as histograms for plot-report.
#pragma once

#include "tools/sessions/molecule_columns.hpp"
#include "tools/sessions/molecule_reference.hpp"

#include <span>

namespace logpx {

class App;

// One series for each property and set, and one for the test set: the share of molecules in each of
// thirty bins, which all sets share.
void add_property_series(App& app, std::span<const MoleculeSet> sets,
                         const MoleculeReference* reference, bool has_sa);

}  // namespace logpx
