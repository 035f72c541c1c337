#include "libcore/families/pc/queries/paths.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/normal_region.hpp"
#include "libcore/families/pc/leaves/seen_groups.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::pc {

std::size_t LargestChoice::choose(std::int64_t, std::span<const double> weights) {
  return static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
}

std::size_t DrawnChoice::choose(std::int64_t column, std::span<const double> weights) {
  sums_.resize(weights.size());
  std::partial_sum(weights.begin(), weights.end(), sums_.begin());
  return draws_[at(column)].categorical(sums_);
}

double DrawnChoice::deviations(std::int64_t column) { return draws_[at(column)].normal(); }

template <typename T>
std::int64_t& Paths<T>::node(int b, std::int64_t column) {
  return nodes_[at(b)][at(column)];
}

template <typename T>
void Paths<T>::begin(const Work<T>& work) {
  columns_ = work.columns;
  of_row_ = work.columns_of_row;
  nodes_.assign(work.messages.size(), std::vector<std::int64_t>(at(columns_), -1));
  if (work.plan.carry() >= 0) states_.assign(at(filled_.steps * filled_.count), -1);
  if (!work.shares.empty()) return choose_styles(work);
  const int root = work.plan.circuit().root;
  for (std::int64_t c = 0; c < columns_; ++c)
    if (work.of(root).y[c] > 0) node(root, c) = 0;
}

template <typename T>
void Paths<T>::choose_styles(const Work<T>& work) {
  const auto styles = at(of_row_);
  for (std::size_t row = 0; row < at(filled_.count); ++row) {
    const std::span<const double> shares = work.shares.subspan(row * styles, styles);
    if (std::ranges::none_of(shares, [](double share) { return share > 0; })) continue;
    const auto chosen = chooser_.choose(static_cast<std::int64_t>(row), shares);
    node(work.plan.circuit().root, static_cast<std::int64_t>(row * styles + chosen)) = 0;
  }
}

template <typename T>
void Paths<T>::visit(const Work<T>& work, int b, const StepView& view) {
  for (std::int64_t c = 0; c < columns_; ++c) {
    if (node(b, c) < 0 || (work.plan.is_later(b) && view.ends(c))) continue;
    if (b == work.plan.circuit().carried)
      states_[at(view.step * filled_.count + c / of_row_)] = node(b, c);
    switch (work.plan.block(b).kind) {
      case BlockKind::leaf:
      case BlockKind::indicator: fill_leaf(work, b, view, c); break;
      case BlockKind::joint: fill_joint(work, b, view, c); break;
      case BlockKind::sum: follow_sum(work, b, c); break;
      case BlockKind::mixing: follow_mixing(work, b, c); break;
      case BlockKind::product: follow_product(work, b, c); break;
      case BlockKind::carry: break;
    }
  }
}

template <typename T>
void Paths<T>::end_step(const Work<T>& work, const StepView& view) {
  std::vector<std::int64_t>& from = nodes_[at(work.plan.carry())];
  std::vector<std::int64_t>& to = nodes_[at(work.plan.circuit().carried)];
  for (std::int64_t c = 0; c < columns_; ++c) to[at(c)] = view.ends(c) ? -1 : from[at(c)];
  for (const int b : work.plan.steps())
    if (b != work.plan.circuit().carried) std::ranges::fill(nodes_[at(b)], -1);
}

template <typename T>
void Paths<T>::follow_sum(const Work<T>& work, int b, std::int64_t column) {
  const Message<T>& message = work.of(b);
  const std::vector<MonarchLayer>& layers = work.plan.form(b).layers();
  const bool joined = work.plan.block(b).children.size() > 1;
  const T* const input = joined ? message.input.data() : work.of(work.plan.block(b).children[0]).y;
  std::int64_t row = node(b, column), behind = work.plan.form(b).inner_rows();
  for (std::size_t t = layers.size(); t-- > 0;) {
    const MonarchLayer& layer = layers[t];
    if (t > 0) behind -= layer.in_rows();
    const T* const x = t == 0 ? input : message.inner.data() + behind * columns_;
    const auto [r, j] = layer.output(row);
    const T* const weight = work.parameters(b, t) + (r * layer.m + j) * layer.n;
    weights_.resize(at(layer.n));
    for (std::int64_t i = 0; i < layer.n; ++i)
      weights_[at(i)] = static_cast<double>(weight[i]) *
                        static_cast<double>(x[layer.in_row(r, i) * columns_ + column]);
    row = layer.in_row(r, static_cast<std::int64_t>(chooser_.choose(column / of_row_, weights_)));
  }
  reach_input(work, b, column, row);
}

// Inputs of a sum are its children one behind the other: finds the child of this input.
template <typename T>
void Paths<T>::reach_input(const Work<T>& work, int b, std::int64_t column, std::int64_t input) {
  for (const int child : work.plan.block(b).children) {
    const std::int64_t size = work.plan.block(child).size;
    if (input < size) {
      node(child, column) = input;
      return;
    }
    input -= size;
  }
}

template <typename T>
void Paths<T>::follow_mixing(const Work<T>& work, int b, std::int64_t column) {
  const Block& block = work.plan.block(b);
  const std::int64_t j = node(b, column), parts = std::ssize(block.children);
  weights_.resize(at(parts));
  for (std::int64_t i = 0; i < parts; ++i)
    weights_[at(i)] =
        static_cast<double>(work.parameters(b)[j * parts + i]) *
        static_cast<double>(work.of(b).input[at((i * block.size + j) * columns_ + column)]);
  node(block.children[chooser_.choose(column / of_row_, weights_)], column) = j;
}

template <typename T>
void Paths<T>::follow_product(const Work<T>& work, int b, std::int64_t column) {
  const Block& block = work.plan.block(b);
  std::int64_t j = node(b, column);
  for (std::size_t i = block.children.size(); i-- > 0;) {
    const std::int64_t size = work.plan.block(block.children[i]).size;
    const bool digits = block.product == ProductKind::kronecker;
    node(block.children[i], column) = digits ? j % size : j;
    if (digits) j /= size;
  }
}

template <typename T>
void Paths<T>::fill_leaf(const Work<T>& work, int b, const StepView& view, std::int64_t column) {
  const Circuit& circuit = work.plan.circuit();
  const Block& block = work.plan.block(b);
  const auto variables = std::ssize(circuit.variables);
  const std::int64_t row = column / of_row_;
  const std::size_t place = at((view.step * variables + block.variable) * filled_.count + row);
  std::int32_t& x = filled_.x[place];
  if (x >= 0) return;
  if (block.kind == BlockKind::indicator) {
    x = static_cast<std::int32_t>(block.value);
    return;
  }
  const std::int64_t categories = circuit.variables[at(block.variable)].categories;
  const Leaf* const leaf = work.plan.leaf(b);
  const std::int64_t each = leaf == nullptr ? categories : leaf->parameters();
  const std::int64_t stride = work.style_stride(b);
  const T* const p = work.parameters(b) + (stride == 0 ? 0 : work.styles[column] * stride) +
                     node(b, column) * each;
  weights_.assign(p, p + each);
  const ValueRegion* const region = filled_.region(view.step * variables + block.variable);
  if (categories == 0) {
    filled_.reals[place] = static_cast<float>(number_for(work, b, region, row));
    x = 0;
    return;
  }
  if (leaf != nullptr) {
    const std::vector<double> q = weights_;
    weights_.resize(at(categories));
    fill_table(*leaf, q, weights_);
  }
  if (const Variable& variable = circuit.variables[at(block.variable)]; variable.open) {
    weights_.back() = 0;  // nothing is drawn or filled that has no value
    if (std::ranges::none_of(weights_, [](double w) { return w > 0; })) weights_[0] = 1;
  }
  for (std::size_t k = 0; region != nullptr && k < weights_.size(); ++k)
    if (!region->has(static_cast<std::int32_t>(k))) weights_[k] = 0;
  if (among_ != nullptr) {
    std::vector<double> some(weights_.size());
    for (const std::int32_t value : *among_) some[at(value)] = weights_[at(value)];
    weights_.swap(some);
  }
  x = static_cast<std::int32_t>(chooser_.choose(row, weights_));
}

template <typename T>
double Paths<T>::share_for(std::int64_t row) {
  return std::exp(log_ndtr(chooser_.deviations(row)));
}

// The mode in a region is what is nearest to the mode.
template <typename T>
double Paths<T>::number_for(const Work<T>& work, int b, const ValueRegion* region,
                            std::int64_t row) {
  const Leaf& leaf = *work.plan.leaf(b);
  if (region == nullptr) return leaf.value_at(weights_, chooser_.deviations(row));
  if (work.over == Over::largest) return region->nearest(leaf.mode(weights_));
  const bool whole = work.plan.circuit().variables[at(work.plan.block(b).variable)].whole;
  const NormalRegion own({weights_[0], weights_[1]}, *region,
                         whole ? Numbers::whole : Numbers::real);
  const double drawn = own.value_at(share_for(row));
  return region->nearest(whole ? std::nearbyint(drawn) : drawn);
}

// The number of a region, in deviations.
template <typename T>
double Paths<T>::first_hidden(const Work<T>& work, const SeenGaussian& node,
                              const SeenPlaces& places, std::span<const double> z,
                              std::int64_t row) {
  const SeenGaussian::Normal own = node.first_hidden(z);
  const double x = work.over == Over::largest
                       ? places.region->nearest(own.mean)
                       : hidden_region(node, places, z).value_at(share_for(row));
  return in_deviations(x, own);
}

// What is hidden follows from what is seen, with as much chance as the node leaves.
template <typename T>
void Paths<T>::fill_joint(const Work<T>& work, int b, const StepView& view, std::int64_t column) {
  const Circuit& circuit = work.plan.circuit();
  const Block& block = work.plan.block(b);
  const auto variables = std::ssize(circuit.variables);
  const std::int64_t row = column / of_row_;
  const auto place_of = [&](std::int64_t v) {
    return at((view.step * variables + block.variables[at(v)]) * filled_.count + row);
  };
  const SeenPlaces places =
      places_in(circuit, block, columns_of_leaf(circuit, block, {filled_, view.step}), row);
  if (places.hidden.empty()) return;
  std::vector<double> x(block.variables.size()), z(x.size());
  for (const std::int64_t v : places.seen)
    x[at(v)] = static_cast<double>(filled_.reals[place_of(v)]);
  const JointForm& form = *work.plan.joint(b);
  const T* const q = work.parameters(b) + node(b, column) * form.parameters();
  weights_.assign(q, q + form.parameters());
  const SeenGaussian gaussian(form.variables, weights_, places);
  static_cast<void>(gaussian.log_p(x, z));
  if (places.region != nullptr)
    z[places.seen.size()] = first_hidden(work, gaussian, places, z, row);
  for (std::size_t i = places.seen.size() + (places.region == nullptr ? 0 : 1); i < z.size(); ++i)
    z[i] = chooser_.deviations(row);
  gaussian.fill(z, x);
  for (const std::int64_t v : places.hidden) {
    double value = x[at(v)];
    if (circuit.variables[at(block.variables[at(v)])].whole) value = std::nearbyint(value);
    if (places.region != nullptr && v == places.hidden[0]) value = places.region->nearest(value);
    filled_.reals[place_of(v)] = static_cast<float>(value);
    filled_.x[place_of(v)] = 0;
  }
}

template class Paths<float>;
template class Paths<double>;

}  // namespace logpx::pc
