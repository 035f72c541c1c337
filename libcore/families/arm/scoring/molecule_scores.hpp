// Scores of molecules with and without their number of atoms n and their numbering: a model tells
// the dims of a molecule given n, and one that does not care for labels gives all n!/|Aut|
// numberings the same probability.   [arm/README 5.4]
//
//   given_n     log p(x|n)
//   with_n      log p(x|n) + log p(n)
//   unlabelled  log p(x|n) + log(n!/|Aut(x)|), for equivariant models
#pragma once

#include "libcore/families/arm/scoring/scored_rows.hpp"

namespace logpx::arm {

// Turns scores of molecules given n into those with n, and adds the three numbers as terms of the
// group "molecules". Facts stay as they are, given n. Does nothing for other rows.
void add_atom_counts(const ScoredRows& rows, Scores& scores);

}  // namespace logpx::arm
