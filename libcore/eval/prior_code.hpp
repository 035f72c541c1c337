// The densities of a prior as source code that needs nothing else: formulas for the energies, log p
// and its inverse distribution function, in C or in Python.   [eval/README 8.1]
#pragma once

#include "libcore/eval/prior_facts.hpp"

#include <string>
#include <vector>

namespace logpx {

// A component and what examine() found; the code computes its best formula.
struct ToldComponent {
  PriorComponent component;
  ComponentFacts facts;
};

// Functions energy_Q_P(z), log_density_Q_P(z) and quantile_Q_P(u) for each of them. quantile finds
// its cell in a table of the distribution function, whose errors are below 1e-9 there, and bisects
// within, where the mass is that of a Gauss rule of 5 nodes.
[[nodiscard]] std::string prior_code(const std::vector<ToldComponent>& components,
                                     CodeLanguage language);

}  // namespace logpx
