// Rows of molecules as lines of SMILES, and lines that stand for graphs that are no molecules:
// "# valence: C C C  0-1:3 1-2:3". Other programs take these for comments; mol-metrics counts them.
#pragma once

#include "formats/mol/chemistry.hpp"
#include "libcore/data/dataset.hpp"

#include <string>
#include <string_view>

namespace logpx {

class Workers;
struct Molecule;

// Whether all of it is known; the class of one that is not.
[[nodiscard]] bool is_whole(const Molecule& molecule);
inline constexpr const char* unknown_parts = "unknown-parts";
[[nodiscard]] CompoundGraph compound_graph(const Molecule& molecule, const AtomTypes& types);
// Charges are told by bonds where types tell none.
[[nodiscard]] ChargeRule charge_rule(const AtomTypes& types);

// A line each; workers share them where there are any.
[[nodiscard]] std::string smiles_lines(const DatasetInfo& info, const Rows& rows,
                                       Workers* workers = nullptr);

// "valence" of such a line, and nothing of others.
[[nodiscard]] std::string refused_class(std::string_view line);

}  // namespace logpx
