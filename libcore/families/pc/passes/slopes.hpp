// d log p / d theta on the way down: expected counts of a parameter are theta times its slope.
// [pc/README 6.1]
#pragma once

#include "libcore/families/pc/passes/message.hpp"

#include <cstdint>

namespace logpx::pc {

// What goes down through the blocks after the way up: slopes, draws, the most probable states.
// Blocks are visited parents first. A chain is visited from its first step on, and what belongs to
// its `carry` block moves over to the block `carried` of the next step.

// The step of a chain at which a block is visited; other circuits have one step.
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
  // Messages of all blocks that a block reads are those of the step.
  virtual void begin(const Work<T>& work) = 0;  // at the root
  virtual void visit(const Work<T>& work, int b, const StepView& at) = 0;
  virtual void end_step(const Work<T>& work, const StepView& at) = 0;
};

template <typename T>
class Slopes : public WayDown<T> {
 public:
  void begin(const Work<T>& work) override;
  void visit(const Work<T>& work, int b, const StepView& at) override;
  void end_step(const Work<T>& work, const StepView& at) override;

 protected:
  virtual void at_leaf(const Work<T>& work, int b, const StepView& at);
};

// Turns slopes into expected counts; statistics of leaves already are.
template <typename T>
void multiply_rows(const ParamSet& layout, std::span<const T> theta, std::span<T> slopes);

}  // namespace logpx::pc
