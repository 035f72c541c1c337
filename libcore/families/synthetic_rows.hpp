// Rows of a built-in dataset: what the preset `tiny` of a family learns from.
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/data/synthetic.hpp"
#include "libcore/model/task_data.hpp"

#include <cstdint>
#include <functional>
#include <utility>

namespace logpx {

[[nodiscard]] inline HeldRows synthetic_rows(const SyntheticRequest& request) {
  Workers alone(1);
  const auto made = make_synthetic(request, alone);
  return {.info = made->info(), .rows = made->read(0, made->info().n)};
}

// Family::tiny_rows: so many of them as are asked for.
[[nodiscard]] inline std::function<HeldRows(std::int64_t)> rows_as_asked(SyntheticRequest request) {
  return [request = std::move(request)](std::int64_t rows) {
    SyntheticRequest asked = request;  // several threads ask
    asked.n = rows;
    return synthetic_rows(asked);
  };
}

}  // namespace logpx
