// Single updates of a KAEM's training that change no parameter.
#pragma once

#include "libcore/families/kaem/training/task.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::kaem {

// One update on so many copies of row 0.
struct OneUpdate {
  std::int64_t step = 0, copies = 1;
};
// Runs phases in their order, and adds their gradients of the loss if there is a block for them;
// returns the first term of the last phase that has some.
double run_phases(std::span<Phase* const> phases, ParamSet& params, const OneUpdate& update,
                  std::span<float> gradient = {});
// d log p / d theta of the row, as the phases of one update give it.
[[nodiscard]] std::vector<float> gradient_of_update(KaemTask& task, const OneUpdate& update);

}  // namespace logpx::kaem
