// The bound of rows at one place of two orders each, for the curves of training: places are spread
// over the rows, and every evaluation has the same noise.   [arm/README 4.4]
#pragma once

#include "libcore/families/arm/training/objective.hpp"
#include "libcore/train/evaluation.hpp"

#include <span>
#include <vector>

namespace logpx::arm {

class RowBounds {
 public:
  explicit RowBounds(const ArmModel& model);
  void compute_by(const Numerics& numerics);
  // How many rows are evaluated, from the first on.
  [[nodiscard]] static std::int64_t judged_rows(const Examples& examples);
  // Means of objective_terms() over the rows.
  [[nodiscard]] std::vector<double> mean(std::span<const float> weights, const Examples& examples,
                                         const EvaluationMachine& machine);

 private:
  void add_block(std::span<const float> weights, const Examples& examples,
                 std::span<const double> times, std::span<double> sums);
  const ArmModel& model_;
  LearnOptions options_;  // the defaults: those of the bound itself
  ExecutorPool passes_;
};

}  // namespace logpx::arm
