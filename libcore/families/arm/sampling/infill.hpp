// Completions of rows of which a part is known, by the joint distribution: exactly, or by weighing
// what the policy makes of them.   [spec/loarm.md section 7]
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
// How many there are; with all sets of dims of each, that is the work. A usage error names
// --infill where it is too much.
void require_few_completions(const OrderModel& model, const PartlyKnown& row);
[[nodiscard]] ExactCompletions exact_completions(const OrderModel& model, const PartlyKnown& row);

// Completions drawn by the policy, with
//   log w = log p(x) + log q(z|S, x) - log p(z, x|S),
// p(x) estimated by importance weights of a few orders, S what was known: among many of them one
// drawn by w is distributed as the joint has it.
struct WeighedCompletions {
  std::vector<std::int32_t> x;      // [count, dims]
  std::vector<double> log_weights;  // [count]
};
// Their draws are those of number `first` and after.
[[nodiscard]] WeighedCompletions weighed_completions(const OrderModel& model,
                                                     const OrderSampler& sampler,
                                                     const PartlyKnown& row, std::int64_t count,
                                                     const Rng& rng, std::int64_t first);

}  // namespace logpx::arm
