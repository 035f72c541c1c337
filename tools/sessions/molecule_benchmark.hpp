// The columns of published benchmarks of molecules, by their names and rules.
#pragma once

#include "formats/json/value.hpp"
#include "tools/sessions/molecule_measures.hpp"

#include <string>
#include <vector>

namespace logpx {

class Workers;

enum class Benchmark { none, moses, guacamol };

// One row; null where a number is not there.
[[nodiscard]] Json benchmark_row(Benchmark benchmark, const MoleculeMeasures& measures);
// Where our numbers depart from those of the benchmark's own programs.
[[nodiscard]] std::vector<std::string> benchmark_notes(Benchmark benchmark);

// GuacaMol's KL divergences from the reference: the mean of exp(-KL) over descriptors that both
// have and over the similarity of each molecule to the nearest of its own set.
[[nodiscard]] std::optional<double> divergence_score(const MoleculeColumns& columns,
                                                     const MoleculeReference& reference,
                                                     Workers& workers);

}  // namespace logpx
