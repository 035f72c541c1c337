#include "libcore/train/evaluation.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/train/ranks.hpp"
#include "libcore/train/tree_sum.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::int64_t rows_evaluated_at_a_time = 100;

}  // namespace

std::vector<double> sum_over_rows(
    const EvaluationMachine& machine, RowTable table,
    const std::function<void(RowBlock, std::span<double> sums)>& add) {
  const std::int64_t blocks =
      (table.rows + rows_evaluated_at_a_time - 1) / rows_evaluated_at_a_time;
  std::vector<double> sums(at(blocks * table.columns));
  machine.workers.run(blocks, [&](std::int64_t block) {
    if (block % machine.ranks.size() != machine.ranks.rank()) return;
    const std::int64_t first = block * rows_evaluated_at_a_time;
    add({first, std::min(rows_evaluated_at_a_time, table.rows - first)},
        std::span(sums).subspan(at(block * table.columns), at(table.columns)));
  });
  machine.ranks.sum(std::span<double>(sums));  // a block is zero on all ranks but one
  tree_sum(sums, blocks, table.columns);
  sums.resize(at(table.columns));
  return sums;
}

}  // namespace logpx
