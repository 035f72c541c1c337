#include "tests/bench/step_times.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
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

HeldRows noise_pictures(std::int64_t side, std::int64_t levels, std::int64_t count) {
  HeldRows held;
  held.info.name = "noise";
  held.info.content = Content::image;
  held.info.shape = {side, side, 1};
  held.info.levels = levels;
  held.info.value_max = static_cast<double>(levels - 1);
  held.rows.count = count;
  held.rows.x.resize(at(count * side * side));
  const Substream noise = Rng(1).stream(Stream::test);
  for (std::size_t i = 0; i < held.rows.x.size(); ++i)
    held.rows.x[i] = static_cast<std::byte>(static_cast<double>(levels) * noise.uniform(i));
  return held;
}

}  // namespace logpx::bench
