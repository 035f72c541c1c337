// Rows of a built-in dataset: what the preset `tiny` of a family learns from.
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/data/synthetic.hpp"
#include "libcore/model/task_data.hpp"

namespace logpx {

[[nodiscard]] inline HeldRows synthetic_rows(const SyntheticRequest& request) {
  Workers alone(1);
  const auto made = make_synthetic(request, alone);
  return {.info = made->info(), .rows = made->read(0, made->info().n)};
}

}  // namespace logpx
