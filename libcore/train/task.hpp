// What a family hands to the training loop: parameters, phases, and whatever else lives from step
// to step.   [train/README 2]
#pragma once

#include "libcore/grad/optim.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/train/checkpoint.hpp"
#include "libcore/train/options.hpp"
#include "libcore/train/phase.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

class Ranks;
class RowStore;

// What is better in the first metric of evaluate().
enum class Aim { minimise, maximise };

class TrainingTask {
 public:
  virtual ~TrainingTask() = default;
  [[nodiscard]] virtual ParamSet& params() = 0;  // initialised
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  [[nodiscard]] virtual std::vector<Phase*> phases() = 0;

  [[nodiscard]] virtual std::vector<ParamGroup> groups() const { return {}; }
  [[nodiscard]] virtual ShardGrain grain() const { return ShardGrain::dense; }
  // How long a row of the data is, where rows differ: graphs are built for the longest row of their
  // shard. 0 when all rows are alike.
  [[nodiscard]] virtual std::int64_t extent(std::int64_t row) const {
    static_cast<void>(row);
    return 0;
  }
  // Which options the chosen way of training reads. The others are refused when they are given.
  [[nodiscard]] virtual TrainReads reads() const { return {}; }
  // A last step of an epoch with fewer rows than the others is left out.
  [[nodiscard]] virtual bool drops_short_steps() const { return false; }
  // How many samples a visit to a row counts as, on the axis `samples_seen`: how often the model is
  // trained on it then.
  [[nodiscard]] virtual std::int64_t samples_per_row() const { return 1; }
  // Persistent chains, grids, baselines, expected counts: named, and registered here once. All
  // ranks must hold the same values after a step (phases can gather rows by extra sums).
  [[nodiscard]] virtual std::vector<TensorRef> state() { return {}; }
  // Memory of state(), and of whatever else is held from step to step besides parameters and data.
  [[nodiscard]] virtual std::int64_t state_bytes() {
    std::int64_t bytes = 0;
    for (const TensorRef& tensor : state()) bytes += std::ssize(tensor.bytes);
    return bytes;
  }
  // How many independent runs of the same length are made, one after the other; the weights of the
  // best evaluation are kept. Each run has steps, rates and first parameters of its own.
  [[nodiscard]] virtual std::int64_t runs() const { return 1; }
  // Before the first step of every run but the first one, which is number 0.
  virtual void begin_run(std::int64_t run) { static_cast<void>(run); }
  [[nodiscard]] virtual std::int64_t data_bytes() const { return 0; }
  // What must be told which rows a step takes, where they are read when they are needed.
  [[nodiscard]] virtual RowStore* store() const { return nullptr; }
  // Memory, besides the data, that making model and task took and that is free again before the
  // first step.
  [[nodiscard]] virtual std::int64_t preparation_bytes() const { return 0; }
  // Whether a step depends on how many there will be, as on a course of temperatures: a run that
  // goes on then keeps its length.
  [[nodiscard]] virtual bool follows_length() const { return false; }

  // Called before anything is planned, for the phases and for what a task computes outside them.
  virtual void compute_by(const Numerics& numerics) {
    for (Phase* phase : phases()) phase->compute_by(numerics);
  }
  // After the updates of a step: limits, grid refits (with Optimizer::reset; the optimiser is null
  // when no phase has an update by it). The running average of what the optimiser moves has been
  // taken by then and sees this in the next step.
  virtual void updated(const StepPlace&, Optimizer*) {}
  // Metrics on validation data with these weights; the first decides what is best, by aim(). Empty
  // without data. Changes nothing. All ranks call it and must get the same numbers.
  virtual Metrics evaluate(std::span<const float> weights, Workers&, Ranks&) {
    static_cast<void>(weights);
    return {};
  }
  [[nodiscard]] virtual Aim aim() const { return Aim::minimise; }
  // Called when the run is over and the model gets these weights: for what is measured once and
  // stored with it. All ranks call it.
  virtual void finished(std::span<const float> weights, Workers&) { static_cast<void>(weights); }
  // What a user should be warned of when these are the weights at the end. All ranks call it.
  [[nodiscard]] virtual std::vector<std::string> concerns(std::span<const float> weights, Workers&,
                                                          Ranks&) {
    static_cast<void>(weights);
    return {};
  }
};

}  // namespace logpx
