// A phase that is a graph: built for a number of rows, planned, bound and replayed.
// [spec/core.md sections 4 and 9]
#pragma once

#include "libcore/train/graph_runners.hpp"

#include <functional>
#include <string>

namespace logpx {

struct GraphPhaseParts {
  // Outputs: those named by the terms, one number per row or one for all rows (a sum, never a
  // mean: the loop divides), and `from`.
  BuildGraph build;
  BindShard bind;             // may change the seeds, which are 1 / step_count before
  std::string from = "loss";  // the reverse pass starts here
  // Sees the outputs of a shard, between forward and reverse pass: for extra sums, registered
  // state, and inputs that only the reverse pass reads.
  std::function<void(const Executor<float>&, GraphInputs&, const ShardSums&)> read = {};
  // Sees the sums of a whole step: Phase::finish.
  std::function<void(const StepPlace&, const PhaseSums&)> finish = {};
  Reuse reuse = Reuse::memory;
};

class GraphPhase final : public Phase {
 public:
  GraphPhase(PhaseSettings settings, GraphPhaseParts parts);

  void run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) override;
  void finish(const StepPlace& place, const PhaseSums& sums) override {
    if (parts_.finish) parts_.finish(place, sums);
  }
  std::string find_trouble(const Shard& shard, std::span<const float> theta,
                           const ShardSums& sums) override;
  [[nodiscard]] std::int64_t arena_bytes(std::int64_t count) const override {
    return runners_.arena_bytes(count);
  }
  [[nodiscard]] std::vector<ModuleMemory> modules(std::int64_t count) const override {
    return runners_.modules(count);
  }
  void recompute(bool on) override { runners_.request().recompute = on; }
  void compute_by(const Numerics& numerics) override { runners_.request().numerics = numerics; }

 private:
  void bind(const Shard& shard, GraphInputs& inputs) const;

  GraphPhaseParts parts_;
  GraphRunners runners_;
};

}  // namespace logpx
