#include "libcore/families/pc/queries/leaf_tables.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
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
  const std::int64_t places = columns.count * columns.steps * variables_;
  tables.assign(at(places * categories_), 0);
  if (circuit.has_reals()) sums_.resize(at(places));
}

template <typename T>
void LeafTables<T>::at_leaf(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  const std::int64_t categories = work.plan.circuit().variables[at(block.variable)].categories;
  const bool is_leaf = block.kind == BlockKind::leaf;
  if (is_leaf && categories == 0) return add_nodes(work, b, view);
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

// A variable may have several leaves with exponents of their own. Sums keep the smallest exponent,
// so that at worst the others vanish.
template <typename T>
void LeafTables<T>::add_nodes(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  const Leaf& leaf = *work.plan.leaf(b);
  const Message<T>& message = work.of(b);
  std::vector<double> q(at(leaf.parameters())), means, squares;
  const T* parameters = work.parameters(b);
  for (std::int64_t j = 0; j < block.size; ++j, parameters += q.size()) {
    std::copy_n(parameters, q.size(), q.begin());
    const double mean = leaf.mean(q), deviation = leaf.value_at(q, 1) - mean;
    means.push_back(mean);
    squares.push_back(mean * mean + deviation * deviation);
  }
  for (std::int64_t c = 0; c < work.columns; ++c) {
    const std::int64_t step = c / work.columns_of_row * view.columns.steps + view.step;
    NodeSums& sums = sums_[at(step * variables_ + block.variable)];
    const std::int64_t exponent = message.exponent[c];
    const bool first = sums.nodes == 0;
    const std::int64_t least = first ? exponent : std::min(sums.exponent, exponent);
    const auto factor = [least](std::int64_t e) {
      return std::ldexp(1.0, -static_cast<int>(std::min<std::int64_t>(e - least, 4096)));
    };
    const double old = factor(sums.exponent), own = factor(exponent);
    if (!first) sums.nodes *= old, sums.mean *= old, sums.square *= old;
    sums.exponent = least;
    for (std::int64_t j = 0; j < block.size; ++j) {
      const auto slope = static_cast<double>(message.slope[at(j * work.columns + c)]);
      sums.nodes += own * slope;
      sums.mean += own * slope * means[at(j)];
      sums.square += own * slope * squares[at(j)];
      sums.there += slope * static_cast<double>(message.y[j * work.columns + c]);
    }
  }
}

template <typename T>
RealMoments LeafTables<T>::moments(std::int64_t i) const {
  const NodeSums& sums = sums_[at(i)];
  if (!(sums.nodes > 0)) return {.nats = -std::numeric_limits<double>::infinity()};
  return {.mean = sums.mean / sums.nodes,
          .square = sums.square / sums.nodes,
          .nats = std::log(sums.there / sums.nodes) +
                  static_cast<double>(sums.exponent) * std::numbers::ln2};
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
