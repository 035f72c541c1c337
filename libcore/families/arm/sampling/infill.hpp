// Completions of rows of which a part is known, by the joint distribution: exactly, or by weighing
// completions that the policy draws.   [arm/README 6.2]
#pragma once

#include "libcore/families/arm/order_model.hpp"
#include "libcore/families/arm/sampling/sampler.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::arm {

// One row; `seen` says what is known of it.
struct PartlyKnown {
  std::vector<std::int32_t> x;
  std::vector<std::uint8_t> seen;
};

// p(what is missing|what is known), for every way to fill it in.
struct ExactCompletions {
  std::vector<std::int32_t> x;  // [count, dims]
  std::vector<double> p;        // [count]
};
// A usage error that names --infill where completions, times sets of dims, are too many.
void require_few_completions(const OrderModel& model, const PartlyKnown& row);
[[nodiscard]] ExactCompletions exact_completions(const OrderModel& model, const PartlyKnown& row);

// Completions drawn by the policy, with
//   log w = log p(x) + log q(z|S, x) - log p(z, x|S),
// p(x) estimated by importance weights of a few orders, S what was known: with many completions
// one drawn by w follows the joint distribution.
struct WeighedCompletions {
  std::vector<std::int32_t> x;      // [count, dims]
  std::vector<double> log_weights;  // [count]
};
// They use the draws of samples `first` and after.
[[nodiscard]] WeighedCompletions weighed_completions(const OrderModel& model,
                                                     const OrderSampler& sampler,
                                                     const PartlyKnown& row, std::int64_t count,
                                                     const Rng& rng, std::int64_t first);

}  // namespace logpx::arm
