// Filters a chain from its first step on. The slope of the carried block holds what is known after
// some steps. Later steps count as 1, so that messages of a step depend on that step only.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/pc/passes/pass.hpp"
#include "libcore/families/pc/passes/slopes.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace logpx::pc {
namespace {

template <typename T>
class StateSlopes final : public Slopes<T> {
  void at_leaf(const Work<T>&, int, const StepView&) override {}
};

// sum_j slope_j y_j, and slopes divided by it.
template <typename T>
double divide_by_total(std::span<T> slope, const T* y) {
  double sum = 0;
  for (std::size_t j = 0; j < slope.size(); ++j)
    sum += static_cast<double>(slope[j]) * static_cast<double>(y[j]);
  if (sum > 0)
    for (T& s : slope) s = static_cast<T>(static_cast<double>(s) / sum);
  return sum;
}

}  // namespace

template <typename T>
void Pass<T>::predict(std::span<const T> theta, const Columns& columns, std::span<double> log_p) {
  LOGPX_ASSERT(plan_.carry() >= 0 && columns.count == 1);
  begin(columns, Use::filter);
  const Run run = run_of({.theta = theta});
  StateSlopes<T> way;
  const Message<T>& root = messages_[at(plan_.circuit().root)];
  Message<T>& carried = messages_[at(plan_.circuit().carried)];
  bool known = false;
  for (std::int64_t step = 0; step < columns.steps; ++step) {
    const StepView view{.columns = columns, .step = step};
    step_up(run, step);
    double p = 0;
    std::int64_t exponent = carried.exponent[0];
    if (known) {
      p = divide_by_total(std::span(carried.slope), carried.y);
    } else {
      for (const int b : plan_.head()) message_of(run, b, step);
      p = static_cast<double>(root.y[0]);
      exponent = root.exponent[0];
      way.begin(run);
      const std::vector<int>& head = plan_.head();
      for (auto b = head.rbegin(); b != head.rend(); ++b) way.visit(run, *b, view);
    }
    known = p > 0;
    log_p[at(step)] = known ? det_log(p) + static_cast<double>(exponent) * std::numbers::ln2
                            : -std::numeric_limits<double>::infinity();
    if (!known) continue;
    const std::vector<int>& steps = plan_.steps();
    for (auto b = steps.rbegin(); b != steps.rend(); ++b) way.visit(run, *b, view);
    way.end_step(run, view);
  }
}

template void Pass<float>::predict(std::span<const float>, const Columns&, std::span<double>);
template void Pass<double>::predict(std::span<const double>, const Columns&, std::span<double>);

}  // namespace logpx::pc
