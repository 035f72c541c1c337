// A phase that is a graph: built for the size of a shard, planned, bound and replayed.
// [train/README 2.3]
#pragma once

#include "libcore/train/phase.hpp"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

// Executors that one phase leaves as they are for a later phase of the same step, each for the
// shard that it has worked on: what its forward pass has computed is still there.
class HeldExecutors {
 public:
  void leave(const Shard& shard, ExecutorPool::Loan loan);
  // The executor of the same items; a phase that finds none is a programmer's mistake.
  [[nodiscard]] ExecutorPool::Loan take(const Shard& shard);
  // Gives back what nobody took, when a step has ended early.
  void clear();

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::int64_t, ExecutorPool::Loan>> held_;  // by the shard's first item
};

using BindShard = std::function<void(const Shard&, GraphInputs&)>;

struct GraphPhaseParts {
  // Outputs: those named by the terms, one number per row or one for all rows (a sum, never a
  // mean: the loop divides), and `from`.
  BuildGraph build = {};
  BindShard bind;             // may change the seeds, which are 1 / step_count before
  std::string from = "loss";  // the reverse pass starts here
  // Inputs whose gradients the reverse pass makes too, for `after` to read.
  std::vector<std::string> inputs = {};
  // Sees the outputs of a shard, between forward and reverse pass: for extra sums, registered
  // state, and inputs that only the reverse pass reads.
  std::function<void(const Shard&, const Executor<float>&, GraphInputs&, const ShardSums&)> read =
      {};
  // Sees a shard after the reverse pass: turns the gradients of inputs into those of parameters
  // that are not in the graph, or into extra sums, which are doubles.
  std::function<void(const Shard&, const Executor<float>&, const ShardSums&)> after = {};
  // Sees the sums of a whole step: Phase::finish.
  std::function<void(const StepPlace&, const PhaseSums&)> finish = {};
  Reuse reuse = Reuse::memory;
};

class GraphPhase final : public Phase {
 public:
  GraphPhase(PhaseSettings settings, GraphPhaseParts parts);
  // Goes back through what `forward` has computed, an earlier phase of the same step over the same
  // items without a gradient of its own. Nothing may move the parameters in between. `bind` then
  // sets what the reverse pass alone reads, and there is nothing to build.
  GraphPhase(PhaseSettings settings, GraphPhaseParts parts, GraphPhase& forward);

  void begin(const MicroBatch& batch) override;
  void run(const Shard& given, std::span<const float> theta, const ShardSums& sums) override;
  void finish(const StepPlace& place, const PhaseSums& sums) override {
    if (parts_.finish) parts_.finish(place, sums);
  }
  std::string find_trouble(const Shard& given, std::span<const float> theta,
                           const ShardSums& sums) override;
  [[nodiscard]] bool holds_executors() const override { return holds_; }

 private:
  [[nodiscard]] bool goes_back() const { return settings().gradient || !parts_.inputs.empty(); }
  [[nodiscard]] ExecutorPool::Loan start(const Shard& shard, std::span<const float> theta,
                                         const ShardSums& sums);
  void bind(const Shard& shard, GraphInputs& inputs) const;
  void add_terms(const Shard& shard, const Executor<float>& done, const ShardSums& sums) const;

  GraphPhaseParts parts_;
  GraphPhase* forward_ = nullptr;
  std::optional<ExecutorPool> pool_;  // none after `forward_`
  HeldExecutors held_;
  bool holds_ = false;  // for the phase that goes back through this one
};

}  // namespace logpx
