// What an evaluation of training by the bound measures, over the rows of its curves.
#pragma once

#include "libcore/families/bound_pass.hpp"
#include "libcore/model/task_data.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/task.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// With given weights and the noise of evaluations.
struct BoundMeans {
  double elbo = 0, recon = 0, kl = 0;
  std::int64_t active_units = 0;     // latents whose posterior mean varies by more than 0.01
  std::vector<double> log_var = {};  // [J]
};
[[nodiscard]] BoundMeans mean_bound(const EncodedModel& model, ExecutorPool& passes,
                                    std::span<const float> weights, const TaskRows& examples,
                                    const EvaluationMachine& machine);

// elbo_valid where there are such rows, elbo_train; recon, kl and active_units of the first.
[[nodiscard]] Metrics bound_metrics(const BoundMeans& train,
                                    const std::optional<BoundMeans>& valid);

// Latents whose log-variance is at a limit, on average over the rows.
[[nodiscard]] std::vector<std::string> latents_at_limits(const BoundMeans& means);

}  // namespace logpx
