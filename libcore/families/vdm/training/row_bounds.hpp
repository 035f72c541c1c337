// The bound of rows at one time each, for the curves of training: times are stratified over the
// rows, and every evaluation has the same noise.   [vdm/README 7.3]
#pragma once

#include "libcore/families/vdm/model.hpp"
#include "libcore/train/evaluation.hpp"

#include <span>

namespace logpx::vdm {

// Nats of all components, in the units of x as it is stored; means over the rows.
struct BoundTerms {
  double diffusion = 0, prior = 0, recon = 0;
  [[nodiscard]] double total() const { return diffusion + prior + recon; }
};

class RowBounds {
 public:
  explicit RowBounds(const VdmModel& model);
  void compute_by(const Numerics& numerics);
  [[nodiscard]] BoundTerms mean(std::span<const float> weights, const Examples& examples,
                                const EvaluationMachine& machine);

 private:
  struct Place {
    std::int64_t first = 0, of = 0;  // of a block of rows
  };
  [[nodiscard]] BoundTerms sum_of(std::span<const float> weights, const Examples& examples,
                                  Place place);
  const VdmModel& model_;
  ExecutorPool passes_;
};

}  // namespace logpx::vdm
