// Rows of data as a circuit reads them, side by side: one column for each.
#pragma once

#include "libcore/model/value_region.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace logpx::pc {

// Values of one variable at one step, by column: whole numbers, -1 where one is missing. A real
// variable has 0 there, and its values in `reals`.
struct ColumnValues {
  const std::int32_t* x = nullptr;
  const float* reals = nullptr;         // null where no variable is real
  const ValueRegion* region = nullptr;  // where they lie, as the circuit reads them; null: anywhere

  [[nodiscard]] bool missing(std::int64_t column) const { return x[column] < 0; }
  [[nodiscard]] double number(std::int64_t column, std::int64_t categories) const {
    return categories == 0 ? static_cast<double>(reals[column]) : static_cast<double>(x[column]);
  }
};

// A row of data per column. x [steps, variables, columns], -1 where a value is missing or its row
// has ended; reals the same, or nothing.
struct Columns {
  std::int64_t count = 0, steps = 1;
  std::vector<std::int32_t> x = {};
  std::vector<float> reals = {};
  std::vector<std::int64_t> lengths = {};            // [count], of steps
  std::vector<std::int32_t> styles = {};             // [count]; empty: styles are not known
  std::shared_ptr<const ValueRegions> regions = {};  // by step * variables + variable

  [[nodiscard]] ColumnValues of(std::int64_t step, std::int64_t variables, int variable) const {
    const std::int64_t place = step * variables + variable, from = place * count;
    return {x.data() + from, reals.empty() ? nullptr : reals.data() + from, region(place)};
  }
  [[nodiscard]] const ValueRegion* region(std::int64_t place) const {
    if (!regions) return nullptr;
    const auto found = regions->find(place);
    return found == regions->end() ? nullptr : &found->second;
  }
};

// All variables at one step.
struct StepColumns {
  const Columns& columns;
  std::int64_t step = 0;
};

}  // namespace logpx::pc
