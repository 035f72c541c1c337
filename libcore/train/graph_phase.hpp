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
  Numerics numerics = {};  // its convolution, unless ordered, gives way to --conv
  Reuse reuse = Reuse::memory;
};

class GraphPhase final : public Phase {
 public:
  GraphPhase(PhaseSettings settings, GraphPhaseParts parts);

  void run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) override;
  std::string find_trouble(const Shard& shard, std::span<const float> theta,
                           const ShardSums& sums) override;
  [[nodiscard]] std::int64_t arena_bytes(std::int64_t count) const override {
    return runners_.arena_bytes(count);
  }
  [[nodiscard]] std::vector<ModuleMemory> modules(std::int64_t count) const override {
    return runners_.modules(count);
  }
  void recompute(bool on) override { runners_.request().recompute = on; }
  void convolve_by(Convolution path) override;

 private:
  void bind(const Shard& shard, GraphInputs& inputs) const;

  GraphPhaseParts parts_;
  GraphRunners runners_;
};

}  // namespace logpx
