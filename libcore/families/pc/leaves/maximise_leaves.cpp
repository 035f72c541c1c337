#include "libcore/families/pc/leaves/maximise_leaves.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/seen_groups.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

template <typename T>
std::span<T> part(std::span<T> values, std::int64_t begin, std::size_t count) {
  return values.subspan(at(begin), count);
}

// All but the broad one.
std::int64_t learning_nodes(const Block& block) { return block.size - (block.broad ? 1 : 0); }

}  // namespace

template <typename T>
void maximise_leaves(const PassPlan& plan, const MaximiseStep& step, const LeafTargets& targets,
                     std::span<const T> counts, std::span<T> statistics, std::span<T> theta) {
  const double rate = moves_parameters(step.rule) ? step.rate : 1;
  for (std::size_t b = 0; b < targets.size(); ++b) {
    const auto number = static_cast<int>(b);
    const Leaf* const leaf = plan.leaf(number);
    if (leaf == nullptr || plan.block(number).tied_to >= 0) continue;
    std::vector<double> sums(at(leaf->statistics())), q(at(leaf->parameters())), best(q.size());
    const std::int64_t q_begin = plan.range(number, 0).begin, s_begin = plan.range(number, 1).begin;
    for (std::int64_t j = 0; j < learning_nodes(plan.block(number)); ++j) {
      const std::int64_t from = s_begin + j * std::ssize(sums);
      mix_counts(step, part(counts, from, sums.size()),
                 statistics.empty() ? statistics : part(statistics, from, sums.size()),
                 std::span(sums));
      for (std::size_t k = 0; k < sums.size(); ++k)
        sums[k] += step.pseudocount * targets[b].statistics[k];
      if (!(leaf->weight(sums) > 0)) continue;
      const std::span<T> parameters = part(theta, q_begin + j * std::ssize(q), q.size());
      std::ranges::copy(parameters, q.begin());
      best = q;
      leaf->maximise(sums, targets[b], best);
      for (std::size_t k = 0; k < q.size(); ++k)
        parameters[k] = static_cast<T>((1 - rate) * q[k] + rate * best[k]);
    }
  }
}
template void maximise_leaves(const PassPlan&, const MaximiseStep&, const LeafTargets&,
                              std::span<const float>, std::span<float>, std::span<float>);
template void maximise_leaves(const PassPlan&, const MaximiseStep&, const LeafTargets&,
                              std::span<const double>, std::span<double>, std::span<double>);

namespace {

// Those of a joint leaf that learn.
struct JointNodes {
  const JointForm& form;
  std::span<const double> q, centre;
};

// What they say, as if all of them had the same part of these rows.
std::vector<double> said_by(const JointNodes& nodes, double rows) {
  const auto& [form, q, centre] = nodes;
  std::vector<double> all;
  const auto each = at(form.parameters());
  const double weight = rows * static_cast<double>(each) / static_cast<double>(q.size());
  for (std::size_t begin = 0; begin < q.size(); begin += each) {
    std::vector<double> sums(at(form.statistics()));
    add_node(form, q.subspan(begin, each), centre, weight, sums);
    all.insert(all.end(), sums.begin(), sums.end());
  }
  return all;
}

template <typename T>
void mix_joints(const JointNodes& nodes, const MaximiseStep& step, std::span<const T> counts,
                std::span<T> statistics, std::span<double> mixed) {
  if (step.rule != EmRule::stats) return mix_counts(step, counts, statistics, mixed);
  const auto each = at(nodes.form.statistics());
  if (step.step == 0) {
    double rows = 0;
    for (std::size_t begin = 0; begin < counts.size(); begin += each)
      rows += static_cast<double>(counts[begin]);
    const std::vector<double> first = said_by(nodes, rows);
    std::ranges::transform(first, statistics.begin(), [](double s) { return static_cast<T>(s); });
  }
  MaximiseStep slow = step;
  slow.rate = std::min(step.rate, step.share);
  mix_counts(slow, counts, statistics, mixed);
}

}  // namespace

template <typename T>
void maximise_joints(const PassPlan& plan, const MaximiseStep& step, const JointTargets& targets,
                     std::span<const T> counts, std::span<T> statistics, std::span<T> theta) {
  for (std::size_t b = 0; b < targets.size(); ++b) {
    const auto number = static_cast<int>(b);
    const JointForm* const form = plan.joint(number);
    if (form == nullptr || plan.block(number).tied_to >= 0) continue;
    const BlockRange of_q = plan.range(number, 0), of_s = plan.range(number, 1);
    const std::int64_t nodes = learning_nodes(plan.block(number));
    const auto count = at(nodes * form->statistics());
    std::vector<double> sums(count);
    const std::span<T> parameters = part(theta, of_q.begin, at(nodes * form->parameters()));
    std::vector<double> q(parameters.begin(), parameters.end());
    JointData data = targets[b];
    data.centre = centre_of(plan.block(number), *form, theta.data() + of_q.begin);
    mix_joints({*form, q, data.centre}, step, part(counts, of_s.begin, count),
               statistics.empty() ? statistics : part(statistics, of_s.begin, count),
               std::span(sums));
    maximise_joint(*form,
                   {.pseudocount = step.pseudocount,
                    .pooled = step.pooled,
                    .rate = moves_parameters(step.rule) ? step.rate : 1},
                   data, sums, q);
    std::ranges::transform(q, parameters.begin(), [](double one) { return static_cast<T>(one); });
  }
}
template void maximise_joints(const PassPlan&, const MaximiseStep&, const JointTargets&,
                              std::span<const float>, std::span<float>, std::span<float>);
template void maximise_joints(const PassPlan&, const MaximiseStep&, const JointTargets&,
                              std::span<const double>, std::span<double>, std::span<double>);

}  // namespace logpx::pc
