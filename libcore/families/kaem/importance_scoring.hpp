// log p(x) by importance sampling from the prior: log (1/K) sum_k p(x|z_k), a lower bound in
// expectation.   [spec/kaem.md 12.4]
#pragma once

#include "libcore/model/likelihood_pairs.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>

namespace logpx::kaem {

class KaemModel;

inline constexpr const char* importance_method = "is";

struct ImportanceSettings {
  std::int64_t samples = 1000;
  void describe(Fields& fields);
};

// One set of draws for each block of examples, decoded once.
[[nodiscard]] std::unique_ptr<ScoringPlan> make_importance_scoring(const KaemModel& model);

// Of rows x [n,D] under K decoded draws: log mean_k p(x|z_k) of each, its standard error, and how
// many draws count.
struct ImportanceRows {
  std::vector<double> nats, std_error, ess;
};
[[nodiscard]] ImportanceRows importance_rows(const LikelihoodPairs& pairs,
                                             std::span<const float> x);

}  // namespace logpx::kaem
