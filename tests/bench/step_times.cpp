#include "tests/bench/step_times.hpp"

#include "libcore/train/ranks.hpp"

#include <algorithm>
#include <vector>

namespace logpx::bench {

StepTimes step_times(TrainingTask& task, TrainOptions options, int threads, int rounds) {
  options.steps = 1'000'000;
  Workers workers(threads);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, options, {workers, *ranks}, {});
  static_cast<void>(loop.time_steps(10));
  std::vector<double> seconds(static_cast<std::size_t>(rounds));
  for (double& each : seconds) each = loop.time_steps(1);
  std::ranges::sort(seconds);
  return {seconds[seconds.size() / 2], seconds.front()};
}

}  // namespace logpx::bench
