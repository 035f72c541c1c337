// Messages of leaves that are not tables, and the statistics of their nodes.
#include "libcore/base/index.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/pc/passes/message.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace logpx::pc {
namespace {

// Observed values, and their columns.
struct Present {
  std::vector<double> values;
  std::vector<std::int64_t> columns;
};

template <typename T>
Present present_of(const Work<T>& work, int b, const ColumnValues& values) {
  const std::int64_t categories =
      work.plan.circuit().variables[at(work.plan.block(b).variable)].categories;
  Present present;
  for (std::int64_t c = 0; c < work.columns; ++c) {
    if (values.missing(c)) continue;
    present.values.push_back(values.number(c, categories));
    present.columns.push_back(c);
  }
  return present;
}

}  // namespace

// Log-densities may be far below what a number holds under every node.
template <typename T>
void scale_logs(std::span<const std::int64_t> some, std::span<const double> nats,
                std::int64_t nodes, std::int64_t columns, Message<T>& message) {
  const std::size_t count = some.size();
  constexpr double no_scale = std::numeric_limits<double>::infinity();  // of what no node can be
  std::vector<double> scales(nats.begin(), nats.begin() + std::ssize(some)), row(count);
  for (std::int64_t j = 1; j < nodes; ++j)
    for (std::size_t i = 0; i < count; ++i)
      scales[i] = std::max(scales[i], nats[at(j) * count + i]);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t& exponent = message.exponent[some[i]];
    if (std::isfinite(scales[i]))
      exponent = static_cast<std::int64_t>(
          std::clamp(std::ceil(scales[i] / std::numbers::ln2), -0x1p54, 0x1p54));
    scales[i] =
        std::isfinite(scales[i]) ? static_cast<double>(exponent) * std::numbers::ln2 : no_scale;
  }
  for (std::int64_t j = 0; j < nodes; ++j) {
    for (std::size_t i = 0; i < count; ++i) row[i] = nats[at(j) * count + i] - scales[i];
    det::exp(row, row);
    for (std::size_t i = 0; i < count; ++i)
      message.y[j * columns + some[i]] = static_cast<T>(row[i]);
  }
}
template void scale_logs(std::span<const std::int64_t>, std::span<const double>, std::int64_t,
                         std::int64_t, Message<float>&);
template void scale_logs(std::span<const std::int64_t>, std::span<const double>, std::int64_t,
                         std::int64_t, Message<double>&);

// y_j = p_j(x), and 1 where x is missing, or p_j of its mode.
template <typename T>
void density_message(const Work<T>& work, int b, const ColumnValues& values) {
  const Block& block = work.plan.block(b);
  const Leaf& leaf = *work.plan.leaf(b);
  Message<T>& message = work.of(b);
  const Present present = present_of(work, b, values);
  const std::size_t count = present.columns.size();
  std::vector<double> nats(at(block.size) * count), q(at(leaf.parameters()));
  std::vector<double> of_modes;
  const T* parameters = work.parameters(b);
  for (std::int64_t j = 0; j < block.size; ++j, parameters += q.size()) {
    std::copy_n(parameters, q.size(), q.begin());
    leaf.log_p(q, present.values, std::span(nats).subspan(at(j) * count, count));
    if (work.over == Over::sums || std::ssize(present.columns) == work.columns) continue;
    const double mode = leaf.mode(q);
    leaf.log_p(q, std::span(&mode, 1), std::span(&of_modes.emplace_back(), 1));
  }
  std::fill_n(message.exponent, work.columns, 0);
  scale_logs(std::span<const std::int64_t>(present.columns), nats, block.size, work.columns,
             message);
  for (std::int64_t c = 0; c < work.columns; ++c) {
    if (!values.missing(c)) continue;
    for (std::int64_t j = 0; j < block.size; ++j)
      message.y[j * work.columns + c] =
          of_modes.empty() ? T{1} : static_cast<T>(det_exp(of_modes[at(j)]));
  }
}

template <typename T>
void density_slopes(const Work<T>& work, int b, const ColumnValues& values) {
  const Block& block = work.plan.block(b);
  const Leaf& leaf = *work.plan.leaf(b);
  const Message<T>& message = work.of(b);
  const Present present = present_of(work, b, values);
  T* to = work.parameter_slopes(b, 1);
  const T* parameters = work.parameters(b);
  std::vector<double> sums(at(leaf.statistics())), q(at(leaf.parameters()));
  for (std::int64_t j = 0; j < block.size; ++j, to += sums.size(), parameters += q.size()) {
    std::copy_n(parameters, q.size(), q.begin());
    std::ranges::fill(sums, 0.0);
    for (std::size_t i = 0; i < present.columns.size(); ++i) {
      const std::int64_t place = j * work.columns + present.columns[i];
      const double weight =
          static_cast<double>(message.slope[at(place)]) * static_cast<double>(message.y[place]);
      if (weight > 0) leaf.add_statistics(q, present.values[i], weight, sums);
    }
    for (std::size_t k = 0; k < sums.size(); ++k) to[k] += static_cast<T>(sums[k]);
  }
}

template <typename T>
std::vector<double> leaf_tables(const Work<T>& work, int b) {
  const Block& block = work.plan.block(b);
  const std::int64_t categories = work.plan.circuit().variables[at(block.variable)].categories;
  const T* parameters = work.parameters(b);
  const std::int64_t styles = block.styled ? work.plan.circuit().styles : 1;
  if (const Leaf* const leaf = work.plan.leaf(b); leaf != nullptr)
    return tables_of(*leaf, parameters, block.size, categories);
  return {parameters, parameters + styles * block.size * categories};
}
template std::vector<double> leaf_tables(const Work<float>&, int);
template std::vector<double> leaf_tables(const Work<double>&, int);

template void density_message(const Work<float>&, int, const ColumnValues&);
template void density_message(const Work<double>&, int, const ColumnValues&);
template void density_slopes(const Work<float>&, int, const ColumnValues&);
template void density_slopes(const Work<double>&, int, const ColumnValues&);

}  // namespace logpx::pc
