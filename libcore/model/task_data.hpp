// The rows that a model is trained on, and those that validate it meanwhile.
#pragma once

#include "libcore/model/model.hpp"

#include <cstdint>
#include <optional>

namespace logpx {

// Rows in memory, with the number of the first in their dataset.
struct HeldRows {
  DatasetInfo info;
  Rows rows;
  std::int64_t first = 0;
  [[nodiscard]] Examples examples() const { return {info, rows, first}; }
};

struct TaskData {
  Examples train;
  std::optional<Examples> valid = {};
};

}  // namespace logpx
