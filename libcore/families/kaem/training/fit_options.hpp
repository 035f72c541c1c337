// How a KAEM is trained.   [kaem/README 5 to 8]
#pragma once

#include "libcore/families/kaem/chains/langevin_options.hpp"
#include "libcore/families/kaem/config.hpp"
#include "libcore/families/kaem/penalties/penalty_options.hpp"
#include "libcore/families/kaem/prior/prior_signals.hpp"
#include "libcore/math/inverse_cdf.hpp"
#include "libcore/math/resample.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::kaem {

enum class PriorSignal { automatic, quadrature, contrast, pathwise, score };
enum class GridTargets { prior, generator, both };

struct FitOptions {
  std::int64_t samples = 100;  // N_s
  std::int64_t k = 1;          // draws of an encoder for each row
  Resampler resampler = Resampler::residual;
  double ess = 0.5;
  PriorSignal prior_grad = PriorSignal::automatic;
  Inversion its = Inversion::hermite;
  double train_noise = 0.1;
  WeightPenalty alpha_reg = WeightPenalty::none;
  double lambda_alpha = 0, l2_energy = 0;
  PenaltyOptions penalties = {};

  std::int64_t grid_every = 100;
  double grid_decay = 0.999, grid_ratio = 0.05, grid_pad = 0.05;
  bool no_grid_update = false;
  GridTargets grid_targets = GridTargets::both;

  LangevinOptions langevin = {};

  std::vector<std::string> freeze = {};
  double lr_prior = 0;    // 0: that of the rest
  double prior_rate = 1;  // its factor on that, which follows from both
  std::int64_t eval_samples = 1000;
  bool strict = false;

  void describe(Fields& fields);
  // Fewer samples, where none were asked for, if each row goes through the generator with each.
  void settle(const Config& config, const Fields& given);
  void validate(const Config& config) const;
  // What --coupling auto means.
  [[nodiscard]] CouplingChoice usual_coupling(PriorKind prior) const;

  [[nodiscard]] PriorSignal signal(const PriorForm& form) const;  // what `automatic` means
  [[nodiscard]] bool trains(const std::string& part) const;       // prior or generator
  [[nodiscard]] std::vector<std::string> trained() const;
  [[nodiscard]] bool moves_grids(GridTargets target) const;
};

// Whether grids are fitted again at update i, from 0: every `every` updates, the pauses growing by
// (2 - decay)^i.   [kaem/README 8.1]
class GridCalendar {
 public:
  GridCalendar(std::int64_t every, double decay) : every_(every), decay_(decay) {}
  [[nodiscard]] bool due(std::int64_t step) const;

 private:
  std::int64_t every_;
  double decay_;
};

}  // namespace logpx::kaem
