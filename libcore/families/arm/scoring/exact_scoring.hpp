// log p(x) itself: by all sets of dims that may be seen, or along the order where it is fixed.
// [arm/README 5.2]
#pragma once

#include "libcore/families/arm/order_model.hpp"
#include "libcore/families/arm/scoring/scored_rows.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace logpx::arm {

// Sums over all orders of the dims of one row, by what is seen: all that a model says depends on
// the set S alone, so 2^L states serve L! orders.   [arm/README 5.2]
//
//   a(S + k) += a(S) p(k|S) p(x_k|x_S)     log p(x) = log a(all)
//   Q(S + k) += Q(S) q(k|S, x)             ELBO = sum_S Q(S) F(S, x)
inline constexpr std::int64_t most_subset_dims = 16;

struct SubsetSums {
  double log_p = 0, elbo = 0;
  double recon = 0, kl = 0;    // parts of the bound
  double kl_to_posterior = 0;  // KL(q(z|x) || p(z|x)), which is log_p - elbo
};
// For a row with at most most_subset_dims dims.
[[nodiscard]] SubsetSums subset_sums(const ScoredRows& rows, std::int64_t row);

inline constexpr const char* exact_method = "exact";

struct ExactSettings {
  std::int64_t most_dims = 12;
  void describe(Fields& fields);
};
[[nodiscard]] std::unique_ptr<ScoringPlan> make_exact_scoring(const OrderModel& model);

}  // namespace logpx::arm
