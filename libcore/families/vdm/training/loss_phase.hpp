// The phase that trains a diffusion model, and its graph.
//
// One graph serves every loss: it gives m = ||eps - eps_hat||^2 of each row, and its reverse pass
// starts from the row's factor. What it leaves at z and gamma is then turned into the gradient of
// the noise schedule, in double: of the bound for the endpoints, of the variance of its estimate
// for the curve between them.   [VDM app. I; vdm/README 7.1]
#pragma once

#include "libcore/families/vdm/training/noised_row.hpp"
#include "libcore/train/graph_phase.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx::vdm {

// Factors on nats: for what is trained, bits per dimension, and for what is shown, which for real
// numbers stays nats.
[[nodiscard]] double trained_unit(const VdmModel& model);
[[nodiscard]] double shown_unit(const VdmModel& model);

// m [M] of noise eps [M,D], with the inputs of NetInputs.
[[nodiscard]] Var squared_error(const VdmModel& model, Var eps, BlockPass pass);

class LossPhase final {
 public:
  LossPhase(const VdmModel& model, const LearnOptions& options, const StepRows& rows,
            TimedLosses losses);
  // Its functions refer to this object.
  [[nodiscard]] GraphPhaseParts parts() const;
  [[nodiscard]] PhaseSettings settings() const;

 private:
  [[nodiscard]] std::unique_ptr<Graph> build(std::int64_t rows) const;
  void bind(const Shard& shard, GraphInputs& inputs) const;
  void bind_dropout(const Shard& shard, GraphInputs& inputs) const;
  void add_schedule_gradient(const Shard& shard, const Executor<float>& run,
                             const ShardSums& sums) const;
  // The schedule needs gradients at z and gamma.
  [[nodiscard]] bool pulls_schedule() const;
  [[nodiscard]] bool pulls_ends_by_path() const;
  [[nodiscard]] std::vector<std::string> terms() const;

  const VdmModel& model_;
  const LearnOptions& options_;
  const StepRows& rows_;
  TimedLosses losses_;
  std::vector<std::string> masks_;  // inputs of dropout
};

}  // namespace logpx::vdm
