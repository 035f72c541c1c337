// The answer of mol-metrics as JSON (logpx-report(5)).
#pragma once

#include "formats/json/value.hpp"
#include "tools/sessions/molecule_measures.hpp"

namespace logpx {

// One set; null: no reference.
[[nodiscard]] Json to_json(const MoleculeMeasures& measures, const MoleculeReference* reference);
// What a reference holds, with the noise of its distances.
[[nodiscard]] Json to_json(const MoleculeReference& reference);

}  // namespace logpx
