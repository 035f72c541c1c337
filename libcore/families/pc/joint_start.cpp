// Where gaussians over several columns begin.   [pc/README 4.7]
#include "libcore/base/index.hpp"
#include "libcore/families/pc/start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::pc {
namespace {

// A gaussian at least so wide has densities at whole numbers that sum to 1, but for 2e-4.
constexpr double least_of_whole = 0.7;
// The width of nodes around rows, in the data's deviations, and what it may cost a usual row to lie
// in one of them instead of the broad one, in nats: behind that, no row would.
constexpr double narrowest_start = 0.5, most_nats = 20;

// Rows for the nodes of a joint leaf to begin around, holes of which lie at the data's mean: each
// is drawn by the square of its distance, in deviations, from the nearest before it.
std::vector<double> spread_points(const Columns& points, const Block& block, const JointData& data,
                                  std::int64_t variables, const Substream& draws) {
  const auto rows = at(points.count), width = data.mean.size();
  std::vector<double> all(rows * width);
  for (std::size_t v = 0; v < width; ++v) {
    const ColumnValues seen = points.of(0, variables, block.variables[v]);
    for (std::size_t r = 0; r < rows; ++r)
      all[r * width + v] =
          seen.missing(std::int64_t(r)) ? data.mean[v] : seen.number(std::int64_t(r), 0);
  }
  std::vector<double> nearest(rows, 1.0), chosen;
  for (std::int64_t node = 0; node < block.size; ++node) {
    const double sum = std::accumulate(nearest.begin(), nearest.end(), 0.0);
    double left = draws.uniform(at(node)) * sum;
    std::size_t row = 0;
    while (row + 1 < rows && left >= nearest[row]) left -= nearest[row++];
    const std::vector<double> point(all.begin() + std::ptrdiff_t(row * width),
                                    all.begin() + std::ptrdiff_t((row + 1) * width));
    chosen.insert(chosen.end(), point.begin(), point.end());
    for (std::size_t r = 0; r < rows; ++r) {
      double square = 0;
      for (std::size_t v = 0; v < width; ++v) {
        const double apart = (all[r * width + v] - point[v]) / data.deviation[v];
        square += apart * apart;
      }
      nearest[r] = node == 0 ? square : std::min(nearest[r], square);
    }
  }
  return chosen;
}

// Two rows lie 2 D squared deviations apart, and one lies D from the middle of the data.
double start_of_nodes(std::int64_t variables) {
  const auto d = static_cast<double>(variables);
  const double broad = d * (0.5 / (broad_start * broad_start) + std::log(broad_start));
  double width = narrowest_start;
  while (width < 1 && d * (1 / (width * width) + std::log(width)) - broad > most_nats)
    width += 1.0 / 64;
  return width;
}

}  // namespace

// Nodes around rows, narrower than the data; a lone one has all rows, and begins in their middle.
void FirstParameters::draw_joint(PcModel& model, int b, const JointData& data,
                                 const Rng& rng) const {
  const JointForm& form = *model.plan().joint(b);
  const Block& block = model.plan().block(b);
  const TensorPlace& place = model.plan().tensors(b)[0];
  const Substream draws = rng.stream(Stream::init, static_cast<std::uint32_t>(place.tensor));
  std::vector<double> q(at(form.parameters())), points;
  if (parts_.points.count > 0)
    points =
        spread_points(parts_.points, block, data, std::ssize(model.circuit().variables), draws);
  const BlockRange range = model.plan().range(b, 0);
  const std::span<float> values =
      model.param_set().block().subspan(at(range.begin), at(range.end - range.begin));
  const double narrow_start = start_of_nodes(form.variables);
  const std::int64_t learning = block.size - (block.broad ? 1 : 0);
  for (std::int64_t node = 0; node < block.size; ++node) {
    const bool wide = node == learning;
    const std::span<const double> x = points.empty() || wide || learning == 1
                                          ? std::span<const double>(data.mean)
                                          : std::span<const double>(points).subspan(
                                                at(node * form.variables), at(form.variables));
    place_joint(form, data, x, wide ? broad_start : narrow_start, q);
    std::ranges::copy(q, values.begin() + node * std::ssize(q));
  }
}

JointTargets joint_targets(const PassPlan& plan, const Frequencies& frequencies) {
  JointTargets targets(plan.circuit().blocks.size());
  for (int b = 0; b < static_cast<int>(targets.size()); ++b) {
    if (plan.joint(b) == nullptr) continue;
    JointData& data = targets[at(b)];
    for (const int v : plan.block(b).variables) {
      const LeafData seen = moments_of_reals(frequencies[at(v)]);
      data.mean.push_back(seen.mean);
      data.deviation.push_back(seen.deviation);
      const double least = plan.circuit().variables[at(v)].whole ? least_of_whole : 0;
      data.least.push_back(std::max(least, least_deviation * seen.deviation));
    }
  }
  return targets;
}

}  // namespace logpx::pc
