#include "libcore/families/vdm/grids/fitted_grid.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <limits>

namespace logpx::vdm {
namespace {

// 0.5 expm1(d spacing) for steps over d = 0, 1 .. nodes.
std::vector<double> cost_of_steps(std::int64_t nodes, double spacing) {
  std::vector<double> cost;
  for (std::int64_t d = 0; d < nodes; ++d)
    cost.push_back(0.5 * det_expm1(static_cast<double>(d) * spacing));
  return cost;
}

}  // namespace

std::vector<std::int64_t> best_nodes(std::span<const double> mse, double spacing,
                                     std::int64_t steps) {
  const std::int64_t nodes = std::ssize(mse);
  LOGPX_ASSERT(steps >= 1 && steps < nodes);
  const std::vector<double> step_cost = cost_of_steps(nodes, spacing);
  constexpr double unreached = std::numeric_limits<double>::infinity();
  std::vector<double> least(at(nodes), unreached), next(at(nodes));
  std::vector<std::int64_t> from(at(steps * nodes));  // by step and node: where it was entered
  least[0] = 0;
  for (std::int64_t i = 0; i < steps; ++i) {
    for (std::int64_t n = 0; n < nodes; ++n) {
      next[at(n)] = unreached;
      for (std::int64_t m = i; m < n; ++m) {
        const double cost = least[at(m)] + step_cost[at(n - m)] * mse[at(n)];
        if (m == i || cost < next[at(n)]) {
          next[at(n)] = cost;
          from[at(i * nodes + n)] = m;
        }
      }
    }
    least.swap(next);
  }
  std::vector<std::int64_t> chosen(at(steps + 1), nodes - 1);
  for (std::int64_t i = steps; i-- > 0;) chosen[at(i)] = from[at(i * nodes + chosen[at(i + 1)])];
  return chosen;
}

double cost_of(std::span<const std::int64_t> nodes, std::span<const double> mse, double spacing) {
  const std::vector<double> step_cost = cost_of_steps(std::ssize(mse), spacing);
  double sum = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i)
    sum += step_cost[at(nodes[i] - nodes[i - 1])] * mse[at(nodes[i])];
  return sum;
}

std::vector<double> curve_at_nodes(std::span<const double> mse_curve) {
  LOGPX_ASSERT(std::ssize(mse_curve) == curve_points);
  constexpr std::int64_t nodes_each = (grid_nodes - 1) / (curve_points - 1);
  std::vector<double> values;
  for (std::int64_t n = 0; n < grid_nodes; ++n) {
    const std::int64_t left = n / nodes_each;
    const double share = static_cast<double>(n % nodes_each) / static_cast<double>(nodes_each);
    const double begin = mse_curve[at(left)];
    values.push_back(share > 0 ? begin + share * (mse_curve[at(left + 1)] - begin) : begin);
  }
  return values;
}

std::vector<double> fitted_grid(const Endpoints& ends, std::span<const double> mse_curve,
                                std::int64_t steps) {
  const double spacing = ends.gap() / static_cast<double>(grid_nodes - 1);
  std::vector<double> gamma;
  for (const std::int64_t node : best_nodes(curve_at_nodes(mse_curve), spacing, steps))
    gamma.push_back(ends.first + spacing * static_cast<double>(node));
  gamma.back() = ends.last;
  return gamma;
}

}  // namespace logpx::vdm
