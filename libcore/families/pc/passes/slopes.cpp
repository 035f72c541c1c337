#include "libcore/families/pc/passes/slopes.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <utility>

namespace logpx::pc {
namespace {

// Where a row has no later step the message is 1, whatever the parameters are.
template <typename T>
void drop_ended(const Work<T>& work, int b, const StepView& view) {
  Message<T>& message = work.of(b);
  for (std::int64_t c = 0; c < work.columns; ++c)
    if (view.ends(c))
      for (std::int64_t j = 0; j < work.plan.block(b).size; ++j)
        message.slope[at(j * work.columns + c)] = T{0};
}

}  // namespace

template <typename T>
void Slopes<T>::begin(const Work<T>& work) {
  for (Message<T>& message : work.messages) message.sloped = false;
  Message<T>& root = work.of(work.plan.circuit().root);
  T* const slope = slope_of(root);
  for (std::int64_t c = 0; c < work.columns; ++c)
    slope[c] = root.y[c] > 0 ? std::min(T{1} / root.y[c], largest_slope<T>) : T{0};
}

template <typename T>
void Slopes<T>::visit(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  if (work.plan.is_later(b) && block.kind != BlockKind::carry) {
    if (view.ending == work.columns) return;
    if (view.ending > 0) drop_ended(work, b, view);
  }
  switch (block.kind) {
    case BlockKind::leaf: at_leaf(work, b, view); break;
    case BlockKind::sum: sum_slopes(work, b); break;
    case BlockKind::mixing: mixing_slopes(work, b); break;
    case BlockKind::product: product_slopes(work, b); break;
    case BlockKind::carry: break;
  }
}

template <typename T>
void Slopes<T>::at_leaf(const Work<T>& work, int b, const StepView& view) {
  const auto variables = std::ssize(work.plan.circuit().variables);
  const ColumnValues values = view.columns.of(view.step, variables, work.plan.block(b).variable);
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
