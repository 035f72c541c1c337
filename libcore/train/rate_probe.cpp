// `--lr auto`: some steps with each rate, all from the same start, and the one with the best first
// metric is taken. Checkpoints hold what was seen, so that it is done once.   [train/README 5.5]
#include "libcore/base/error.hpp"
#include "libcore/train/loop.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

enum Probed { not_yet, measured, ran_away };

Probed probed(const Tensor<double>& table, std::int64_t rate) {
  return static_cast<Probed>(static_cast<int>(table[2 * rate]));
}

// Everything that a step changes.
std::vector<TensorRef> moving_tensors(const Checkpoint& checkpoint) {
  std::vector<TensorRef> all = checkpoint.raw;
  for (const auto* list : {&checkpoint.ema, &checkpoint.slots, &checkpoint.state})
    all.insert(all.end(), list->begin(), list->end());
  return all;
}

}  // namespace

void TrainingLoop::choose_rate() {
  if (probed_.size() == 0 || probed(probed_, 0) != not_yet) return;
  Snapshot start;
  start.take(moving_tensors(checkpoint()));
  const std::int64_t first = step_;
  std::vector<std::optional<double>> values;
  for (const double rate : options_.lr_candidates) {
    schedule_.base = rate;
    int signal = 0;
    values.push_back(metric_after(first + options_.lr_probe, signal));
    start.put_back();
    step_ = first;
    if (signal != 0) save_and_leave(signal);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto row = static_cast<std::int64_t>(2 * i);
    probed_[row] = values[i] ? measured : ran_away;
    probed_[row + 1] = values[i].value_or(0);
  }
  take_best_rate();
}

std::int64_t TrainingLoop::steps_to_probe() const {
  if (probed_.size() == 0 || probed(probed_, 0) != not_yet) return 0;
  return std::min(options_.lr_probe, total_steps_) * std::ssize(options_.lr_candidates);
}

// The first metric at step `end`; nothing if training ran away, or was told to stop.
std::optional<double> TrainingLoop::metric_after(std::int64_t end, int& signal) {
  for (end = std::min(end, total_steps_); step_ < end; ++step_) {
    if (!make_step().trouble.empty()) return std::nullopt;
    foresee();
    if (signal = events().signal; signal != 0) return std::nullopt;
  }
  const double value = task_.evaluate(weights(), machine_.workers, machine_.ranks).front().second;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void TrainingLoop::take_best_rate() {
  if (probed_.size() == 0 || probed(probed_, 0) == not_yet) return;
  const RateProbe seen = *rate_probe();
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < seen.rates.size(); ++i)
    if (seen.values[i] && (!chosen || better(*seen.values[i], *seen.values[*chosen]))) chosen = i;
  if (!chosen)
    fail(ErrorKind::numeric, "--lr auto", "training ran away with every rate that was probed",
         "--lr R with a smaller one");
  schedule_.base = seen.rates[*chosen];
}

std::optional<RateProbe> TrainingLoop::rate_probe() const {
  if (probed_.size() == 0) return std::nullopt;
  RateProbe seen{std::min(options_.lr_probe, total_steps_), options_.lr_candidates, {}};
  for (std::int64_t i = 0; i < probed_.shape()[0]; ++i)
    seen.values.push_back(probed(probed_, i) == measured ? std::optional(probed_[2 * i + 1])
                                                         : std::nullopt);
  return seen;
}

}  // namespace logpx
