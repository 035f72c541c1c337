// The one training loop of all families: steps, evaluations, checkpoints, history, stopping.
//
//   TrainingLoop loop(task, options, {workers, ranks}, {.seed = 1, .sink = &sink});
//   if (found) loop.restore(*found);
//   const TrainingResult result = loop.run();
//
// What it computes is a pure function of (task, options, seed): neither threads, ranks nor
// interruptions change a byte.   [train/README 2]
#pragma once

#include "libcore/grad/schedule.hpp"
#include "libcore/train/epoch_order.hpp"
#include "libcore/train/memory_plan.hpp"
#include "libcore/train/pace.hpp"
#include "libcore/train/snapshot.hpp"
#include "libcore/train/step.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

struct LoopSettings {
  std::uint64_t seed = 1;
  std::int64_t memory = 0;  // bytes to plan for; 0: no limit
  Interval checkpoint_every{600, Interval::Unit::seconds};
  TrainingSink* sink = nullptr;  // of rank 0; may be null
  // Called once, after the first few steps, unless the run is over by then; may be empty.
  std::function<void(const TrainingForecast&)> foresee = {};
  std::function<int(std::int64_t step)> stop_asked =
      {};  // a signal or 0; stop::requested() if empty
};

// What `--lr auto` saw: the first metric after some steps with each rate.
struct RateProbe {
  std::int64_t steps = 0;
  std::vector<double> rates;
  std::vector<std::optional<double>> values;  // absent where training ran away
};

struct TrainingResult {
  std::int64_t steps = 0, samples = 0, skipped = 0;
  double epochs = 0, seconds = 0;  // seconds of this run
  std::string stopped;             // "steps", "patience" or "max_seconds"
  Metrics terms;                   // means since the line of history before the last
  Metrics metrics;                 // of the last evaluation
  double best = 0;                 // of the first metric
  std::int64_t best_step = -1;     // -1: never finite
  std::int64_t kept_step = 0;      // whose weights the task now holds
  double rate = 0;                 // what the schedule started from
  double first_metric = 0;         // of the weights that training began with
  bool declined = false;           // those that the task now holds are worse, or not finite
};

class TrainingLoop {
 public:
  TrainingLoop(TrainingTask& task, const TrainOptions& options, const TrainingMachine& machine,
               LoopSettings settings);

  // Goes on from there; a data error when names, shapes or types do not fit.
  void restore(const Checkpoint& checkpoint);
  // Throws Interrupted after a signal, when the step is done and the checkpoint saved.
  TrainingResult run();
  [[nodiscard]] Checkpoint checkpoint();

  [[nodiscard]] const MemoryPlan& memory_plan() const { return memory_; }
  [[nodiscard]] std::int64_t total_steps() const { return total_steps_; }
  [[nodiscard]] std::int64_t shards() const { return runner_.shards(); }
  // The running average, or the parameters themselves.
  [[nodiscard]] std::span<const float> weights();
  // Makes real steps and says how long one takes; the first does not count.
  [[nodiscard]] double time_steps(int count);
  // How long a step takes, for --dry-run; slow ones are judged by a few of their rows.
  [[nodiscard]] double forecast_step();
  // Nothing unless the rate is chosen by a probe; its values are there after run().
  [[nodiscard]] std::optional<RateProbe> rate_probe() const;

 private:
  enum Counter { best, best_step, worse, skipped, summed, line_step, counters };
  struct Events {
    bool checkpoint = false, evaluate = false, out_of_time = false;
    int signal = 0;
  };
  [[nodiscard]] StepReport make_step();
  [[nodiscard]] StepReport run_step(std::span<const std::int64_t> rows);
  // Whether the last step was that of a run after which another one comes.
  [[nodiscard]] bool between_runs() const;
  void one_step();
  void give_up_or_skip(const std::string& trouble);
  [[nodiscard]] Events events();
  [[nodiscard]] bool due(const Interval& interval, double last_seconds) const;
  [[nodiscard]] double epochs_at(std::int64_t step) const;
  [[nodiscard]] std::int64_t samples_at(std::int64_t step) const;
  [[nodiscard]] std::optional<double> rate_at(std::int64_t step) const;  // if one is read
  [[nodiscard]] double shown_loss() const;
  void require_metrics();
  void note_first_metric();
  [[nodiscard]] bool declined(double metric) const;
  void evaluate();
  [[nodiscard]] bool better(double value, double than) const;
  [[nodiscard]] std::vector<TensorRef> weights_and_state();
  void foresee();
  [[nodiscard]] double evaluations_in(std::int64_t steps) const;
  [[nodiscard]] double seconds_of_rows(std::int64_t rows);
  void choose_rate();
  [[nodiscard]] std::int64_t steps_to_probe() const;
  [[nodiscard]] std::optional<double> metric_after(std::int64_t end, int& signal);
  void take_best_rate();
  [[noreturn]] void save_and_leave(int signal);
  [[nodiscard]] double training_seconds() const;
  void append_line(const Metrics& metrics);
  void save();
  [[nodiscard]] bool out_of_patience() const;
  [[nodiscard]] TrainingResult finish(const std::string& stopped);
  double& counter(Counter which) { return counters_[which]; }

  TrainingTask& task_;
  TrainOptions options_;
  TrainingMachine machine_;
  LoopSettings settings_;
  MemoryPlan memory_;
  StepRunner runner_;
  EpochOrder order_;
  Tensor<double> chunks_;                            // kept_chunks.hpp
  std::int64_t run_steps_, total_steps_, step_ = 0;  // of each run, of all
  Schedule schedule_;
  double norm_ = 0;
  double started_, evaluated_at_, saved_at_;  // wall seconds
  double seconds_before_ = 0;                 // of the runs that this one goes on from
  Tensor<double> counters_{Shape{counters}};
  Tensor<double> sums_;  // of terms and the gradient's norm since the last line
  Metrics means_, metrics_;
  Pace pace_;
  std::optional<double> first_metric_;  // of the weights that training begins with
  Snapshot best_;                       // of --keep-best
  Tensor<double> probed_;               // [rates, 2] of --lr auto: a Probed, and the metric
};

}  // namespace logpx
