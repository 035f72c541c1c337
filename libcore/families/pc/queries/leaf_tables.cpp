#include "libcore/families/pc/queries/leaf_tables.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/seen_groups.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace logpx::pc {

namespace {

double log_normal(double x, const SeenGaussian::Normal& given) {
  const double off = (x - given.mean) / given.deviation;
  return -off * off / 2 - std::log(given.deviation) - std::log(2 * std::numbers::pi) / 2;
}

// The nodes of a joint leaf, as rows with these holes meet them.
template <typename T>
std::vector<SeenGaussian> nodes_of(const Work<T>& work, int b, const SeenPlaces& places) {
  const JointForm& form = *work.plan.joint(b);
  std::vector<SeenGaussian> nodes;
  const T* q = work.parameters(b);
  for (std::int64_t j = 0; j < work.plan.block(b).size; ++j, q += form.parameters())
    nodes.emplace_back(form.variables, std::vector<double>(q, q + form.parameters()), places);
  return nodes;
}

// Whole numbers take up the interval that rounds to them.
TailPart tail_part(double x, const SeenGaussian::Normal& normal, bool whole) {
  return {.z = (x - normal.mean) / normal.deviation, .half = whole ? 0.5 / normal.deviation : 0};
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
  for (std::int64_t c = 0; c < work.columns; ++c) {
    const std::int64_t step = c / work.columns_of_row * view.columns.steps + view.step;
    double* const to = tables_.data() + (step * variables_ + block.variable) * categories_;
    if (!is_leaf) {
      to[block.value] += static_cast<double>(slope[at(c)]);
      continue;
    }
    const std::int64_t style = block.styled ? work.styles[c] : 0;
    const double* const p = all.data() + style * block.size * categories;
    for (std::int64_t j = 0; j < block.size; ++j) {
      const auto weight = static_cast<double>(slope[at(j * work.columns + c)]);
      if (weight == 0) continue;
      for (std::int64_t k = 0; k < categories; ++k) to[k] += weight * p[at(j * categories + k)];
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
  const LogTails tails = log_tails(parts);
  below = log_add_exp(below, tails.below + log_unit);
  above = log_add_exp(above, tails.above + log_unit);
}

template <typename T>
void LeafTables<T>::add_nodes(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  const Leaf& leaf = *work.plan.leaf(b);
  const Message<T>& message = work.of(b);
  const Variable& variable = work.plan.circuit().variables[at(block.variable)];
  const ColumnValues values = view.columns.of(view.step, variables_, block.variable);
  std::vector<double> q(at(leaf.parameters())), means, squares;
  std::vector<SeenGaussian::Normal> normals;
  std::vector<TailPart> tails;
  const T* parameters = work.parameters(b);
  for (std::int64_t j = 0; j < block.size; ++j, parameters += q.size()) {
    std::copy_n(parameters, q.size(), q.begin());
    const double mean = leaf.mean(q), deviation = leaf.deviation(q);
    means.push_back(mean);
    squares.push_back(mean * mean + deviation * deviation);
    normals.push_back({.mean = q[0], .deviation = q[1]});
  }
  for (std::int64_t c = 0; c < work.columns; ++c) {
    double all = 0;
    for (std::int64_t j = 0; j < block.size; ++j)
      all += static_cast<double>(message.slope[at(j * work.columns + c)]);
    if (!(all > 0)) continue;  // this leaf vanishes beside others of the variable
    NodeSums& sums = sums_at(work, c, view, block.variable);
    const double own = make_room(message.exponent[c], sums);
    const std::int64_t row = c / work.columns_of_row;
    const bool tailed = asked_ == Tails::asked && !values.missing(row);
    tails.clear();
    for (std::int64_t j = 0; j < block.size; ++j) {
      const auto slope = static_cast<double>(message.slope[at(j * work.columns + c)]);
      sums.nodes += own * slope;
      sums.mean += own * slope * means[at(j)];
      sums.square += own * slope * squares[at(j)];
      sums.there += slope * static_cast<double>(message.y[j * work.columns + c]);
      if (!tailed || !(slope > 0)) continue;
      tails.push_back(tail_part(values.number(row, 0), normals[at(j)], variable.whole));
      tails.back().weight = slope;
    }
    if (!tails.empty())
      sums.add_tails(tails, -static_cast<double>(message.exponent[c]) * std::numbers::ln2);
  }
}

// A node's weight for a variable is its share of the row, divided by its density of that value
// given the others of the leaf: what remains is how well it agrees with all the rest.
template <typename T>
void LeafTables<T>::add_views(std::span<const NodeView> views, NodeSums& sums) const {
  double largest = -std::numeric_limits<double>::infinity();
  for (const NodeView& view : views)
    if (view.share > 0) largest = std::max(largest, std::log(view.share) - view.nats);
  if (!std::isfinite(largest)) return;
  const auto exponent = static_cast<std::int64_t>(std::ceil(largest / std::numbers::ln2));
  const double own = make_room(-exponent, sums);
  std::vector<TailPart> tails;
  for (const NodeView& view : views) {
    if (!(view.share > 0)) continue;
    const double log_weight = std::log(view.share) - view.nats;
    const double weight =
        own * std::exp(log_weight - static_cast<double>(exponent) * std::numbers::ln2);
    sums.nodes += weight;
    sums.mean += weight * view.given.mean;
    sums.square +=
        weight * (view.given.mean * view.given.mean + view.given.deviation * view.given.deviation);
    sums.there += view.share;
    if (!view.tail) continue;
    tails.push_back(*view.tail);
    tails.back().weight = std::exp(log_weight - largest);
  }
  if (!tails.empty()) sums.add_tails(tails, largest);
}

template <typename T>
void LeafTables<T>::add_joint(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  const Message<T>& message = work.of(b);
  const std::size_t width = block.variables.size(), nodes = at(block.size);
  std::vector<double> z(width);
  std::vector<SeenGaussian::Normal> given(width);
  std::vector<NodeView> views(nodes * width);  // by variable
  for (SeenGroup& group : seen_groups(work.plan.circuit(), block, {view.columns, view.step})) {
    const std::vector<SeenGaussian> gaussians = nodes_of(work, b, group.places);
    for (std::size_t i = 0; i < group.columns.size(); ++i) {
      const std::int64_t c = group.columns[i];
      const std::span<const double> x = group.row(i);
      for (std::size_t j = 0; j < nodes; ++j) {
        const std::size_t place = j * at(work.columns) + at(c);
        const double share =
            static_cast<double>(message.slope[place]) * static_cast<double>(message.y[place]);
        static_cast<void>(gaussians[j].log_p(x, z));
        gaussians[j].given_rest(x, z, given);
        for (std::size_t v = 0; v < width; ++v)
          views[v * nodes + j] = {.share = share, .given = given[v]};
        for (const std::int64_t v : group.places.seen) {
          NodeView& of = views[at(v) * nodes + j];
          of.nats = log_normal(x[at(v)], given[at(v)]);
          const bool whole = work.plan.circuit().variables[at(block.variables[at(v)])].whole;
          if (asked_ == Tails::asked) of.tail = tail_part(x[at(v)], given[at(v)], whole);
        }
      }
      for (std::size_t v = 0; v < width; ++v)
        add_views(std::span(views).subspan(v * nodes, nodes),
                  sums_at(work, c, view, block.variables[v]));
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
