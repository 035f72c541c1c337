// What an evaluation of training runs on, and sums over the rows that it measures.
#pragma once

#include "libcore/math/repeatable.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx {

class Ranks;
class Workers;

struct EvaluationMachine {
  Workers& workers;
  Ranks& ranks;
  Numerics numerics;
};

// Rows that are evaluated together.
struct RowBlock {
  std::int64_t first = 0, count = 0;
};
// So many rows, and so many sums (columns) of each.
struct RowTable {
  std::int64_t rows = 0, columns = 0;
};

// Sums over rows, cut into blocks that ranks and threads share: add(block, sums [columns]) adds the
// rows of one block to zeros. All ranks get the same sums, whatever the threads and ranks.
[[nodiscard]] std::vector<double> sum_over_rows(
    const EvaluationMachine& machine, RowTable table,
    const std::function<void(RowBlock, std::span<double> sums)>& add);

}  // namespace logpx
