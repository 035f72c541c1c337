#include "libcore/families/pc/tables/planned_work.hpp"

#include "libcore/base/index.hpp"

namespace logpx::pc {
namespace {

constexpr double passes = 3;                    // a training step goes up, down, and counts
constexpr double a_number = 4;                  // in a message, beside what makes it
constexpr double a_density = 60, a_mass = 150;  // of one node, with its exponential
constexpr double unordered = 4;  // gaussians of several numbers take so much longer than sums

double work_of_block(const PassPlan& plan, int b) {
  const Block& block = plan.block(b);
  const auto nodes = static_cast<double>(block.size);
  double work = passes * a_number * nodes;
  if (block.kind == BlockKind::sum) work += passes * static_cast<double>(plan.form(b).edges());
  if (plan.leaf(b) != nullptr)
    work += nodes * (block.leaf_kind == LeafKind::dgaussian ? a_mass : a_density);
  if (const JointForm* const form = plan.joint(b))
    work += nodes * (a_density + unordered * passes * static_cast<double>(form->triangle()));
  return work;
}

}  // namespace

RowWork work_of_row(const PcModel& model) {
  const PassPlan& plan = model.plan();
  RowWork work;
  for (int b = 0; b < static_cast<int>(model.circuit().blocks.size()); ++b) {
    const std::string& id = plan.block(b).id;
    if (id.starts_with("tree1.")) work.tree += work_of_block(plan, b);
    if (id.starts_with("block1.")) work.block += work_of_block(plan, b);
  }
  return work;
}

}  // namespace logpx::pc
