// One training of the mixture fixture from start to end, for tests of the loop.
#pragma once

#include "libcore/train/loop.hpp"
#include "tests/support/mixture_model.hpp"

#include <csignal>
#include "libcore/base/error.hpp"
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace logpx {

// Keeps what is saved, as a file would.
class MemorySink : public TrainingSink {
 public:
  void save(const Checkpoint& from) override {
    saved_ = from;
    storage_.clear();
    for (auto* list : {&saved_.raw, &saved_.ema, &saved_.slots, &saved_.state})
      for (TensorRef& tensor : *list) {
        storage_.push_back(
            std::make_unique<std::vector<std::byte>>(tensor.bytes.begin(), tensor.bytes.end()));
        tensor.bytes = *storage_.back();
      }
    lines_at_save_ = lines_.size();
    ++saves_;
  }
  void append(const HistoryLine& line) override { lines_.push_back(line); }
  // What a new process would find.
  void resume() { lines_.resize(lines_at_save_); }

  [[nodiscard]] const Checkpoint& saved() const { return saved_; }
  [[nodiscard]] const std::vector<HistoryLine>& lines() const { return lines_; }
  [[nodiscard]] int saves() const { return saves_; }

 private:
  Checkpoint saved_;
  std::vector<std::unique_ptr<std::vector<std::byte>>> storage_;
  std::vector<HistoryLine> lines_;
  std::size_t lines_at_save_ = 0;
  int saves_ = 0;
};

struct TrainingCase {
  TrainOptions options;
  MixtureTaskOptions task = {.jitter = 0.05, .two_phases = true, .chains = true};
  int threads = 1;
  std::int64_t rows = 203, components = 6;
  std::set<std::int64_t> stops = {};  // after these steps: as if a signal came, then a new process
  std::int64_t ends = 0;              // not 0: a run of so many steps ends well before this one
};

inline TrainOptions small_options() {
  TrainOptions options;
  options.epochs = 3;
  options.batch = 64;
  options.shards = 4;
  options.lr = 0.02;
  options.lr_schedule = Curve::cosine;
  options.lr_warmup = 3;
  options.clip_norm = 0.5;
  options.ema = 0.9;
  options.ema_warmup = true;
  options.eval_every = {0.5, Interval::Unit::epochs};
  return options;
}

struct TrainingOutcome {
  std::string bytes;  // everything that a checkpoint holds, and the history without its clock
  TrainingResult result;
  MemorySink sink;
};

inline std::string bytes_of(const Checkpoint& checkpoint) {
  std::string bytes;
  for (const auto* list : {&checkpoint.raw, &checkpoint.ema, &checkpoint.slots, &checkpoint.state})
    for (const TensorRef& tensor : *list) {
      bytes += tensor.name;
      bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    }
  return bytes;
}

// Runs to the end; after each stop it goes on as a new process would.
inline std::unique_ptr<TrainingOutcome> train(const TrainingCase& c) {
  auto outcome = std::make_unique<TrainingOutcome>();
  bool resuming = false, prolonged = c.ends == 0;
  while (true) {
    MixtureModel model({.components = c.components});
    model.initialise(Rng(7));
    MixtureTask task(model, ring_points(c.rows, 5, Rng(3)), c.task);
    Workers workers(c.threads);
    const auto ranks = join_ranks();
    TrainOptions options = c.options;
    if (!prolonged) options.steps = c.ends;
    TrainingLoop loop(task, options, {workers, *ranks},
                      {.seed = 11, .sink = &outcome->sink, .stop_asked = [&](std::int64_t step) {
                         return c.stops.count(step) ? SIGINT : 0;
                       }});
    if (resuming) {
      loop.restore(outcome->sink.saved());
      outcome->sink.resume();
    }
    try {
      outcome->result = loop.run();
      if (prolonged) break;
      prolonged = resuming = true;
    } catch (const Interrupted&) {
      resuming = true;
    }
  }
  outcome->bytes = bytes_of(outcome->sink.saved());
  for (const HistoryLine& line : outcome->sink.lines())
    for (const auto& [name, value] : line.values)
      outcome->bytes += std::to_string(line.step) + name + std::to_string(value);
  return outcome;
}

}  // namespace logpx
