#include "libcore/families/pc/maximisation/maximise.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/circuit/circuit.hpp"

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

namespace {

constexpr double momentum = 0.9;
constexpr std::int64_t portion_numbers = 1 << 14;

// 0.9^k without a logarithm, the same on all machines.
double momentum_power(std::int64_t k) {
  double power = 1;
  for (std::int64_t i = 0; i < k && power > 0; ++i) power *= momentum;
  return power;
}

// One row of a tensor, summed in double.
class RowStep {
 public:
  RowStep(const MaximiseStep& step, std::int64_t columns) : step_(step), fresh_(at(columns)) {}

  template <typename T>
  void run(std::span<const T> counts, std::span<T> statistics, const std::vector<double>& prior,
           std::span<T> theta) {
    mix_counts(step_, counts, statistics, std::span(fresh_));
    double sum = step_.pseudocount;
    for (const double count : fresh_) sum += count;
    if (!(sum > 0)) return;
    const double even = 1 / static_cast<double>(fresh_.size());
    double total = 0;
    for (std::size_t i = 0; i < fresh_.size(); ++i) {
      const double share = prior.empty() ? even : prior[i];
      double value = (fresh_[i] + step_.pseudocount * share) / sum;
      if (moves_parameters(step_.rule))
        value = (1 - step_.rate) * static_cast<double>(theta[i]) + step_.rate * value;
      fresh_[i] = std::max(value, step_.floor);
      total += fresh_[i];
    }
    for (std::size_t i = 0; i < fresh_.size(); ++i) theta[i] = static_cast<T>(fresh_[i] / total);
  }

 private:
  const MaximiseStep& step_;
  std::vector<double> fresh_;
};

}  // namespace

// F = (1 - rate) F + rate C; later work uses F as it was rounded for storage.
template <typename T>
void mix_counts(const MaximiseStep& step, std::span<const T> counts, std::span<T> statistics,
                std::span<double> mixed) {
  const bool averages = step.rule == EmRule::momentum;
  const double rate = averages ? 1 - momentum : step.rate;
  const double scale = averages ? 1 / (1 - momentum_power(step.step + 1)) : 1;
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    mixed[i] = static_cast<double>(counts[i]);
    if (!keeps_statistics(step.rule)) continue;
    statistics[i] =
        static_cast<T>((1 - rate) * static_cast<double>(statistics[i]) + rate * mixed[i]);
    mixed[i] = scale * static_cast<double>(statistics[i]);
  }
}
template void mix_counts(const MaximiseStep&, std::span<const float>, std::span<float>,
                         std::span<double>);
template void mix_counts(const MaximiseStep&, std::span<const double>, std::span<double>,
                         std::span<double>);
bool keeps_statistics(const RowPriors& priors) {
  return std::ranges::any_of(priors, [](const RowPrior& prior) {
    return prior.group && prior.group->moves == RowGroup::Moves::with_average;
  });
}

std::vector<RowPortion> portions_of(const ParamSet& layout, const RowPriors& priors) {
  std::vector<RowPortion> portions;
  auto prior = priors.begin();
  for (const ParamInfo& info : layout.infos()) {
    if (use_of(info.name) != TensorUse::rows) continue;
    const std::int64_t columns = info.shape.back(), end = info.offset + info.shape.elements();
    const std::int64_t most = std::max<std::int64_t>(1, portion_numbers / columns) * columns;
    for (std::int64_t begin = info.offset; begin < end; begin = portions.back().rows.end) {
      while (prior != priors.end() && prior->rows.end <= begin) ++prior;
      const bool shared = prior != priors.end() && prior->rows.begin <= begin;
      std::int64_t behind = end;
      if (prior != priors.end())
        behind = std::min(end, shared ? prior->rows.end : prior->rows.begin);
      if (!shared || !prior->group) behind = std::min(behind, begin + most);
      portions.push_back({{begin, behind}, columns, shared ? &*prior : nullptr});
    }
  }
  return portions;
}

template <typename T>
void maximise(const RowPortion& portion, const MaximiseStep& step, const RowNumbers<T>& numbers) {
  const auto part = [](auto values, std::int64_t begin, std::int64_t end) {
    return values.empty() ? values : values.subspan(at(begin), at(end - begin));
  };
  const auto all = [&](auto values) { return part(values, portion.rows.begin, portion.rows.end); };
  if (portion.prior != nullptr && portion.prior->group)
    return move_group<T>(*portion.prior->group, step,
                         {.counts = all(numbers.counts),
                          .statistics = all(numbers.statistics),
                          .theta = all(numbers.theta),
                          .usual = portion.prior->shares,
                          .columns = portion.columns});
  static const std::vector<double> none;
  RowStep row(step, portion.columns);
  for (std::int64_t begin = portion.rows.begin; begin < portion.rows.end;) {
    const std::int64_t end = begin + portion.columns;
    row.run(part(numbers.counts, begin, end), part(numbers.statistics, begin, end),
            portion.prior != nullptr ? portion.prior->shares : none,
            part(numbers.theta, begin, end));
    begin = end;
  }
}
template void maximise(const RowPortion&, const MaximiseStep&, const RowNumbers<float>&);
template void maximise(const RowPortion&, const MaximiseStep&, const RowNumbers<double>&);

template <typename T>
void maximise(const ParamSet& layout, const MaximiseStep& step, const RowPriors& priors,
              std::span<const T> counts, std::span<T> statistics, std::span<T> theta) {
  for (const RowPortion& portion : portions_of(layout, priors))
    maximise<T>(portion, step, {.counts = counts, .statistics = statistics, .theta = theta});
}
template void maximise(const ParamSet&, const MaximiseStep&, const RowPriors&,
                       std::span<const float>, std::span<float>, std::span<float>);
template void maximise(const ParamSet&, const MaximiseStep&, const RowPriors&,
                       std::span<const double>, std::span<double>, std::span<double>);

}  // namespace logpx::pc
