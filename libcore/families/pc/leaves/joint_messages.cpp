// Messages of leaves of several variables, and the statistics of their nodes.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/normal_region.hpp"
#include "libcore/families/pc/leaves/seen_groups.hpp"
#include "libcore/families/pc/passes/message.hpp"

#include <algorithm>
#include <limits>

namespace logpx::pc {
namespace {

// Calls use(node, j, group) for every node and every group of columns with the same holes.
template <typename T, typename Use>
void for_nodes(const Work<T>& work, int b, const StepColumns& values, const Use& use) {
  const Block& block = work.plan.block(b);
  const JointForm& form = *work.plan.joint(b);
  std::vector<SeenGroup> groups = seen_groups(work.plan.circuit(), block, values);
  std::vector<double> q(at(form.parameters()));
  const T* parameters = work.parameters(b);
  for (std::int64_t j = 0; j < block.size; ++j, parameters += q.size()) {
    std::copy_n(parameters, q.size(), q.begin());
    for (SeenGroup& group : groups) use(SeenGaussian(form.variables, q, group.places), j, group);
  }
}

// What a node says of its hidden variables: the mass of a region that one lies in, or, for
// Over::largest, the log-density at their most probable values.
double log_p_hidden(const SeenGaussian& node, const SeenPlaces& places, std::span<const double> z,
                    Over over) {
  const double peak = over == Over::sums ? 0 : node.log_peak();
  if (places.region == nullptr) return peak;
  if (over == Over::sums) return hidden_region(node, places, z).log_mass();
  const SeenGaussian::Normal own = node.first_hidden(z);
  const double off = in_deviations(places.region->nearest(own.mean), own);
  return peak - off * off / 2;
}

}  // namespace

// y_j = p_j of what is seen and of the region of what is not; times p_j of the rest at its most
// probable values, if these are asked for.
template <typename T>
void joint_message(const Work<T>& work, int b, const StepColumns& values) {
  const Block& block = work.plan.block(b);
  Message<T>& message = work.of(b);
  std::fill_n(message.exponent, work.columns, 0);
  std::vector<double> nats(at(block.size * work.columns), -std::numeric_limits<double>::infinity());
  std::vector<double> z(block.variables.size());
  for_nodes(work, b, values, [&](const SeenGaussian& node, std::int64_t j, SeenGroup& group) {
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      const double seen = node.log_p(group.row(i), z);
      nats[at(j * work.columns + group.columns[i])] =
          seen + log_p_hidden(node, group.places, z, work.over);
    }
  });
  std::vector<std::int64_t> all;
  for (std::int64_t c = 0; c < work.columns; ++c) all.push_back(c);
  scale_logs(std::span<const std::int64_t>(all), nats, block.size, work.columns, message);
}

template <typename T>
void joint_slopes(const Work<T>& work, int b, const StepColumns& values) {
  const Message<T>& message = work.of(b);
  const Block& block = work.plan.block(b);
  const JointForm& form = *work.plan.joint(b);
  const std::vector<double> centre = centre_of(block, form, work.parameters(b));
  std::vector<double> sums(at(form.statistics())), z(block.variables.size());
  for_nodes(work, b, values, [&](const SeenGaussian& node, std::int64_t j, SeenGroup& group) {
    if (group.places.seen.empty()) return;  // such rows tell nothing
    std::ranges::fill(sums, 0.0);
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      const std::size_t place = at(j * work.columns + group.columns[i]);
      const double weight =
          static_cast<double>(message.slope[place]) * static_cast<double>(message.y[place]);
      if (!(weight > 0)) continue;
      const std::span<double> x = group.row(i);
      static_cast<void>(node.log_p(x, z));
      node.fill(z, x);
      node.add_row(x, centre, weight, sums);
    }
    node.add_spread(sums[0], sums);
    T* const to = work.parameter_slopes(b, 1) + j * std::ssize(sums);
    for (std::size_t k = 0; k < sums.size(); ++k) to[k] += static_cast<T>(sums[k]);
  });
}

template void joint_message(const Work<float>&, int, const StepColumns&);
template void joint_message(const Work<double>&, int, const StepColumns&);
template void joint_slopes(const Work<float>&, int, const StepColumns&);
template void joint_slopes(const Work<double>&, int, const StepColumns&);

}  // namespace logpx::pc
