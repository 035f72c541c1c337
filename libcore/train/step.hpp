// One training step: micro-batches -> shards -> phases -> pairwise sums -> clip -> step -> average.
// [train/README 2.1, 3]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/train/ranks.hpp"
#include "libcore/train/task.hpp"
#include "libcore/train/tree_sum.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

struct TrainingMachine {
  Workers& workers;
  Ranks& ranks;
};

// The data of one step: whole micro-batches, except for the last of an epoch.
struct StepRows {
  std::span<const std::int64_t> rows;
  std::int64_t first_batch = 0;               // number of its first micro-batch within the epoch
  std::span<const std::int64_t> places = {};  // of the rows; the step puts them in order itself
};

struct StepReport {
  double norm = 0;  // of the gradient of the last update, before clipping
  // What was not finite, or "". That update was not made, and the phases after it did not run.
  std::string trouble = {};
};

class StepRunner {
 public:
  StepRunner(TrainingTask& task, const TrainOptions& options, const TrainingMachine& machine);

  StepReport run(const StepPlace& place, const StepRows& rows, double rate);
  // After trouble: works on this rank's shards again and says where it begins, or "".
  [[nodiscard]] std::string find_trouble();

  [[nodiscard]] const std::vector<std::string>& term_names() const { return term_names_; }
  [[nodiscard]] std::span<const double> terms() const { return terms_; }  // of the last step
  // Null when no phase has an update by the optimiser.
  [[nodiscard]] Optimizer* optimizer() { return optimizer_ ? &*optimizer_ : nullptr; }
  [[nodiscard]] std::span<float> average() { return average_.span(); }  // empty when off
  [[nodiscard]] std::int64_t shards() const { return shards_; }

 private:
  struct Running {
    Phase* phase = nullptr;
    std::vector<double> sums;
    std::size_t first_term = 0;
    std::vector<BlockRange> written, pieces;  // of its gradient
    std::int64_t in_flight = 0;               // shards that are worked on at once
    // For an update whose gradient several phases write:
    bool joins = false;
    std::vector<BlockRange> joined;  // pieces of all of them
    Selection moves;
  };
  struct Part {  // of the shards of this rank; their gradients begin in block `block`
    std::int64_t first = 0, count = 0, block = 0;
  };
  struct Work {  // what shards are cut from: a micro-batch, or the items of a phase
    MicroBatch batch;
    std::int64_t count = 0, step_count = 0;
    bool of_rows = true;
  };
  void add_phase(Phase& phase, std::int64_t step_rows);
  void list_updates();
  void make_room(std::int64_t step_rows);
  [[nodiscard]] StepRows in_order(const StepRows& rows);
  void list_work(const Running& running, const StepPlace& place, const StepRows& rows);
  void sum_shards(Running& running, const Work& work);
  void sum_part(const Running& running, const Work& work, Part part);
  void run_shard(const Running& running, const Work& work, std::int64_t local, std::int64_t block);
  [[nodiscard]] Shard shard_of(const Work& work, std::int64_t local) const;
  [[nodiscard]] ShardSums sums_of(const Running& running, std::int64_t local, std::int64_t block);
  void run_phase(Running& running);
  void join(const Running& running);
  [[nodiscard]] std::string trouble_in_terms(const Running& running) const;
  void update(Running& running, const StepPlace& place, double rate, StepReport& report);
  void move(const Running& running, const StepPlace& place, double rate, StepReport& report);
  void list_followed();
  void follow(const StepPlace& place);

  TrainingTask& task_;
  TrainOptions options_;
  TrainingMachine machine_;
  std::optional<Optimizer> optimizer_;
  std::int64_t shards_, local_shards_, first_shard_;
  std::vector<Running> phases_;
  std::vector<std::string> term_names_;
  std::vector<double> terms_;
  std::vector<std::int64_t> extents_;            // of all rows of the data; empty: all alike
  std::vector<std::int64_t> rows_, row_places_;  // of this step, by (extent, place)
  std::vector<std::int64_t> counting_;           // 0, 1, 2 ...: places where the order stays
  std::vector<Tensor<float>> blocks_;            // gradients of shards
  std::vector<double> shard_sums_;               // [local shards, sums of the phase]
  std::vector<Work> work_;                       // of the phase that ran last
  const Running* last_ = nullptr;
  TreeCounter counter_;    // over micro-batches
  Tensor<float> pending_;  // of phases without an update
  bool has_pending_ = false;
  std::span<float> gradient_;  // of the phase that ran last, with what was pending
  Tensor<float> average_;
  std::vector<ParamRange> followed_;  // averaged after the step, not by the optimiser
};

}  // namespace logpx
