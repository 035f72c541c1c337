#include "libcore/families/pc/queries/leaf_tables.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/normal_region.hpp"
#include "libcore/families/pc/leaves/seen_groups.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace logpx::pc {
namespace {

// Whole numbers take up the interval that rounds to them.
TailPart tail_part(double weight, const SeenGaussian::Normal& normal, double x, bool whole) {
  return {
      .weight = weight, .z = in_deviations(x, normal), .half = whole ? 0.5 / normal.deviation : 0};
}

// Logarithms of how well nodes agree with all but a variable, from their shares of the row.
std::vector<double> log_weights_of(std::span<const double> shares,
                                   std::span<const JointView> views) {
  std::vector<double> nats;
  for (std::size_t j = 0; j < views.size(); ++j)
    nats.push_back(std::log(shares[j]) - views[j].nats);
  return nats;
}

}  // namespace

std::int64_t most_categories(const Circuit& circuit) {
  return std::ranges::max(circuit.variables, {}, &Variable::categories).categories;
}

template <typename T>
LeafTables<T>::LeafTables(const Circuit& circuit, const Columns& columns,
                          std::vector<double>& tables, Tails tails)
    : tables_(tables),
      variables_(std::ssize(circuit.variables)),
      categories_(most_categories(circuit)),
      asked_(tails) {
  const std::int64_t places = columns.count * columns.steps * variables_;
  tables.assign(at(places * categories_), 0);
  if (circuit.has_reals()) sums_.resize(at(places));
}

template <typename T>
void LeafTables<T>::at_leaf(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  if (block.kind == BlockKind::joint) return add_joint(work, b, view);
  const std::int64_t categories = work.plan.circuit().variables[at(block.variable)].categories;
  const bool is_leaf = block.kind == BlockKind::leaf;
  if (is_leaf && categories == 0) return add_nodes(work, b, view);
  const std::vector<double> all = is_leaf ? leaf_tables(work, b) : std::vector<double>();
  const std::vector<T>& slope = work.of(b).slope;
  const ValueRegion* const region = region_of(block.variable, view);
  const auto may_be = [region](std::int64_t k) {
    return region == nullptr || region->has(static_cast<std::int32_t>(k));
  };
  for (std::int64_t c = 0; c < work.columns; ++c) {
    const std::int64_t step = c / work.columns_of_row * view.columns.steps + view.step;
    double* const to = tables_.data() + (step * variables_ + block.variable) * categories_;
    if (!is_leaf) {
      if (may_be(block.value)) to[block.value] += static_cast<double>(slope[at(c)]);
      continue;
    }
    const std::int64_t style = block.styled ? work.styles[c] : 0;
    const double* const p = all.data() + style * block.size * categories;
    for (std::int64_t j = 0; j < block.size; ++j) {
      const auto weight = static_cast<double>(slope[at(j * work.columns + c)]);
      if (weight == 0) continue;
      for (std::int64_t k = 0; k < categories; ++k)
        if (may_be(k)) to[k] += weight * p[at(j * categories + k)];
    }
  }
}

// A variable may have several leaves with exponents of their own. Sums keep the smallest exponent,
// so that at worst the others vanish.
template <typename T>
double LeafTables<T>::make_room(std::int64_t exponent, NodeSums& sums) {
  const bool first = sums.nodes == 0;
  const std::int64_t least = first ? exponent : std::min(sums.exponent, exponent);
  const auto factor = [least](std::int64_t e) {
    return std::ldexp(1.0, -static_cast<int>(std::min<std::int64_t>(e - least, 4096)));
  };
  const double old = factor(sums.exponent);
  if (!first) sums.nodes *= old, sums.mean *= old, sums.square *= old;
  sums.exponent = least;
  return factor(exponent);
}

template <typename T>
typename LeafTables<T>::NodeSums& LeafTables<T>::sums_at(const Work<T>& work, std::int64_t column,
                                                         const StepView& view, int variable) {
  const std::int64_t step = column / work.columns_of_row * view.columns.steps + view.step;
  return sums_[at(step * variables_ + variable)];
}

template <typename T>
void LeafTables<T>::NodeSums::add_tails(std::span<const TailPart> parts, double log_unit) {
  if (parts.empty()) return;
  const LogTails tails = log_tails(parts);
  below = log_add_exp(below, tails.below + log_unit);
  above = log_add_exp(above, tails.above + log_unit);
}

template <typename T>
std::vector<SeenGaussian::Normal> LeafTables<T>::expected(const Work<T>& work, int b,
                                                          const ValueRegion* region) {
  const Block& block = work.plan.block(b);
  const Leaf& leaf = *work.plan.leaf(b);
  const bool whole = work.plan.circuit().variables[at(block.variable)].whole;
  std::vector<SeenGaussian::Normal> all;
  std::vector<double> q(at(leaf.parameters()));
  const T* parameters = work.parameters(b);
  for (std::int64_t j = 0; j < block.size; ++j, parameters += q.size()) {
    std::copy_n(parameters, q.size(), q.begin());
    if (region == nullptr) {
      all.push_back({.mean = leaf.mean(q), .deviation = leaf.deviation(q)});
      continue;
    }
    const NormalRegion own({q[0], q[1]}, *region, whole ? Numbers::whole : Numbers::real);
    all.push_back(whole ? own.inside_whole() : own.inside());
  }
  return all;
}

// Messages of leaves whose region is known hold its mass where the value is missing: their slopes
// are times that mass.
template <typename T>
void LeafTables<T>::add_nodes(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  const Message<T>& message = work.of(b);
  const ValueRegion* const region = region_of(block.variable, view);
  const std::vector<SeenGaussian::Normal> nodes = expected(work, b, region);
  const ColumnValues values = view.columns.of(view.step, variables_, block.variable);
  for (std::int64_t c = 0; c < work.columns; ++c) {
    double all = 0;
    for (std::int64_t j = 0; j < block.size; ++j)
      all += static_cast<double>(message.slope[at(j * work.columns + c)]);
    if (!(all > 0)) continue;  // this leaf vanishes beside others of the variable
    NodeSums& sums = sums_at(work, c, view, block.variable);
    const std::int64_t row = c / work.columns_of_row;
    const bool inside = region != nullptr && values.missing(row);
    const double own = make_room(inside ? 0 : message.exponent[c], sums);
    for (std::int64_t j = 0; j < block.size; ++j) {
      const auto slope = static_cast<double>(message.slope[at(j * work.columns + c)]);
      const double share = slope * static_cast<double>(message.y[j * work.columns + c]);
      const double weight = own * (inside ? share : slope);
      const auto& [mean, deviation] = nodes[at(j)];
      sums.nodes += weight;
      sums.mean += weight * mean;
      sums.square += weight * (mean * mean + deviation * deviation);
      sums.there += share;
    }
    if (asked_ == Tails::asked && !values.missing(row))
      add_node_tails(work, b, c, values.number(row, 0), sums);
  }
}

template <typename T>
void LeafTables<T>::add_node_tails(const Work<T>& work, int b, std::int64_t column, double x,
                                   NodeSums& sums) {
  const Block& block = work.plan.block(b);
  const Message<T>& message = work.of(b);
  const bool whole = work.plan.circuit().variables[at(block.variable)].whole;
  std::vector<TailPart> tails;
  const T* q = work.parameters(b);
  for (std::int64_t j = 0; j < block.size; ++j, q += work.plan.leaf(b)->parameters()) {
    const auto slope = static_cast<double>(message.slope[at(j * work.columns + column)]);
    if (slope > 0) tails.push_back(tail_part(slope, {.mean = q[0], .deviation = q[1]}, x, whole));
  }
  sums.add_tails(tails, -static_cast<double>(message.exponent[column]) * std::numbers::ln2);
}

// A node's weight for a variable is its share of the row, divided by its density of that value
// given the others of the leaf: what remains is how well it agrees with all the rest.
template <typename T>
void LeafTables<T>::add_views(std::span<const double> shares, std::span<const JointView> views,
                              NodeSums& sums) {
  const std::vector<double> log_weights = log_weights_of(shares, views);
  const double largest = std::ranges::max(log_weights);
  if (!std::isfinite(largest)) return;
  const auto exponent = static_cast<std::int64_t>(std::ceil(largest / std::numbers::ln2));
  const double own = make_room(-exponent, sums);
  for (std::size_t j = 0; j < views.size(); ++j) {
    const auto& [mean, deviation] = views[j].given;
    const double weight =
        own * std::exp(log_weights[j] - static_cast<double>(exponent) * std::numbers::ln2);
    sums.nodes += weight;
    sums.mean += weight * mean;
    sums.square += weight * (mean * mean + deviation * deviation);
    sums.there += shares[j];
  }
}

template <typename T>
void LeafTables<T>::add_view_tails(std::span<const double> shares, std::span<const JointView> views,
                                   SeenNumber seen, NodeSums& sums) {
  const std::vector<double> log_weights = log_weights_of(shares, views);
  const double largest = std::ranges::max(log_weights);
  if (!std::isfinite(largest)) return;
  std::vector<TailPart> tails;
  for (std::size_t j = 0; j < views.size(); ++j)
    if (const double weight = std::exp(log_weights[j] - largest); weight > 0)
      tails.push_back(tail_part(weight, views[j].given, seen.x, seen.whole));
  sums.add_tails(tails, largest);
}

template <typename T>
void LeafTables<T>::add_joint(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  const Message<T>& message = work.of(b);
  const std::int64_t width = std::ssize(block.variables);
  const std::size_t nodes = at(block.size);
  const T* const q = work.parameters(b);
  const std::vector<double> parameters(q, q + block.size * work.plan.joint(b)->parameters());
  std::vector<double> shares(nodes);
  std::vector<JointView> views(nodes * at(width));
  for (SeenGroup& group : seen_groups(work.plan.circuit(), block, {view.columns, view.step})) {
    const JointViews all(width, parameters, group.places);
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      const std::int64_t c = group.columns[i];
      all.of_row(group.row(i), views);
      for (std::size_t j = 0; j < nodes; ++j) {
        const std::size_t place = j * at(work.columns) + at(c);
        shares[j] =
            static_cast<double>(message.slope[place]) * static_cast<double>(message.y[place]);
      }
      const auto of_variable = [&](std::size_t v) {
        return std::span<const JointView>(views).subspan(v * nodes, nodes);
      };
      for (std::size_t v = 0; v < at(width); ++v)
        add_views(shares, of_variable(v), sums_at(work, c, view, block.variables[v]));
      if (asked_ != Tails::asked) continue;
      for (const std::int64_t v : group.places.seen) {
        const int variable = block.variables[at(v)];
        const bool whole = work.plan.circuit().variables[at(variable)].whole;
        add_view_tails(shares, of_variable(at(v)), {group.row(i)[at(v)], whole},
                       sums_at(work, c, view, variable));
      }
    }
  }
}

template <typename T>
double LeafTables<T>::tail_of(const NodeSums& sums) {
  const double log_nodes =
      std::log(sums.nodes) - static_cast<double>(sums.exponent) * std::numbers::ln2;
  const double less = std::min(sums.below, sums.above);
  return std::isfinite(less) ? std::min(0.0, std::numbers::ln2 + less - log_nodes) : 0;
}

template <typename T>
RealMoments LeafTables<T>::moments(std::int64_t i) const {
  const NodeSums& sums = sums_[at(i)];
  if (!(sums.nodes > 0)) return {.nats = -std::numeric_limits<double>::infinity()};
  return {.mean = sums.mean / sums.nodes,
          .square = sums.square / sums.nodes,
          .nats = std::log(sums.there / sums.nodes) +
                  static_cast<double>(sums.exponent) * std::numbers::ln2,
          .tail = tail_of(sums)};
}

template <typename T>
void LeafTables<T>::normalise() {
  for (std::size_t from = 0; from < tables_.size(); from += at(categories_)) {
    const std::span<double> table = std::span(tables_).subspan(from, at(categories_));
    const double total = std::accumulate(table.begin(), table.end(), 0.0);
    if (total > 0)
      for (double& p : table) p /= total;
  }
}

template class LeafTables<float>;
template class LeafTables<double>;

}  // namespace logpx::pc
