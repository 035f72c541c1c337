// d log p / d theta on the way down: expected counts of a parameter are theta times its slope.
// [pc/README 6.1]
#pragma once

#include "libcore/families/pc/passes/way_down.hpp"

namespace logpx::pc {

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
