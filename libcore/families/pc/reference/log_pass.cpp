#include "libcore/families/pc/reference/log_pass.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/seen_groups.hpp"
#include "libcore/math/log_space.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace logpx::pc {
namespace {

template <typename T>
inline constexpr T impossible = -std::numeric_limits<T>::infinity();

// The product of one block of a layer, within whole vectors.
template <typename T>
LogMatmul<T> matmul_of(const MonarchLayer& layer, std::int64_t batch, T* workspace) {
  LogMatmul<T> call{.m = layer.m, .n = layer.n, .batch = batch};
  call.ldx = layer.in_step * batch;
  call.ldy = layer.out_step * batch;
  call.workspace = workspace;
  return call;
}

}  // namespace

template <typename T>
LogPass<T>::LogPass(const PassPlan& plan, std::span<const T> theta, const Columns& columns)
    : plan_(plan),
      theta_(theta),
      columns_(columns),
      count_(columns.count),
      nodes_(at(plan.carry() < 0 ? 1 : columns.steps)) {
  for (auto& step : nodes_) step.resize(plan.circuit().blocks.size());
  std::int64_t most = 0;
  for (int b = 0; b < std::ssize(plan.circuit().blocks); ++b)
    if (plan.block(b).kind == BlockKind::sum)
      for (const MonarchLayer& layer : plan.form(b).layers())
        most = std::max(most, log_matmul_workspace(layer.m, layer.n, count_));
  workspace_.resize(at(most));
}

template <typename T>
bool LogPass<T>::ended(int b, std::int64_t step, std::int64_t column) const {
  return plan_.is_later(b) && columns_.lengths[at(column)] <= step + 1;
}

template <typename T>
void LogPass<T>::message(int b, std::int64_t step) {
  const Block& block = plan_.block(b);
  Node& own = node(b, step);
  own.y.assign(at(block.size * count_), T{0});
  own.flow.assign(own.y.size(), T{0});
  switch (block.kind) {
    case BlockKind::leaf: leaf(b, step); break;
    case BlockKind::joint: joint(b, step); break;
    case BlockKind::indicator: indicator(b, step); break;
    case BlockKind::sum: sum(b, step); break;
    case BlockKind::mixing: mixing(b, step); break;
    case BlockKind::product: product(b, step); break;
    case BlockKind::carry:
      if (step + 1 < columns_.steps) own.y = node(plan_.circuit().carried, step + 1).y;
      break;
  }
  for (std::int64_t c = 0; c < count_; ++c)
    for (std::int64_t j = 0; ended(b, step, c) && j < block.size; ++j)
      own.y[at(j * count_ + c)] = T{0};
}

template <typename T>
void LogPass<T>::leaf(int b, std::int64_t step) {
  const Block& block = plan_.block(b);
  const std::int64_t categories = plan_.circuit().variables[at(block.variable)].categories;
  const ColumnValues values =
      columns_.of(step, std::ssize(plan_.circuit().variables), block.variable);
  const Leaf* const leaf = plan_.leaf(b);
  const std::int64_t each = leaf == nullptr ? categories : leaf->parameters();
  for (std::int64_t j = 0; j < block.size; ++j) {
    const T* const p = plan_.values(b, 0, theta_) + j * each;
    const std::vector<double> q(p, p + (leaf == nullptr ? 0 : each));
    for (std::int64_t c = 0; c < count_; ++c) {
      if (values.missing(c)) continue;
      const double value = values.number(c, categories);
      double nats = 0;
      if (leaf != nullptr) leaf->log_p(q, std::span(&value, 1), std::span(&nats, 1));
      else nats = std::log(static_cast<double>(p[values.x[c]]));
      node(b, step).y[at(j * count_ + c)] = static_cast<T>(nats);
    }
  }
}

template <typename T>
void LogPass<T>::joint(int b, std::int64_t step) {
  std::vector<double> z(plan_.block(b).variables.size());
  for_nodes(b, step, [&](const SeenGaussian& gaussian, std::int64_t j, SeenGroup& group) {
    for (std::size_t i = 0; i < group.columns.size(); ++i)
      node(b, step).y[at(j * count_ + group.columns[i])] =
          static_cast<T>(gaussian.log_p(group.row(i), z));
  });
}

template <typename T>
void LogPass<T>::joint_flow(int b, std::int64_t step, std::span<T> slopes) {
  const Block& block = plan_.block(b);
  const JointForm& form = *plan_.joint(b);
  const std::vector<double> centre = centre_of(block, form, plan_.values(b, 0, theta_));
  std::vector<double> z(block.variables.size()), sums(at(form.statistics()));
  for_nodes(b, step, [&](const SeenGaussian& gaussian, std::int64_t j, SeenGroup& group) {
    std::ranges::fill(sums, 0.0);
    for (std::size_t i = 0; i < group.columns.size() && !group.places.seen.empty(); ++i) {
      const T flow = node(b, step).flow[at(j * count_ + group.columns[i])];
      if (!(flow > 0)) continue;
      static_cast<void>(gaussian.log_p(group.row(i), z));
      gaussian.fill(z, group.row(i));
      gaussian.add_row(group.row(i), centre, static_cast<double>(flow), sums);
    }
    gaussian.add_spread(sums[0], sums);
    T* const to = plan_.values(b, 1, slopes) + j * std::ssize(sums);
    for (std::size_t k = 0; k < sums.size(); ++k) to[k] += static_cast<T>(sums[k]);
  });
}

// Calls use(gaussian, j, group) for every node of a joint leaf and all columns with the same holes.
template <typename T>
template <typename Use>
void LogPass<T>::for_nodes(int b, std::int64_t step, const Use& use) {
  const JointForm& form = *plan_.joint(b);
  std::vector<SeenGroup> groups = seen_groups(plan_.circuit(), plan_.block(b), {columns_, step});
  for (std::int64_t j = 0; j < plan_.block(b).size; ++j) {
    const T* const from = plan_.values(b, 0, theta_) + j * form.parameters();
    const std::vector<double> q(from, from + form.parameters());
    for (SeenGroup& group : groups) use(SeenGaussian(form.variables, q, group.places), j, group);
  }
}

template <typename T>
void LogPass<T>::indicator(int b, std::int64_t step) {
  const Block& block = plan_.block(b);
  const ColumnValues values =
      columns_.of(step, std::ssize(plan_.circuit().variables), block.variable);
  for (std::int64_t c = 0; c < count_; ++c)
    if (!values.missing(c) && values.x[c] != block.value)
      node(b, step).y[at(c)] = -std::numeric_limits<T>::infinity();
}

template <typename T>
void LogPass<T>::sum(int b, std::int64_t step) {
  const std::vector<MonarchLayer>& layers = plan_.form(b).layers();
  Node& own = node(b, step);
  own.inputs.assign(layers.size(), {});
  for (const int child : plan_.block(b).children) {
    const std::vector<T>& y = node(child, step).y;
    own.inputs[0].insert(own.inputs[0].end(), y.begin(), y.end());
  }
  for (std::size_t t = 0; t < layers.size(); ++t) {
    const MonarchLayer& layer = layers[t];
    std::vector<T>& out = t + 1 < layers.size() ? own.inputs[t + 1] : own.y;
    out.resize(at(layer.out_rows() * count_));
    for (std::int64_t r = 0; r < layer.blocks; ++r) {
      LogMatmul<T> call = matmul_of(layer, count_, workspace_.data());
      call.a = plan_.values(b, t, theta_) + r * layer.m * layer.n;
      call.x = own.inputs[t].data() + layer.in_row(r, 0) * count_;
      call.y = out.data() + layer.out_row(r, 0) * count_;
      log_matmul(call);
    }
  }
}

template <typename T>
void LogPass<T>::mixing(int b, std::int64_t step) {
  const Block& block = plan_.block(b);
  const auto parts = std::ssize(block.children);
  const T* w = plan_.values(b, 0, theta_);
  for (std::int64_t j = 0; j < block.size; ++j, w += parts)
    for (std::int64_t c = 0; c < count_; ++c) {
      const auto part = [&](std::int64_t i) {
        return node(block.children[at(i)], step).y[at(j * count_ + c)];
      };
      T largest = impossible<T>, sum = 0;
      for (std::int64_t i = 0; i < parts; ++i) largest = std::max(largest, part(i));
      for (std::int64_t i = 0; i < parts && largest > impossible<T>; ++i)
        sum += w[i] * std::exp(part(i) - largest);
      node(b, step).y[at(j * count_ + c)] = sum > 0 ? largest + std::log(sum) : impossible<T>;
    }
}

template <typename T>
template <typename Visit>
void LogPass<T>::visit_factors(int b, std::int64_t step, Visit visit) {
  const Block& block = plan_.block(b);
  for (std::int64_t j = 0; j < block.size; ++j) {
    std::int64_t left = j;
    for (std::size_t i = block.children.size(); i-- > 0;) {
      const std::int64_t size = plan_.block(block.children[i]).size;
      const bool digits = block.product == ProductKind::kronecker;
      visit(node(block.children[i], step), digits ? left % size : j, j);
      if (digits) left /= size;
    }
  }
}

template <typename T>
void LogPass<T>::product(int b, std::int64_t step) {
  Node& own = node(b, step);
  visit_factors(b, step, [&](const Node& child, std::int64_t row, std::int64_t j) {
    for (std::int64_t c = 0; c < count_; ++c)
      own.y[at(j * count_ + c)] += child.y[at(row * count_ + c)];
  });
}

template <typename T>
void LogPass<T>::up(std::span<double> log_p) {
  for (std::int64_t step = plan_.carry() < 0 ? 0 : columns_.steps; step-- > 0;)
    for (const int b : plan_.steps()) message(b, step);
  for (const int b : plan_.head()) message(b, 0);
  const std::vector<T>& root = node(plan_.circuit().root, 0).y;
  for (std::int64_t c = 0; c < count_; ++c) log_p[at(c)] = static_cast<double>(root[at(c)]);
}

template <typename T>
void LogPass<T>::down(std::span<T> slopes) {
  Node& root = node(plan_.circuit().root, 0);
  for (std::size_t c = 0; c < root.y.size(); ++c) root.flow[c] = std::isfinite(root.y[c]) ? 1 : 0;
  const std::vector<int>&head = plan_.head(), &steps = plan_.steps();
  for (auto b = head.rbegin(); b != head.rend(); ++b) flow_down(*b, 0, slopes);
  for (std::int64_t step = 0; !steps.empty() && step < columns_.steps; ++step)
    for (auto b = steps.rbegin(); b != steps.rend(); ++b) flow_down(*b, step, slopes);
}

template <typename T>
void LogPass<T>::flow_down(int b, std::int64_t step, std::span<T> slopes) {
  Node& own = node(b, step);
  for (std::int64_t c = 0; c < count_; ++c)
    for (std::int64_t j = 0; ended(b, step, c) && j < plan_.block(b).size; ++j)
      own.flow[at(j * count_ + c)] = T{0};
  switch (plan_.block(b).kind) {
    case BlockKind::leaf: return leaf_flow(b, step, slopes);
    case BlockKind::joint: return joint_flow(b, step, slopes);
    case BlockKind::indicator: return;
    case BlockKind::sum: return sum_flow(b, step, slopes);
    case BlockKind::mixing: return mixing_flow(b, step, slopes);
    case BlockKind::product: return product_flow(b, step);
    case BlockKind::carry: break;
  }
  if (step + 1 < columns_.steps) node(plan_.circuit().carried, step + 1).flow = own.flow;
}

template <typename T>
void LogPass<T>::leaf_flow(int b, std::int64_t step, std::span<T> slopes) {
  const Block& block = plan_.block(b);
  const std::int64_t categories = plan_.circuit().variables[at(block.variable)].categories;
  const ColumnValues values =
      columns_.of(step, std::ssize(plan_.circuit().variables), block.variable);
  const Leaf* const leaf = plan_.leaf(b);
  const std::int64_t each = leaf == nullptr ? categories : leaf->statistics();
  T* to = plan_.values(b, leaf == nullptr ? 0 : 1, slopes);
  const T* const p = plan_.values(b, 0, theta_);
  for (std::int64_t j = 0; j < block.size; ++j, to += each) {
    std::vector<double> sums(at(leaf == nullptr ? 0 : each)), q;
    if (leaf != nullptr) q.assign(p + j * leaf->parameters(), p + (j + 1) * leaf->parameters());
    for (std::int64_t c = 0; c < count_; ++c) {
      const T flow = node(b, step).flow[at(j * count_ + c)];
      if (values.missing(c) || !(flow > 0)) continue;
      if (leaf == nullptr) to[values.x[c]] += flow / p[j * categories + values.x[c]];
      else leaf->add_statistics(q, values.number(c, categories), static_cast<double>(flow), sums);
    }
    for (std::size_t k = 0; k < sums.size(); ++k) to[k] += static_cast<T>(sums[k]);
  }
}

template <typename T>
void LogPass<T>::sum_flow(int b, std::int64_t step, std::span<T> slopes) {
  const std::vector<MonarchLayer>& layers = plan_.form(b).layers();
  Node& own = node(b, step);
  std::vector<T> flow = own.flow;
  for (std::size_t t = layers.size(); t-- > 0;) {
    const MonarchLayer& layer = layers[t];
    std::vector<T> before(own.inputs[t].size());
    for (std::int64_t r = 0; r < layer.blocks; ++r) {
      LogMatmul<T> call = matmul_of(layer, count_, workspace_.data());
      call.a = plan_.values(b, t, theta_) + r * layer.m * layer.n;
      call.da = plan_.values(b, t, slopes) + r * layer.m * layer.n;
      call.x = own.inputs[t].data() + layer.in_row(r, 0) * count_;
      call.dx = before.data() + layer.in_row(r, 0) * count_;
      call.dy = flow.data() + layer.out_row(r, 0) * count_;
      log_matmul_backward(call);
    }
    flow = std::move(before);
  }
  auto from = flow.begin();
  for (const int child : plan_.block(b).children) {
    std::vector<T>& to = node(child, step).flow;
    std::transform(to.begin(), to.end(), from, to.begin(), std::plus<T>());
    from += std::ssize(to);
  }
}

template <typename T>
void LogPass<T>::mixing_flow(int b, std::int64_t step, std::span<T> slopes) {
  const Block& block = plan_.block(b);
  const auto parts = std::ssize(block.children);
  const T* const w = plan_.values(b, 0, theta_);
  T* const to = plan_.values(b, 0, slopes);
  const Node& own = node(b, step);
  for (std::int64_t i = 0; i < parts; ++i) {
    Node& child = node(block.children[at(i)], step);
    for (std::int64_t j = 0; j < block.size; ++j)
      for (std::int64_t c = 0; c < count_; ++c) {
        const std::size_t place = at(j * count_ + c);
        if (!(own.flow[place] > 0)) continue;
        const T share = own.flow[place] * std::exp(child.y[place] - own.y[place]);
        to[j * parts + i] += share;
        child.flow[place] += w[j * parts + i] * share;
      }
  }
}

template <typename T>
void LogPass<T>::product_flow(int b, std::int64_t step) {
  const Node& own = node(b, step);
  visit_factors(b, step, [&](Node& child, std::int64_t row, std::int64_t j) {
    for (std::int64_t c = 0; c < count_; ++c)
      child.flow[at(row * count_ + c)] += own.flow[at(j * count_ + c)];
  });
}

template class LogPass<float>;
template class LogPass<double>;

}  // namespace logpx::pc
