#include "libcore/families/pc/queries/leaf_normals.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/seen_groups.hpp"

#include <algorithm>

namespace logpx::pc {
namespace {

// The share of a column that goes through a node.
template <typename T>
double share_of(const Work<T>& work, int b, std::int64_t node, std::int64_t column) {
  const Message<T>& message = work.of(b);
  const std::size_t place = at(node * work.columns + column);
  return static_cast<double>(message.slope[place]) * static_cast<double>(message.y[place]);
}

}  // namespace

template <typename T>
void LeafNormals<T>::add(std::int64_t column, const NormalMixture::Part& part) {
  if (part.weight > 0) mixtures_[at(column)].parts.push_back(part);
}

template <typename T>
void LeafNormals<T>::at_leaf(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  if (view.step != step_) return;
  if (block.kind == BlockKind::leaf && block.variable == variable_) add_leaf(work, b);
  const bool joint = block.kind == BlockKind::joint;
  if (joint && std::ranges::find(block.variables, variable_) != block.variables.end())
    add_joint(work, b, view);
}

// All leaves of real numbers have a mean and a deviation.
template <typename T>
void LeafNormals<T>::add_leaf(const Work<T>& work, int b) {
  const std::int64_t each = work.plan.leaf(b)->parameters();
  const T* const q = work.parameters(b);
  for (std::int64_t c = 0; c < work.columns; ++c)
    for (std::int64_t j = 0; j < work.plan.block(b).size; ++j)
      add(c, {.weight = share_of(work, b, j, c),
              .mean = static_cast<double>(q[j * each]),
              .deviation = static_cast<double>(q[j * each + 1])});
}

template <typename T>
void LeafNormals<T>::add_joint(const Work<T>& work, int b, const StepView& view) {
  const Block& block = work.plan.block(b);
  const JointForm& form = *work.plan.joint(b);
  const std::size_t width = block.variables.size(),
                    own =
                        at(std::ranges::find(block.variables, variable_) - block.variables.begin());
  std::vector<double> z(width);
  std::vector<SeenGaussian::Normal> given(width);
  for (SeenGroup& group : seen_groups(work.plan.circuit(), block, {view.columns, view.step})) {
    const T* q = work.parameters(b);
    for (std::int64_t j = 0; j < block.size; ++j, q += form.parameters()) {
      const SeenGaussian node(form.variables, std::vector<double>(q, q + form.parameters()),
                              group.places);
      for (std::size_t i = 0; i < group.columns.size(); ++i) {
        const std::int64_t c = group.columns[i];
        static_cast<void>(node.log_p(group.row(i), z));
        node.given_rest(group.row(i), z, given);
        add(c, {.weight = share_of(work, b, j, c),
                .mean = given[own].mean,
                .deviation = given[own].deviation});
      }
    }
  }
}

template <typename T>
void LeafNormals<T>::normalise() {
  constexpr double shown = 1e-17;
  for (NormalMixture& mixture : mixtures_) {
    double total = 0;
    for (const NormalMixture::Part& part : mixture.parts) total += part.weight;
    std::erase_if(mixture.parts,
                  [total](const NormalMixture::Part& part) { return part.weight < shown * total; });
    for (NormalMixture::Part& part : mixture.parts) part.weight /= total;
  }
}

template class LeafNormals<float>;
template class LeafNormals<double>;

}  // namespace logpx::pc
