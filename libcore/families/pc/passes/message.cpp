#include "libcore/families/pc/passes/message.hpp"

#include "libcore/base/index.hpp"

namespace logpx::pc {
namespace {

// Nodes that a product keeps of its partial products between the first and the last.
std::int64_t stage_nodes(const PassPlan& plan, const Block& block) {
  std::int64_t stages = 0, nodes = plan.block(block.children[0]).size;
  for (std::size_t i = 1; i + 1 < block.children.size(); ++i) {
    if (block.product == ProductKind::kronecker) nodes *= plan.block(block.children[i]).size;
    stages += nodes;
  }
  return stages;
}

}  // namespace

template <typename T>
void size_message(const PassPlan& plan, int b, const MessageSize& size, Message<T>& message) {
  const Block& block = plan.block(b);
  const std::int64_t columns = size.columns;
  const auto make_room = [](auto& values, std::int64_t count) { values.resize(at(count)); };
  make_room(message.own, block.size * columns);
  make_room(message.own_exponent, columns);
  message.y = message.own.data();
  message.exponent = message.own_exponent.data();
  if (size.keeps) make_room(message.slope, block.size * columns);
  const bool sums = block.kind == BlockKind::sum, mixes = block.kind == BlockKind::mixing;
  if (sums) make_room(message.inner, size.keeps ? plan.form(b).inner_rows() * columns : 0);
  if (mixes || (sums && block.children.size() > 1)) {
    std::int64_t inputs = 0;
    for (const int child : block.children) inputs += plan.block(child).size;
    make_room(message.input, inputs * columns);
    make_room(message.input_exponent, columns);
  }
  if (sums || mixes) make_room(message.factors, 2 * columns);
  if (block.kind != BlockKind::product) return;
  make_room(message.factors, std::ssize(block.children) * columns);
  make_room(message.input, stage_nodes(plan, block) * columns);
}
template <typename T>
void leaf_or_sum_message(const Work<T>& work, int b, const ColumnValues& values) {
  const BlockKind kind = work.plan.block(b).kind;
  if (kind == BlockKind::leaf && values.region != nullptr) region_message(work, b, values);
  else if (kind == BlockKind::leaf) leaf_message(work, b, values);
  else if (kind == BlockKind::indicator) indicator_message(work, b, values);
  else sum_message(work, b);
}

template void leaf_or_sum_message(const Work<float>&, int, const ColumnValues&);
template void leaf_or_sum_message(const Work<double>&, int, const ColumnValues&);
template void size_message(const PassPlan&, int, const MessageSize&, Message<float>&);
template void size_message(const PassPlan&, int, const MessageSize&, Message<double>&);

}  // namespace logpx::pc
