// What a family does in one training step: a few phases, each run over all shards and followed by
// one sum in shard order.   [train/README 2.2]
//
//   AEVB, VDM, LO-ARM   one phase, updated by the optimiser
//   wake-sleep          "wake" and "sleep", gradients at the same parameters; the second updates
//   MCEM                "chains" (own kernel, moves registered state), then "m-step", repeat 5
//   KAEM                "prior" over items (samples, not rows), then "weights" over rows
//   circuits            "count" (gradient block = expected counts), Update::own does the M-step
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/grad/params.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

class Optimizer;

// Where a run is. Everything random or scheduled is a pure function of this.
struct StepPlace {
  std::uint64_t seed = 1;
  std::int64_t step = 0, epoch = 0;  // from 0; steps of this run (TrainingTask::runs), all epochs
  std::int64_t steps = 0;            // of the run
  std::int64_t rows = 0;             // of the data in this step, over all micro-batches
  int repeat = 0;                    // of a phase that runs several times
  double rate = 0;                   // what --lr and its schedule say of this step
};

// Rows of the data that are worked on together; in a step short rows come first, by their extents.
struct MicroBatch {
  StepPlace place;
  std::int64_t index = 0;              // within the epoch
  std::int64_t first = 0;              // how many rows of the step are worked on before these
  std::span<const std::int64_t> rows;  // numbers in the training data, from 0
  std::span<const std::int64_t> places = {};  // of these rows in the step as it was shuffled
};

struct Shard {
  StepPlace place;
  std::int64_t first = 0;              // how many items of the step are worked on before these
  std::int64_t batch_first = 0;        // the same within the micro-batch
  std::int64_t count = 0;              // items of this shard
  std::int64_t step_count = 0;         // items of the whole step: losses are divided by it
  std::int64_t extent = 0;             // the largest of its rows
  std::span<const std::int64_t> rows;  // the data rows of the items; empty when items are no rows
  // The places of the items in the step as it was shuffled: they address noise, so that it depends
  // neither on the order in which items are worked on nor on how they are cut into shards.
  std::span<const std::int64_t> places = {};
  std::span<const float> theta = {};  // the parameters, where a GraphPhase hands it to its parts

  [[nodiscard]] GraphSize size() const { return {count, extent}; }
};

// What a shard leaves behind.
struct ShardSums {
  std::span<float> gradient;                 // of the ParamSet layout; empty without one
  std::span<double> terms;                   // to be added to zeros
  std::span<const BlockRange> written = {};  // named by the phase, to be written whole, no others
};
struct PhaseSums {
  std::span<float> gradient;
  std::span<const double> terms;
};

enum class Update {
  none,       // the gradient is added to that of the next phase
  optimizer,  // clip and step
  own,        // Phase::update
};

struct PhaseSettings {
  std::string name = "step";
  // Sums that are logged, already divided by step_count, in the order of ShardSums::terms. They
  // must be finite.
  std::vector<std::string> terms = {"loss"};
  // Further sums after the terms: moments, or rows gathered by leaving the others zero.
  std::int64_t extra_sums = 0;
  // After those, for each row of a step in the order of MicroBatch::rows, whatever the batch is.
  std::int64_t sums_per_row = 0;
  std::int64_t items = 0;  // 0: the rows of the data; else this many per step
  int repeat = 1;
  bool gradient = true;
  // Paths of the parameters whose gradient it writes; empty: all. Others are neither cleared nor
  // summed nor sent.
  std::vector<std::string> writes = {};
  // How many shards may hold a gradient of their own at once; 0: all of them. With fewer the sums
  // take less memory, and fewer threads can work.
  std::int64_t gradients_in_flight = 0;
  Update update = Update::optimizer;
  std::vector<std::string> moves = {};  // that the update moves; empty: all that were written
};

class Phase {
 public:
  explicit Phase(PhaseSettings settings) : settings_(std::move(settings)) {}
  virtual ~Phase() = default;
  [[nodiscard]] const PhaseSettings& settings() const { return settings_; }

  // On one thread, before the shards.
  virtual void begin(const MicroBatch&) {}
  // On any thread, several at once; single-threaded inside. The same shard gives the same bytes.
  virtual void run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) = 0;
  // On one thread, after the sum over all shards and micro-batches, before the update.
  virtual void finish(const StepPlace&, const PhaseSums&) {}
  // Update::own: moves the parameters (and registered state) by the sums.
  virtual void update(const StepPlace&, const PhaseSums&, Workers&) {}

  // Runs a shard again and says what first went wrong ("decoder/linear: nan at ..."), or "".
  virtual std::string find_trouble(const Shard&, std::span<const float>, const ShardSums&) {
    return "";
  }

  // The pools of the executors that it works with.
  [[nodiscard]] std::span<ExecutorPool* const> pools() const { return pools_; }
  // Whether each shard keeps its executor to the end of the step, for a later phase.
  [[nodiscard]] virtual bool holds_executors() const { return false; }
  // Memory of one worker for shards of this size, and where its peak comes from: that of the pools,
  // to which a phase with memory of its own adds.
  [[nodiscard]] virtual std::int64_t arena_bytes(GraphSize size) const;
  [[nodiscard]] virtual std::vector<ModuleMemory> modules(GraphSize size) const;
  // Whether backward computes regions again: where that is asked for, or the plan does not fit.
  void recompute(bool on);
  // Called before anything is planned, to say how every number of the phase is computed. A phase
  // that computes outside its pools overrides it.
  virtual void compute_by(const Numerics& numerics);

 protected:
  void works_with(ExecutorPool& pool) { pools_.push_back(&pool); }

 private:
  PhaseSettings settings_;
  std::vector<ExecutorPool*> pools_;
};

}  // namespace logpx
