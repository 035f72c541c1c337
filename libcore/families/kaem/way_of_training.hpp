// What ways of training have in common: phases, metrics for an evaluation, and the samples
// that grids are fitted to.   [kaem/README 6 to 8]
#pragma once

#include "libcore/train/checkpoint.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/phase.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::kaem {

// n samples of z, feature by feature as in PriorDraws, with weights [n] whose sum is 1, and their
// sums s [n,Q].
struct GridSamples {
  std::span<const double> z, weights;
  std::span<const float> s;
  double rho = 0;  // of the prior's curves
};

class WayOfTraining {
 public:
  virtual ~WayOfTraining() = default;
  [[nodiscard]] virtual std::vector<Phase*> phases() = 0;
  virtual void compute_by(const Numerics& numerics) = 0;
  [[nodiscard]] virtual std::vector<TensorRef> state() = 0;
  [[nodiscard]] virtual std::int64_t bytes() const { return 0; }
  // Samples of the last update, under the parameters as they are now.
  [[nodiscard]] virtual GridSamples grid_samples() = 0;
  // What an evaluation goes by, the best first; nothing: evidence by samples of the prior.
  [[nodiscard]] virtual std::optional<Metrics> bound(std::span<const float> weights,
                                                     const EvaluationMachine& machine) {
    return static_cast<void>(weights), static_cast<void>(machine), std::nullopt;
  }
  // For the history, and what a user should be warned of at the end.
  [[nodiscard]] virtual Metrics metrics() const = 0;
  [[nodiscard]] virtual std::vector<std::string> concerns() const = 0;
};

}  // namespace logpx::kaem
