// Maximum likelihood by Langevin chains: each row has a chain, at each temperature, that follows
// its posterior, and prior and generator learn from where it ends.
// [kaem/README 5 and 7]
//
//   prior      tables and draws of the prior, where chains start
//   chains     over rows: --langevin-steps moves, with exchanges between temperatures
//   edges, curves   with --lambda-reg: penalties/curve_penalties.hpp
//   generator  over rows: gradient of log p(x|z) at the samples
//   retrace    over features, where uniforms are shared: tables of the samples
//   tilt       over features: gradient of the prior; the update of both
#pragma once

#include "libcore/families/kaem/chains/chain_step.hpp"
#include "libcore/families/kaem/penalties/curve_penalties.hpp"
#include "libcore/families/kaem/way_of_training.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx::kaem {

class ChainTraining final : public WayOfTraining {
 public:
  // Refers to the model and to the rows, `count` of them.
  ChainTraining(KaemModel& model, const FitOptions& options, const TrainingRows& rows,
                std::int64_t count);
  [[nodiscard]] std::vector<Phase*> phases() override;
  void compute_by(const Numerics& numerics) override {
    step_.points.numerics = numerics;
    penalties_.compute_by(numerics);
  }
  [[nodiscard]] std::vector<TensorRef> state() override { return step_.state(); }
  [[nodiscard]] std::int64_t bytes() const override;
  // The last states of the chains, which do not move with the parameters.
  [[nodiscard]] GridSamples grid_samples() override;
  // swap_accept_k, the share of exchanges between t_k and t_(k+1), in the epoch so far.
  [[nodiscard]] Metrics metrics() const override;
  // Warns of chains that hardly move.
  [[nodiscard]] std::vector<std::string> concerns() const override;

 private:
  FitOptions options_;
  ChainStep step_;
  std::vector<EnergyTables> tables_;  // one for each feature
  CurvePenalties penalties_;
  std::vector<std::unique_ptr<Phase>> phases_;
};

}  // namespace logpx::kaem
