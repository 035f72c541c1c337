// log p(x) by importance sampling from the prior: log (1/K) sum_k p(x|z_k), a lower bound in
// expectation.   [kaem/README 6.3]
#pragma once

#include "libcore/families/kaem/sample_scores.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>

namespace logpx::kaem {

class KaemModel;

inline constexpr const char* importance_method = "is";

struct ImportanceSettings {
  std::int64_t samples = 1000;  // fewer where each is compared with every row on its own
  void describe(Fields& fields);
};

// One set of draws for each block of examples, decoded once.
[[nodiscard]] std::unique_ptr<ScoringPlan> make_importance_scoring(const KaemModel& model);

// w = softmax of log_p, the samples' log p(x|z) of row number `row`; returns the logarithm of the
// mean of p(x|z). A numeric error that names the row where no sample can be weighed.
double weigh_samples(std::int64_t row, std::span<const double> log_p, std::span<double> w);

// For each row of x [n,D] under K draws: log mean_k p(x|z_k), its standard error, how many
// draws count, and the covariance of its noise with that of all rows. `first` is the number of the
// first row.
struct ImportanceRows {
  std::vector<double> nats, std_error, ess, shared_noise;
};
[[nodiscard]] ImportanceRows importance_rows(const SampleScores& scores, std::span<const float> x,
                                             std::int64_t first);

}  // namespace logpx::kaem
