#include "tests/bench/step_times.hpp"

#include "libcore/train/ranks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace logpx::bench {

namespace {

StepTimes times_on(const TrainingMachine& machine, TrainingTask& task, TrainOptions options,
                   int rounds) {
  options.steps = 1'000'000;
  TrainingLoop loop(task, options, machine, {});
  static_cast<void>(loop.time_steps(10));
  std::vector<double> seconds(static_cast<std::size_t>(rounds));
  for (double& each : seconds) each = loop.time_steps(1);
  std::ranges::sort(seconds);
  return {seconds[seconds.size() / 2], seconds.front()};
}

}  // namespace

StepTimes step_times(TrainingTask& task, TrainOptions options, int threads, int rounds) {
  Workers workers(threads);
  return times_on({workers, *one_rank()}, task, std::move(options), rounds);
}

StepTimes step_times(TrainingTask& task, TrainOptions options, Ranks& ranks, int rounds) {
  Workers workers(1);
  return times_on({workers, ranks}, task, std::move(options), rounds);
}

}  // namespace logpx::bench
