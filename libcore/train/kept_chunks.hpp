// How the rows of a task are cut into chunks, on which their order depends, as a checkpoint keeps
// it.   [train/README 4.1]
#pragma once

#include "libcore/data/row_store.hpp"
#include "libcore/math/tensor.hpp"
#include "libcore/train/checkpoint.hpp"
#include "libcore/train/task.hpp"

namespace logpx {

inline constexpr const char* chunks_name = "loop/chunks";

[[nodiscard]] RowChunks chunks_of(const TrainingTask& task);
// [2]; empty where all rows are held.
[[nodiscard]] Tensor<double> chunks_tensor(const TrainingTask& task);
// Refuses to go on with rows in another order, and names the memory that gives the one of before.
void require_same_chunks(const TrainingTask& task, const Checkpoint& from);

}  // namespace logpx
