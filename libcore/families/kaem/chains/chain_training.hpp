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

#include "libcore/families/kaem/chains/chain_space.hpp"
#include "libcore/families/kaem/penalties/curve_penalties.hpp"
#include "libcore/families/kaem/training/importance.hpp"
#include "libcore/families/kaem/way_of_training.hpp"
#include "libcore/train/checkpoint.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::kaem {

// What the phases of training by chains leave for the next ones of the same step, and from one step
// to the next.
struct ChainStep {
  // `rows`: how many the training data have.
  ChainStep(const KaemModel& model, const FitOptions& options, std::int64_t rows);

  // What holds for one step, its rows in the order in which shards take them.
  PosteriorPoints points;  // z at t = 1, one sample for each row
  PosteriorPoints kept;    // for grids: the last states of each chain
  std::vector<double> t;   // t_0 .. t_K
  std::vector<double> log_z;
  std::vector<InverseCdf> inverses;  // for u-space
  // Where chains begin and what stands for t_0: draws of the prior [place of the row, K + 1, dims].
  std::vector<double> starts;
  // s [row, learned rung, Q] for the generator; a rank sets the rows that it works on.
  std::vector<float> learned;

  // State. Facts: the step size of the next update; the number of the epoch, its updates so far
  // and the sum of their acceptance rates; then how many exchanges each pair of neighbours has
  // tried, and how many it has accepted.
  enum Fact { eta, epoch, updates, accept, facts };
  Tensor<double> tuning;
  Tensor<double> deviations;  // [dims]
  // Persistent chains [N,K,dims], and whether a row has one yet.
  Tensor<float> chains;
  Tensor<std::uint8_t> visited;

  [[nodiscard]] std::vector<TensorRef> state();
  // Memory that is kept from step to step: starts with the draws that they are made of, and
  // samples of posteriors.
  [[nodiscard]] std::int64_t bytes(const LangevinOptions& options) const;
  [[nodiscard]] std::int64_t dims() const { return deviations.size(); }
  [[nodiscard]] std::span<double> pairs() { return tuning.span().subspan(facts); }
  [[nodiscard]] std::span<const double> pairs() const { return tuning.span().subspan(facts); }
  [[nodiscard]] std::unique_ptr<ChainSpace> space(const LangevinOptions& options) const;
};

// The phases; all refer to what they are given.
struct ChainParts {
  KaemModel& model;
  const FitOptions& options;
  ChainStep& step;
  const TrainingRows& rows;
};
// The prior's numbers, inverses and draws of this step.
[[nodiscard]] std::unique_ptr<Phase> starts_phase(const ChainParts& parts);
// Moves the chains of the rows.
[[nodiscard]] std::unique_ptr<Phase> chains_phase(const ChainParts& parts);
// The generator's gradient at the samples, and for a pathwise prior its slopes by s.
[[nodiscard]] std::unique_ptr<Phase> learning_phase(const ChainParts& parts);

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
