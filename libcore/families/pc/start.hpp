// First parameters of a circuit, and what its pseudocounts follow.   [spec/pc.md sections 4.1, 6.2]
#pragma once

#include "libcore/families/pc/model.hpp"
#include "libcore/families/pc/passes/maximise.hpp"

#include <string>
#include <vector>

namespace logpx::pc {

// How often each value of each variable is observed in these rows: [variables][categories]. Of a
// chain over all steps.
using Frequencies = std::vector<std::vector<double>>;
[[nodiscard]] Frequencies frequencies_of(const SymbolRows& rows, const Circuit& circuit,
                                         const Examples& examples);

// softmax-normal: the softmax of normal draws in every row. from-data: the same, but leaves are
// their variable's frequencies times e^(a quarter of such a draw).
void draw_parameters(PcModel& model, const std::string& init, const Frequencies& frequencies,
                     const Rng& rng);
// Those of a structure file; blocks without any are drawn. A data error when they are no
// distributions.
void take_weights(PcModel& model, const std::vector<std::vector<double>>& weights,
                  const std::string& name);

// Rows of leaves are shared as the values of their variable are, and a thousandth evenly; the
// others evenly.
[[nodiscard]] RowPriors marginal_priors(const PcModel& model, const Frequencies& frequencies);

}  // namespace logpx::pc
