#include "libcore/families/pc/passes/slopes.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/narrow/few_columns.hpp"

#include <algorithm>
#include <utility>

namespace logpx::pc {
namespace {

// Where a row has no later step the message is 1 and has no slope.
template <typename T>
void drop_ended(const Work<T>& work, int b, const StepView& view) {
  Message<T>& message = work.of(b);
  for (std::int64_t c = 0; c < work.columns; ++c)
    if (view.ends(c))
      for (std::int64_t j = 0; j < work.plan.block(b).size; ++j)
        message.slope[at(j * work.columns + c)] = T{0};
}

// Share of a column in its row.
template <typename T>
T share_of(const Work<T>& work, std::int64_t column) {
  return work.shares.empty() ? T{1} : static_cast<T>(work.shares[at(column)]);
}

// d log p / d y of every child of the root, as if it were the root.
template <typename T>
void open_parts(const Work<T>& work, int root) {
  for (const int child : work.plan.block(root).children) {
    Message<T>& part = work.of(child);
    T* const slope = slope_of(part);
    for (std::int64_t c = 0; c < work.columns; ++c)
      slope[c] = part.y[c] > 0 ? std::min(share_of(work, c) / part.y[c], largest_slope<T>) : T{0};
  }
}

template <typename T>
void visit_few(const Work<T>& work, int b) {
  FewColumns<T>& few = *work.few;
  if (work.plan.spreads(b)) few.gather_slopes(work, b);
  const BlockKind kind = work.plan.block(b).kind;
  if (kind == BlockKind::sum) sum_slopes(few.work_of(work, b), b);
  if (kind == BlockKind::leaf) leaf_slopes(few.work_of(work, b), b, few.values(work.plan, b));
}

}  // namespace

template <typename T>
void Slopes<T>::begin(const Work<T>& work) {
  for (Message<T>& message : work.messages) message.sloped = false;
  Message<T>& root = work.of(work.plan.circuit().root);
  T* const slope = slope_of(root);
  for (std::int64_t c = 0; c < work.columns; ++c)
    slope[c] = root.y[c] > 0 ? std::min(share_of(work, c) / root.y[c], largest_slope<T>) : T{0};
  if (work.styles == nullptr || work.slopes.empty()) return;
  const auto first = at(work.plan.style_prior().begin);
  for (std::int64_t c = 0; c < work.columns; ++c) {
    const std::size_t prior = first + at(work.styles[c]);
    if (root.y[c] > 0 && work.theta[prior] > 0)
      work.slopes[prior] += share_of(work, c) / work.theta[prior];
  }
}

template <typename T>
void Slopes<T>::visit(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  if (work.plan.is_later(b) && block.kind != BlockKind::carry) {
    if (view.ending == work.columns) return;
    if (view.ending > 0) drop_ended(work, b, view);
  }
  if (work.parts == Parts::alone && b == work.plan.circuit().root) return open_parts(work, b);
  if (work.few != nullptr && work.plan.narrow(b)) return visit_few(work, b);
  switch (block.kind) {
    case BlockKind::leaf:
    case BlockKind::joint:
    case BlockKind::indicator: at_leaf(work, b, view); break;
    case BlockKind::sum: sum_slopes(work, b); break;
    case BlockKind::mixing: mixing_slopes(work, b); break;
    case BlockKind::product: product_slopes(work, b); break;
    case BlockKind::carry: break;
  }
}

template <typename T>
void Slopes<T>::at_leaf(const Work<T>& work, int b, const StepView& view) {
  const auto variables = std::ssize(work.plan.circuit().variables);
  const Block& block = work.plan.block(b);
  if (block.kind == BlockKind::joint) return joint_slopes(work, b, {view.columns, view.step});
  if (block.kind != BlockKind::leaf) return;
  const ColumnValues values = view.columns.of(view.step, variables, block.variable);
  if (work.plan.leaf(b) != nullptr) density_slopes(work, b, values);
  else leaf_slopes(work, b, values.x);
}

template <typename T>
void Slopes<T>::end_step(const Work<T>& work, const StepView&) {
  Message<T>& from = work.of(work.plan.carry());
  Message<T>& to = work.of(work.plan.circuit().carried);
  static_cast<void>(slope_of(from));
  std::swap(from.slope, to.slope);
  for (const int b : work.plan.steps()) work.of(b).sloped = false;
  to.sloped = true;
}

template <typename T>
void multiply_rows(const ParamSet& layout, std::span<const T> theta, std::span<T> slopes) {
  for (const ParamInfo& info : layout.infos()) {
    if (use_of(info.name) != TensorUse::rows) continue;
    const auto end = at(info.offset + info.shape.elements());
    for (auto i = at(info.offset); i < end; ++i) slopes[i] *= theta[i];
  }
}
template void multiply_rows(const ParamSet&, std::span<const float>, std::span<float>);
template void multiply_rows(const ParamSet&, std::span<const double>, std::span<double>);

template class Slopes<float>;
template class Slopes<double>;

}  // namespace logpx::pc
