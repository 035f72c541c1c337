#include "libcore/families/pc/pruning/pruned_states.hpp"

#include "libcore/base/index.hpp"
#include "libcore/math/column_loops.hpp"
#include "libcore/math/monarch.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::pc {
namespace {

// States that stay of so many: at least one.
std::int64_t kept_of(std::int64_t states, double share) {
  constexpr double rounding = 1e-9;
  const auto left_out =
      static_cast<std::int64_t>(std::floor(share * static_cast<double>(states) + rounding));
  return std::max<std::int64_t>(1, states - left_out);
}

}  // namespace

template <typename T>
void PrunedStates<T>::begin(std::span<const T> theta) {
  if (pruning_.exec == PruneExec::dense || std::ranges::equal(theta, theta_)) return;
  theta_.assign(theta.begin(), theta.end());
  turned_.clear();
}

template <typename T>
bool PrunedStates<T>::prunes(const PassPlan& plan, int b) const {
  if (plan.block(b).kind == BlockKind::carry) return prunes(plan, plan.circuit().carried);
  const bool all = pruning_.scope == PruneScope::all;
  if (plan.block(b).kind == BlockKind::sum) return all;
  if (plan.block(b).kind != BlockKind::product) return false;
  return all || !plan.circuit().chained() || b == plan.circuit().carried;
}

template <typename T>
void PrunedStates<T>::keep_largest(std::int64_t kept, T* y, std::int64_t rows,
                                   std::int64_t columns) {
  if (kept >= rows) return;
  room_.resize(std::max(room_.size(), at(rows * largest_lanes)));
  column_kernels<T>().keep_largest(
      {.rows = rows, .columns = columns, .kept = kept, .y = y, .room = room_.data()});
}

template <typename T>
void PrunedStates<T>::finish_product(const Work<T>& work, int b) {
  const std::int64_t states = work.plan.block(b).size;
  if (prunes(work.plan, b))
    keep_largest(kept_of(states, pruning_.states), work.of(b).y, states, work.columns);
}

template <typename T>
bool PrunedStates<T>::reads_zeros(const PassPlan& plan, int b, std::size_t layer) const {
  if (layer > 0) return pruning_.scope == PruneScope::all;
  return std::ranges::any_of(plan.block(b).children,
                             [&](int child) { return prunes(plan, child); });
}

template <typename T>
void PrunedStates<T>::apply_sum(const Work<T>& work, int b, const T* input) {
  const Monarch& form = work.plan.form(b);
  const std::vector<MonarchLayer>& layers = form.layers();
  std::vector<const T*> weights;
  for (std::size_t t = 0; t < layers.size(); ++t) weights.push_back(work.parameters(b, t));
  const MonarchMap<T> map(form, weights, work.columns, work.room);
  const std::int64_t vector = form.longest_inner() * work.columns;
  for (std::size_t t = 0; t < layers.size(); ++t) {
    const bool last = t + 1 == layers.size();
    T* const to =
        last ? work.of(b).y : work.room.data() + vector * static_cast<std::int64_t>(t % 2);
    const bool sparse = pruning_.exec == PruneExec::sparse && reads_zeros(work.plan, b, t);
    sparse ? apply_sparse(work, b, t, input, to) : map.apply_layer(t, input, to);
    const std::int64_t states = last ? form.rows() : std::max(form.rows(), form.columns());
    if (prunes(work.plan, b))
      keep_largest(kept_of(states, pruning_.states), to, layers[t].out_rows(), work.columns);
    input = to;
  }
}

template <typename T>
void PrunedStates<T>::apply_sparse(const Work<T>& work, int b, std::size_t t, const T* x, T* y) {
  const MonarchLayer& layer = work.plan.form(b).layers()[t];
  const T* matrix = turned(work, b, t);
  room_.resize(std::max(room_.size(), at(sparse_room(layer.n))));
  places_.resize(room_.size());
  for (std::int64_t r = 0; r < layer.blocks; ++r, matrix += layer.m * layer.n)
    column_kernels<T>().multiply_sparse({.m = layer.m,
                                         .n = layer.n,
                                         .columns = work.columns,
                                         .turned = matrix,
                                         .x = x + layer.in_row(r, 0) * work.columns,
                                         .x_step = layer.in_step * work.columns,
                                         .y = y + layer.out_row(r, 0) * work.columns,
                                         .y_step = layer.out_step * work.columns,
                                         .room = room_.data(),
                                         .places = places_.data()});
}

template <typename T>
const T* PrunedStates<T>::turned(const Work<T>& work, int b, std::size_t t) {
  turned_.resize(work.plan.circuit().blocks.size());
  std::vector<std::vector<T>>& of_block = turned_[at(b)];
  of_block.resize(work.plan.form(b).layers().size());
  std::vector<T>& to = of_block[t];
  if (!to.empty()) return to.data();
  const MonarchLayer& layer = work.plan.form(b).layers()[t];
  to.resize(at(layer.edges()));
  const T* from = work.parameters(b, t);
  for (T* block = to.data(); block < to.data() + layer.edges(); block += layer.m * layer.n)
    for (std::int64_t j = 0; j < layer.m; ++j)
      for (std::int64_t i = 0; i < layer.n; ++i) block[i * layer.m + j] = *from++;
  return to.data();
}

template class PrunedStates<float>;
template class PrunedStates<double>;

}  // namespace logpx::pc
