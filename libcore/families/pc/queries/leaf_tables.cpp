#include "libcore/families/pc/queries/leaf_tables.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <numeric>

namespace logpx::pc {

std::int64_t most_categories(const Circuit& circuit) {
  return std::ranges::max(circuit.variables, {}, &Variable::categories).categories;
}

template <typename T>
LeafTables<T>::LeafTables(const Circuit& circuit, const Columns& columns,
                          std::vector<double>& tables)
    : tables_(tables),
      variables_(std::ssize(circuit.variables)),
      categories_(most_categories(circuit)) {
  tables.assign(at(columns.count * columns.steps * variables_ * categories_), 0);
}

template <typename T>
void LeafTables<T>::at_leaf(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  const std::int64_t categories = work.plan.circuit().variables[at(block.variable)].categories;
  const bool is_leaf = block.kind == BlockKind::leaf;
  const std::vector<double> all = is_leaf ? leaf_tables(work, b) : std::vector<double>();
  const std::vector<T>& slope = work.of(b).slope;
  for (std::int64_t c = 0; c < work.columns; ++c) {
    const std::int64_t step = c / work.columns_of_row * view.columns.steps + view.step;
    double* const to = tables_.data() + (step * variables_ + block.variable) * categories_;
    if (!is_leaf) {
      to[block.value] += static_cast<double>(slope[at(c)]);
      continue;
    }
    const std::int64_t style = block.styled ? work.styles[c] : 0;
    const double* const p = all.data() + style * block.size * categories;
    for (std::int64_t j = 0; j < block.size; ++j) {
      const auto weight = static_cast<double>(slope[at(j * work.columns + c)]);
      if (weight == 0) continue;
      for (std::int64_t k = 0; k < categories; ++k) to[k] += weight * p[at(j * categories + k)];
    }
  }
}

template <typename T>
void LeafTables<T>::normalise() {
  for (std::size_t from = 0; from < tables_.size(); from += at(categories_)) {
    const std::span<double> table = std::span(tables_).subspan(from, at(categories_));
    const double total = std::accumulate(table.begin(), table.end(), 0.0);
    if (total > 0)
      for (double& p : table) p /= total;
  }
}

template class LeafTables<float>;
template class LeafTables<double>;

}  // namespace logpx::pc
