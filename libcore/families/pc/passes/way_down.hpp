// What goes down through the blocks once the way up has been gone: slopes, draws, the most probable
// states. Blocks are visited parents first; a chain is visited step by step from the first on, and
// what belongs to its `carry` block goes over to the block `carried` of the next step.
#pragma once

#include "libcore/families/pc/passes/message.hpp"

#include <cstdint>

namespace logpx::pc {

// Where in a chain a block is visited; what is no chain has one step.
struct StepView {
  const Columns& columns;
  std::int64_t step = 0;
  std::int64_t ending = 0;  // columns whose row ends with this step

  [[nodiscard]] bool ends(std::int64_t column) const {
    return ending > 0 && columns.lengths[static_cast<std::size_t>(column)] == step + 1;
  }
};

template <typename T>
class WayDown {
 public:
  virtual ~WayDown() = default;
  // Messages of all blocks that a block sees are those of the step.
  virtual void begin(const Work<T>& work) = 0;  // at the root
  virtual void visit(const Work<T>& work, int b, const StepView& at) = 0;
  virtual void end_step(const Work<T>& work, const StepView& at) = 0;
};

}  // namespace logpx::pc
