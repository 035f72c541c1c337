// Whether a policy takes first what is already sure: its probabilities beside the entropies of the
// values that are not known yet, and Spearman's rank correlation of the two.
// [LO-ARM figure 1; data/README 5.4]
#pragma once

#include "libcore/data/order_pictures.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// The correlation of the ranks of two lists of one length, equal values sharing theirs; NaN where
// either has fewer than two values that differ.
[[nodiscard]] double spearman_rho(std::span<const double> a, std::span<const double> b);

struct PolicyByEntropy {
  std::int64_t steps = 0;  // those of two unknown dims or more
  double rho = 0;          // mean of the steps where it is one; NaN: of none
  double std_error = 0;    // of that, over the rows
  double pooled = 0;       // of all dims of all steps together
  // All dims that were open, step by step: probabilities as shares of an even choice.
  std::vector<double> policy = {}, entropies = {};
};
// The policy and the entropies of the values of `orders` (their sizes are those of its policy).
[[nodiscard]] PolicyByEntropy policy_by_entropy(std::int64_t dims, const ValueOrders& orders,
                                                std::span<const float> entropies);

}  // namespace logpx
