#include "libcore/math/adaptive_quadrature.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/gauss_rules.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace logpx {
namespace {

QuadraturePanel make_panel(const RealFunction& f, double low, double high,
                           const KronrodRule& rule) {
  QuadraturePanel panel{.low = low, .high = high};
  const double middle = low / 2 + high / 2, half = high / 2 - low / 2;
  std::vector<double> x(rule.nodes.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = middle + half * rule.nodes[i];
  panel.values.resize(x.size());
  f(x, panel.values);
  double gauss = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    panel.integral += rule.weights[i] * panel.values[i];
    gauss += rule.gauss_weights[i] * panel.values[i];
  }
  panel.integral *= half;
  panel.error = std::fabs(panel.integral - half * gauss);
  if (!std::isfinite(panel.integral))
    fail(ErrorKind::numeric, "integral",
         "is not finite between " + four_digits(low) + " and " + four_digits(high));
  return panel;
}

bool smaller_error(const QuadraturePanel& a, const QuadraturePanel& b) { return a.error < b.error; }

void add_up(AdaptiveIntegral& integral) {
  integral.value = integral.error = 0;
  for (const QuadraturePanel& panel : integral.panels) {
    integral.value += panel.integral;
    integral.error += panel.error;
  }
}

}  // namespace

AdaptiveIntegral adaptive_integral(const RealFunction& f, std::span<const double> breaks,
                                   const AdaptiveOptions& options) {
  LOGPX_ASSERT(breaks.size() >= 2);
  const KronrodRule& rule = gauss_kronrod(options.kronrod);
  AdaptiveIntegral result;
  std::vector<QuadraturePanel>& heap = result.panels;  // the largest error first
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    LOGPX_ASSERT(breaks[i] < breaks[i + 1]);
    heap.push_back(make_panel(f, breaks[i], breaks[i + 1], rule));
  }
  std::make_heap(heap.begin(), heap.end(), smaller_error);
  const auto enough = std::max(static_cast<std::size_t>(options.panels), heap.size());
  for (;;) {
    add_up(result);
    if (result.error <= std::max(options.tolerance * std::fabs(result.value), options.floor)) break;
    const double low = heap.front().low, high = heap.front().high, middle = low / 2 + high / 2;
    if (heap.size() >= enough || !(low < middle && middle < high))
      fail(ErrorKind::numeric, "integral",
           "has an error of " + four_digits(result.error / std::fabs(result.value)) +
               " of its value after " + std::to_string(heap.size()) +
               " panels, which is worst near " + four_digits(middle));
    std::pop_heap(heap.begin(), heap.end(), smaller_error);
    heap.back() = make_panel(f, low, middle, rule);
    std::push_heap(heap.begin(), heap.end(), smaller_error);
    heap.push_back(make_panel(f, middle, high, rule));
    std::push_heap(heap.begin(), heap.end(), smaller_error);
  }
  std::sort(heap.begin(), heap.end(),
            [](const QuadraturePanel& a, const QuadraturePanel& b) { return a.low < b.low; });
  add_up(result);
  return result;
}

}  // namespace logpx
