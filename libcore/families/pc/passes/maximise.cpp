#include "libcore/families/pc/passes/maximise.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

constexpr double momentum = 0.9;

// 0.9^k without a logarithm, the same everywhere.
double momentum_power(std::int64_t k) {
  double power = 1;
  for (std::int64_t i = 0; i < k && power > 0; ++i) power *= momentum;
  return power;
}

// One row of a tensor; numbers in double, as they are summed.
class RowStep {
 public:
  RowStep(const MaximiseStep& step, std::int64_t columns) : step_(step), fresh_(at(columns)) {
    if (step.rule == EmRule::momentum) scale_ = 1 / (1 - momentum_power(step.step + 1));
  }

  template <typename T>
  void run(std::span<const T> counts, std::span<T> statistics, const std::vector<double>& prior,
           std::span<T> theta) {
    for (std::size_t i = 0; i < fresh_.size(); ++i) fresh_[i] = static_cast<double>(counts[i]);
    if (step_.rule == EmRule::stats) mix_into(statistics, step_.rate);
    if (step_.rule == EmRule::momentum) mix_into(statistics, 1 - momentum);
    double sum = step_.pseudocount;
    for (double& count : fresh_) sum += count *= scale_;
    if (!(sum > 0)) return;
    const double even = 1 / static_cast<double>(fresh_.size());
    const bool steps = step_.rule == EmRule::params || step_.rule == EmRule::momentum;
    double total = 0;
    for (std::size_t i = 0; i < fresh_.size(); ++i) {
      const double share = prior.empty() ? even : prior[i];
      double value = (fresh_[i] + step_.pseudocount * share) / sum;
      if (steps) value = (1 - step_.rate) * static_cast<double>(theta[i]) + step_.rate * value;
      fresh_[i] = std::max(value, step_.floor);
      total += fresh_[i];
    }
    for (std::size_t i = 0; i < fresh_.size(); ++i) theta[i] = static_cast<T>(fresh_[i] / total);
  }

 private:
  // F = (1 - rate) F + rate C; the row goes on with F as it is stored.
  template <typename T>
  void mix_into(std::span<T> statistics, double rate) {
    for (std::size_t i = 0; i < fresh_.size(); ++i) {
      const double mixed = (1 - rate) * static_cast<double>(statistics[i]) + rate * fresh_[i];
      statistics[i] = static_cast<T>(mixed);
      fresh_[i] = static_cast<double>(statistics[i]);
    }
  }

  const MaximiseStep& step_;
  double scale_ = 1;
  std::vector<double> fresh_;
};

}  // namespace

template <typename T>
void maximise(const ParamSet& layout, const MaximiseStep& step, const RowPriors& priors,
              std::span<const T> counts, std::span<T> statistics, std::span<T> theta) {
  const std::vector<double> none;
  auto prior = priors.begin();
  for (const ParamInfo& info : layout.infos()) {
    const std::int64_t columns = info.shape.back(), end = info.offset + info.shape.elements();
    RowStep row(step, columns);
    for (std::int64_t begin = info.offset; begin < end; begin += columns) {
      while (prior != priors.end() && prior->rows.end <= begin) ++prior;
      const bool shared = prior != priors.end() && prior->rows.begin <= begin;
      const auto part = [&](auto values) { return values.subspan(at(begin), at(columns)); };
      row.run(part(counts), statistics.empty() ? statistics : part(statistics),
              shared ? prior->shares : none, part(theta));
    }
  }
}
template void maximise(const ParamSet&, const MaximiseStep&, const RowPriors&,
                       std::span<const float>, std::span<float>, std::span<float>);
template void maximise(const ParamSet&, const MaximiseStep&, const RowPriors&,
                       std::span<const double>, std::span<double>, std::span<double>);

}  // namespace logpx::pc
