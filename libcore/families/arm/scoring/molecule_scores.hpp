// What scores of molecules are besides: orders of dims tell a molecule once its number n of atoms
// is known, and a model that does not care for labels gives all n!/|Aut| relabellings of one the
// same probability.   [spec/loarm.md section 6.4]
//
//   given_n     log p(x|n)
//   with_n      log p(x|n) + log p(n)
//   unlabelled  log p(x|n) + log(n!/|Aut(x)|), of models that are equivariant
#pragma once

#include "libcore/families/arm/scoring/scored_rows.hpp"

namespace logpx::arm {

// Scores of rows of molecules, given n, become those with n; the three numbers stand beside them,
// as terms of the group "molecules". Facts stay as they are, given n. Nothing for other rows.
void add_atom_counts(const ScoredRows& rows, Scores& scores);

}  // namespace logpx::arm
