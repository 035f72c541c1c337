#include "libcore/families/pc/maximisation/maximise.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/circuit/circuit.hpp"

#include <algorithm>

namespace logpx::pc {
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
