// How much memory a training run takes, known before its first step.   [train/README 3.4]
#pragma once

#include "libcore/grad/plan.hpp"
#include "libcore/train/task.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

struct MemoryPlan {
  // Parameters, gradients, optimiser, averages, state, activations, data; and if making the model
  // took more than all of them, the difference.
  std::vector<ModuleMemory> parts;
  std::vector<ModuleMemory> modules;  // of one worker's activations at their peak, largest first
  [[nodiscard]] std::int64_t total() const;
};

struct MemoryTerms {
  int threads = 1, ranks = 1;
  std::int64_t limit = 0;  // bytes that the run may plan for; 0: no limit
};

// S of a batch of M rows: the option, else by the grain of the task.
[[nodiscard]] std::int64_t shards_of(const TrainingTask& task, const TrainOptions& options);
// How many of these shards a phase works on at once, and how many blocks their gradients take: one
// for each of them, and one for each level of the tree above.
[[nodiscard]] std::int64_t shards_in_flight(const PhaseSettings& settings, std::int64_t shards);
[[nodiscard]] std::int64_t gradient_blocks(const PhaseSettings& settings, std::int64_t shards);
// For each phase whether its gradient must be added to those of others for the same update. It need
// not be where each of them writes parameters of its own, once in a step.
[[nodiscard]] std::vector<bool> joining_phases(TrainingTask& task, const TrainOptions& options);
// Extents of all rows of the data; empty when all are alike.
[[nodiscard]] std::vector<std::int64_t> extents_of(const TrainingTask& task);
// Whether any phase has an update by the optimiser.
[[nodiscard]] bool uses_optimizer(TrainingTask& task);

[[nodiscard]] MemoryPlan plan_memory(TrainingTask& task, const TrainOptions& options,
                                     const MemoryTerms& terms);

// Tells the phases how to compute, whether to recompute, and how many executors to keep. Refuses a
// run that does not fit: the message names the largest parts and the batch that would fit.
MemoryPlan settle_memory(TrainingTask& task, const TrainOptions& options, const MemoryTerms& terms);

}  // namespace logpx
