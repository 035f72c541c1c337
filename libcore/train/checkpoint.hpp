// What a training run carries from step to step, as plain data, and who stores it. libcore opens no
// file: a sink does.   [train/README 5.1]
#pragma once

#include "libcore/math/tensor_ref.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

// Borrowed memory both ways: written from where it lives, and copied into place on resume. The
// generator has no state, and the order of the data is a function of seed and epoch.
struct Checkpoint {
  std::uint64_t seed = 1;
  std::int64_t step = 0, epoch = 0, samples = 0;  // done so far
  double seconds = 0;                         // of training, for the history; no file need keep it
  std::vector<TensorRef> raw = {}, ema = {};  // parameters; ema may be empty
  std::vector<TensorRef> slots = {};          // of the optimiser
  std::vector<TensorRef> state = {};          // of the family, and the loop's own counters
};

using Metrics = std::vector<std::pair<std::string, double>>;

// A line of the history: means since the line before, then what an evaluation measured.
struct HistoryLine {
  std::int64_t step = 0;
  double epoch = 0;  // with its fraction
  std::int64_t samples = 0;
  double seconds = 0;
  Metrics values;
};

// Shown while a run goes on.
struct TrainingProgress {
  std::int64_t step = 0, steps = 0;
  double epoch = 0, epochs = 0, loss = 0;
  std::optional<double> rate = {};  // when the way of training reads one
  double step_seconds = 0;
};

class TrainingSink {
 public:
  virtual ~TrainingSink() = default;
  virtual void save(const Checkpoint& checkpoint) = 0;
  virtual void append(const HistoryLine& line) = 0;
  virtual void show(const TrainingProgress&) {}
  // In words, for messages: "vdm.ckpt.h5, step 1000", or "" when there is none yet.
  [[nodiscard]] virtual std::string last_checkpoint() const { return ""; }
};

}  // namespace logpx
