#include "libcore/energy/energy_cells.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/arrays.hpp"
#include "libcore/energy/feature_curves.hpp"
#include "libcore/math/cell_quantiles.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr std::size_t nodes_of_cell = 3;
constexpr double no_density = -1000;  // its exponential is 0

std::vector<double> nodes_in(const std::vector<double>& edges) {
  const double outer = std::sqrt(0.6);
  std::vector<double> nodes;
  for (std::size_t j = 0; j + 1 < edges.size(); ++j) {
    const double half = (edges[j + 1] - edges[j]) / 2, middle = edges[j] + half;
    nodes.insert(nodes.end(), {middle - half * outer, middle, middle + half * outer});
  }
  return nodes;
}

// The masses of one curve from log G on the nodes, which are lost.
void masses_of(const std::vector<double>& edges, std::span<double> log_g, std::span<double> masses,
               const std::string& name) {
  const double largest = *std::ranges::max_element(log_g);
  if (!std::isfinite(largest)) fail(ErrorKind::numeric, name, "has no mass on its domain");
  for (double& value : log_g) value = std::max(value - largest, no_density);
  det::exp(log_g, log_g);
  double sum = 0;
  for (std::size_t j = 0; j < masses.size(); ++j) {
    const double* const g = &log_g[j * nodes_of_cell];
    masses[j] = (edges[j + 1] - edges[j]) * (5 * g[0] + 8 * g[1] + 5 * g[2]);
    sum = sum + masses[j];
  }
  for (double& mass : masses) mass = mass / sum;
}

}  // namespace

EnergyCells energy_cells(const EnergyValues& values, std::int64_t feature, std::int64_t count) {
  const RepeatableFunctions repeatable;
  const FeatureCurves<double> curves(values, feature);
  std::vector<double> breaks;
  curves.breaks(breaks);
  EnergyCells cells{.edges = cells_between(breaks, count), .masses = {}};
  const std::vector<double> nodes = nodes_in(cells.edges);
  const std::size_t n = nodes.size(), size = cells.edges.size() - 1;
  CurvePoints<double> points;
  std::vector<double> log_g(n * at(curves.count()));
  curves.set_points(nodes, With::values, points);
  curves.energies(points, Points::common, log_g);
  curves.require_moderate(log_g);
  curves.add_log_base(points, Points::common, log_g);
  cells.masses.resize(size * at(curves.count()));
  for (std::int64_t c = 0; c < curves.count(); ++c)
    masses_of(cells.edges, std::span(log_g).subspan(at(c) * n, n),
              std::span(cells.masses).subspan(at(c) * size, size), curves.form().name(feature, c));
  return cells;
}

}  // namespace logpx
