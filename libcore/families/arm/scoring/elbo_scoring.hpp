// The bound on log p(x): sums of F along orders drawn from q(z|x), or at single places of them.
// [LO-ARM eqs. 8, 17; arm/README 5.1]
#pragma once

#include "libcore/families/arm/order_model.hpp"
#include "libcore/families/arm/scoring/scored_rows.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace logpx::arm {

// Scores of molecules with and without their number of atoms n and their numbering: a model tells
// the dims of a molecule given n, and one that does not care for labels gives all n!/|Aut|
// numberings the same probability.   [arm/README 5.4]
//
//   given_n     log p(x|n)
//   with_n      log p(x|n) + log p(n)
//   unlabelled  log p(x|n) + log(n!/|Aut(x)|), for equivariant models

// Turns scores of molecules given n into those with n, and adds the three numbers as terms of the
// group "molecules". Facts stay as they are, given n. Does nothing for other rows.
void add_atom_counts(const ScoredRows& rows, Scores& scores);

inline constexpr const char* elbo_method = "elbo";

// path: all L terms along an order; term: one of them, times L.
enum class Estimator { automatic, path, term };

struct ElboSettings {
  std::optional<std::int64_t> samples;
  Estimator estimator = Estimator::automatic;
  void describe(Fields& fields);
};
[[nodiscard]] std::unique_ptr<ScoringPlan> make_elbo_scoring(const OrderModel& model);

}  // namespace logpx::arm
