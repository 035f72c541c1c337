#include "libcore/families/pc/queries/leaf_tables.hpp"

#include "libcore/base/index.hpp"

#include <numeric>

namespace logpx::pc {

template <typename T>
std::int64_t LeafTables<T>::table_size(const Circuit& circuit) {
  std::int64_t size = 0;
  for (const Variable& variable : circuit.variables) size += variable.categories;
  return size;
}

template <typename T>
LeafTables<T>::LeafTables(const Circuit& circuit, std::span<double> tables)
    : circuit_(circuit), tables_(tables), size_(table_size(circuit)) {
  std::int64_t first = 0;
  for (const Variable& variable : circuit.variables) {
    first_.push_back(first);
    first += variable.categories;
  }
}

template <typename T>
void LeafTables<T>::at_leaf(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  const std::int64_t categories = circuit_.variables[at(block.variable)].categories;
  const std::vector<double> p = leaf_tables(work, b);
  const std::vector<T>& slope = work.of(b).slope;
  for (std::int64_t c = 0; c < work.columns; ++c) {
    double* const to =
        tables_.data() + (c * view.columns.steps + view.step) * size_ + first_[at(block.variable)];
    for (std::int64_t j = 0; j < block.size; ++j) {
      const auto weight = static_cast<double>(slope[at(j * work.columns + c)]);
      if (weight == 0) continue;
      for (std::int64_t k = 0; k < categories; ++k) to[k] += weight * p[at(j * categories + k)];
    }
  }
}

template <typename T>
void LeafTables<T>::normalise() {
  for (std::size_t from = 0; from < tables_.size();)
    for (const Variable& variable : circuit_.variables) {
      const std::span<double> table = tables_.subspan(from, at(variable.categories));
      const double total = std::accumulate(table.begin(), table.end(), 0.0);
      if (total > 0)
        for (double& p : table) p /= total;
      from += table.size();
    }
}

template class LeafTables<float>;
template class LeafTables<double>;

}  // namespace logpx::pc
