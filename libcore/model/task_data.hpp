// The rows that a model learns from, and those that judge it while it learns.
#pragma once

#include "libcore/model/model.hpp"

#include <optional>

namespace logpx {

struct TaskData {
  Examples train;
  std::optional<Examples> valid = {};
};

}  // namespace logpx
