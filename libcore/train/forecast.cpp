// What a training says about its own length: before it begins, for --dry-run, or after a few steps.
// Clocks decide what is said here, never what is computed.
#include "libcore/base/clock.hpp"
#include "libcore/base/index.hpp"
#include "libcore/train/loop.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

constexpr double longest_trial = 1;  // seconds, of steps with few rows

}  // namespace

// The evaluation at the end is counted, too.
double TrainingLoop::evaluations_in(std::int64_t steps) const {
  const Interval& every = options_.eval_every;
  if (every.amount <= 0) return 1;
  const auto parts = [&](double done) { return std::ceil(done / every.amount); };
  switch (every.unit) {
    case Interval::Unit::steps: return parts(static_cast<double>(steps));
    case Interval::Unit::epochs: return parts(epochs_at(steps));
    case Interval::Unit::samples: return parts(static_cast<double>(samples_at(steps)));
    case Interval::Unit::seconds: break;
  }
  return parts(static_cast<double>(steps) * pace_.step_seconds());
}

void TrainingLoop::foresee() {
  if (!settings_.foresee || !pace_.is_known()) return;
  const auto tell = std::exchange(settings_.foresee, {});
  const std::int64_t left = total_steps_ - step_, probing = steps_to_probe(), all = left + probing;
  if (left <= 0) return;
  const double evaluations =
      evaluations_in(left) +
      (probing > 0 ? static_cast<double>(options_.lr_candidates.size()) : 0.0);
  const double seconds =
      static_cast<double>(all) * pace_.step_seconds() + evaluations * pace_.evaluation_seconds();
  const double limit = options_.max_seconds.seconds;
  tell({.steps = all,
        .step_seconds = pace_.step_seconds(),
        .total_seconds = limit > 0 ? std::min(seconds, limit) : seconds});
}

double TrainingLoop::time_steps(int count) {
  const std::int64_t last = std::min(step_ + count, total_steps_);
  double seconds = 0;
  int timed = 0;
  for (bool first = true; step_ < last; first = false, ++step_) {
    const double begin = wall_seconds();
    one_step();
    if (!first || last == step_ + 1) {
      seconds += wall_seconds() - begin;
      ++timed;
    }
  }
  return timed > 0 ? seconds / timed : 0;
}

// Times a step with the first of its rows, and a second time unless making its graphs hardly
// counts. All ranks use the clock of the first.
double TrainingLoop::seconds_of_rows(std::int64_t rows) {
  double seconds[1] = {0};
  for (int time = 0; time < 2 && seconds[0] < long_step; ++time) {
    const double begin = wall_seconds();
    static_cast<void>(run_step(order_.rows_of(step_).first(at(rows))));
    seconds[0] = machine_.ranks.first() ? wall_seconds() - begin : 0;
    machine_.ranks.sum(std::span<double>(seconds));
  }
  return seconds[0];
}

// Doubles the rows until they make a whole step or time is up: every further row is then taken to
// last as long as the rows before it.
double TrainingLoop::forecast_step() {
  if (step_ >= total_steps_) return 0;
  const std::int64_t whole = std::ssize(order_.rows_of(step_));
  const std::int64_t each_thread_one = machine_.workers.threads() * machine_.ranks.size();
  std::int64_t rows = task_.drops_short_steps() ? whole : std::min(whole, each_thread_one);
  double seconds = seconds_of_rows(rows), row_seconds = seconds / static_cast<double>(rows);
  while (rows < whole && seconds < longest_trial) {
    const std::int64_t more = std::min(2 * rows, whole);
    const double longer = seconds_of_rows(more);
    row_seconds = std::max(longer - seconds, 0.0) / static_cast<double>(more - rows);
    rows = more;
    seconds = longer;
  }
  return seconds + row_seconds * static_cast<double>(whole - rows);
}

}  // namespace logpx
