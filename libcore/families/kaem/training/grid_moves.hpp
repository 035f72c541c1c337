// Grids that follow what their functions are given: those of the generator's layers, and those of
// the prior with its domains.   [kaem/README 8]
#pragma once

#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/training/fit_options.hpp"
#include "libcore/families/kaem/way_of_training.hpp"
#include "libcore/grad/executor_pool.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {
class Optimizer;
}

namespace logpx::kaem {

class GridMoves {
 public:
  GridMoves(KaemModel& model, const FitOptions& options);
  // When the calendar says so, fits grids to the samples of this update by their weights, and
  // resets the optimiser's moments of the coefficients.
  void after(const StepPlace& place, WayOfTraining& training, Optimizer* optimizer);
  void compute_by(const Numerics& numerics) {
    numerics_ = numerics;
    shown_.clear();
    shown_.request().numerics = numerics;
  }
  [[nodiscard]] std::vector<TensorRef> state() { return {TensorRef::of("grid_moves", facts_)}; }

  [[nodiscard]] double moved() const { return facts_[moves]; }       // updates with moves
  [[nodiscard]] double rolled_back() const { return facts_[kept]; }  // features, of all updates
  [[nodiscard]] double outside() const { return facts_[beyond]; }    // share of the last inputs

 private:
  enum Fact { moves, kept, beyond, facts };
  struct Layer;  // what moves together: features with their curves
  void move_prior(const StepPlace& place, const GridSamples& samples);
  void move_generator(const StepPlace& place, std::span<const float> s);
  void move_features(const Layer& layer, const StepPlace& place);
  static void require_bounds(const Layer& layer, std::span<const double> inputs);

  KaemModel& model_;
  FitOptions options_;
  GridCalendar calendar_;
  ExecutorPool shown_;  // the generator with what its layers are given
  Tensor<double> facts_{Shape{facts}};
  Numerics numerics_;
  std::int64_t inputs_ = 0, outside_ = 0;  // of this update
};

}  // namespace logpx::kaem
