// Rows as numbers, and numbers as rows that a model reads.
#pragma once

#include "libcore/model/model.hpp"
#include "libcore/model/task_data.hpp"

#include <span>
#include <vector>

namespace logpx {

// x of all rows as it is stored; what is missing is not a number.
[[nodiscard]] std::vector<float> numbers_of(const DatasetInfo& info, const Rows& rows);
// A data error for values that the model does not know, and for tables of words, whose numbers say
// nothing without them.
[[nodiscard]] HeldRows rows_of(const ModelInfo& model, std::span<const float> numbers);

}  // namespace logpx
