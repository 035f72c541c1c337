// How long training takes over its steps, whatever the family.
#pragma once

#include "libcore/model/task_data.hpp"
#include "libcore/train/loop.hpp"

namespace logpx::bench {

struct StepTimes {
  double median = 0, least = 0;  // seconds
};
// Times `rounds` steps with these options, after some that do not count.
[[nodiscard]] StepTimes step_times(TrainingTask& task, TrainOptions options, int threads,
                                   int rounds);
// The same on one of several ranks, with a thread each.
[[nodiscard]] StepTimes step_times(TrainingTask& task, TrainOptions options, Ranks& ranks,
                                   int rounds);

// Pictures of noise in grey: what a step costs does not depend on what is seen.
[[nodiscard]] HeldRows noise_pictures(std::int64_t side, std::int64_t levels, std::int64_t count);

}  // namespace logpx::bench
