// The bound as a way of scoring: L draws of z per example, the KL in closed form, or by the draws
// where p(z) is a mixture.
// [AEVB eq. 7 and 10; vae/README 2.4]
#pragma once

#include "libcore/families/encoded_model.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>

namespace logpx {

inline constexpr const char* bound_method = "elbo";

struct BoundSettings {
  std::int64_t samples = 1, chunk = 0;  // 0: 16 at a time
  void describe(Fields& fields);
};
// `passes` are those of bound_passes(); both outlive the plan.
[[nodiscard]] std::unique_ptr<ScoringPlan> make_bound_scoring(const EncodedModel& model,
                                                              ExecutorPool& passes);

}  // namespace logpx
