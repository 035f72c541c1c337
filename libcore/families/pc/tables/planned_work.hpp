// What training the circuit of a table is planned to cost, whatever the machine.   [pc/README 4.7]
#pragma once

#include "libcore/families/pc/model.hpp"
#include "libcore/families/pc/tables/table_choice.hpp"

namespace logpx::pc {

// Multiply-adds of a row on its way up, down and to the counts, in one tree and in one mixture of
// clusters.
struct RowWork {
  double tree = 0, block = 0;

  [[nodiscard]] double of(const TableForm& form) const {
    return static_cast<double>(form.trees) * tree + static_cast<double>(form.blocks) * block;
  }
};

// The circuit has one of each, or more.
[[nodiscard]] RowWork work_of_row(const PcModel& model);

}  // namespace logpx::pc
