// Grids that follow what their functions are given: those of the generator's layers, and those of
// the prior with its domains.   [spec/kaem.md section 10]
#pragma once

#include "libcore/families/kaem/importance.hpp"
#include "libcore/grad/executor_pool.hpp"

#include <vector>

namespace logpx {
class Optimizer;
}

namespace logpx::kaem {

class GridMoves {
 public:
  GridMoves(KaemModel& model, const FitOptions& options);
  // When the calendar says so: from the samples of this step. Moments of what was fitted again
  // begin anew.
  void after(const StepPlace& place, ImportanceTraining& training, Optimizer* optimizer);
  [[nodiscard]] std::vector<TensorRef> state();
  // Of all fits so far; and of the last one, the share of inputs outside of their grids.
  [[nodiscard]] double fits() const { return facts_[done]; }
  [[nodiscard]] double rolled_back() const { return facts_[kept]; }
  [[nodiscard]] double outside() const { return facts_[beyond]; }

 private:
  enum Fact { done, kept, beyond, facts };
  void move_prior(const ImportanceTraining& training);
  void move_layers(std::span<const float> s);
  KaemModel& model_;
  FitOptions options_;
  GridCalendar calendar_;
  ExecutorPool shown_;  // the generator with the inputs of its layers
  Tensor<double> facts_{Shape{facts}};
};

}  // namespace logpx::kaem
