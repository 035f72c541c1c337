#include "libcore/families/pc/maximisation/row_group.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/maximisation/maximise.hpp"

#include <algorithm>
#include <numeric>

namespace logpx::pc {
namespace {

constexpr double least_average_rate = 0.03, average_rate = 0.2;  // the latter times the step's rate
constexpr std::int64_t steps_before_moving = 10;

// F = (1 - rate) F + rate C; in the first steps F is the mean of all.
template <typename T>
void average_counts(const MaximiseStep& step, const GroupRows<T>& rows) {
  const double rate = std::max(
      {least_average_rate, average_rate * step.rate, 1 / static_cast<double>(step.step + 1)});
  for (std::size_t i = 0; i < rows.theta.size(); ++i)
    rows.statistics[i] = static_cast<T>((1 - rate) * static_cast<double>(rows.statistics[i]) +
                                        rate * static_cast<double>(rows.counts[i]));
}

// Shares of pooled counts by kind of row, [kinds, columns]; zeros where a kind has no counts.
template <typename T>
std::vector<double> pool_of(std::span<const T> counts, std::size_t kinds, std::size_t columns) {
  std::vector<double> pool(kinds * columns);
  for (std::size_t begin = 0; begin < counts.size(); begin += pool.size())
    for (std::size_t i = 0; i < pool.size(); ++i) pool[i] += static_cast<double>(counts[begin + i]);
  for (std::size_t begin = 0; begin < pool.size(); begin += columns) {
    const std::span<double> kind = std::span(pool).subspan(begin, columns);
    const double sum = std::accumulate(kind.begin(), kind.end(), 0.0);
    if (sum > 0)
      for (double& share : kind) share /= sum;
  }
  return pool;
}

}  // namespace

template <typename T>
void move_group(const RowGroup& group, const MaximiseStep& step, const GroupRows<T>& rows) {
  if (group.moves == RowGroup::Moves::never) return;
  const bool averages = group.moves == RowGroup::Moves::with_average;
  if (averages) average_counts(step, rows);
  if (averages && step.step + 1 < steps_before_moving) return;
  const std::span<const T> counts = averages ? std::span<const T>(rows.statistics) : rows.counts;
  const double rate = averages ? 1 : step.rate, kappa = step.pseudocount * group.pseudocounts;
  const std::size_t columns = at(rows.columns), kinds = at(group.kinds);
  std::vector<double> pool;
  if (group.of_pool > 0) pool = pool_of(counts, kinds, columns);
  std::vector<double> fresh(columns);
  for (std::size_t begin = 0, row = 0; begin < rows.theta.size(); begin += columns, ++row) {
    const std::span<T> theta = rows.theta.subspan(begin, columns);
    const std::span<const T> own = counts.subspan(begin, columns);
    const auto used = std::ranges::count_if(theta, [](T value) { return value > 0; });
    const double sum = std::accumulate(own.begin(), own.end(), kappa),
                 even = group.even / static_cast<double>(used);
    if (!(sum > 0) || used == 0) continue;
    double total = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      double p = pool.empty() ? 0 : group.of_pool * pool[row % kinds * columns + i];
      if (!rows.usual.empty()) p += (1 - group.of_pool) * rows.usual[i];
      p = (1 - group.even) * p + even;
      const double value = (static_cast<double>(own[i]) + kappa * p) / sum;
      fresh[i] = (1 - rate) * static_cast<double>(theta[i]) + rate * value;
      fresh[i] = theta[i] > 0 ? std::max(fresh[i], step.floor) : 0;
      total += fresh[i];
    }
    for (std::size_t i = 0; i < columns; ++i) theta[i] = static_cast<T>(fresh[i] / total);
  }
}
template void move_group(const RowGroup&, const MaximiseStep&, const GroupRows<float>&);
template void move_group(const RowGroup&, const MaximiseStep&, const GroupRows<double>&);

}  // namespace logpx::pc
