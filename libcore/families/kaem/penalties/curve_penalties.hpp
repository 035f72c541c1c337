// Penalties of all curves that are trained: those of the prior are one layer, and each layer of a
// generator is one. Edges are scored over the samples of an update by their weights; what a layer
// is given counts as fixed.   [kaem/README 9.1]
//
//   edges    over inputs of layers: the scores of their edges
//   curves   over inputs of layers: the gradient, beside that of the phases behind it
#pragma once

#include "libcore/energy/energy_values.hpp"
#include "libcore/families/kaem/penalties/penalty_options.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/train/phase.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::kaem {

class KaemModel;
struct PriorValues;

// The samples of the step that runs: z as PriorDraws has it, s [S,Q], weights [S] that sum to 1,
// and the prior's numbers.
struct PenaltySamples {
  const PriorValues& values;
  std::span<const double> z;
  std::span<const float> s;
  std::span<const double> weights;
};

class CurvePenalties {
 public:
  // `trained`: paths of parameters, "prior" and "generator".
  struct Parts {
    const KaemModel& model;
    PenaltyOptions options;
    std::vector<std::string> trained;
    std::function<PenaltySamples()> samples;
  };
  explicit CurvePenalties(Parts parts);
  ~CurvePenalties();
  // In their order; none where there is nothing to charge.
  [[nodiscard]] std::vector<std::unique_ptr<Phase>> phases();
  void compute_by(const Numerics& numerics);

  struct Layer {
    EnergyValues values;
    std::string path;            // "prior", "generator/layer0"
    std::vector<double> inputs;  // [F,n]; [F,C,n] of a univariate prior
    // Scores [F,C] and what the second pass needs: slopes by them, factors of coefficients.
    std::vector<double> scores, slopes;
    CoefSums coefs = {};
  };
  // Takes the numbers as they are now.
  void gather();
  void take_scores(std::span<const double> sums);
  [[nodiscard]] double charge() const { return charge_; }
  [[nodiscard]] const std::vector<Layer>& layers() const { return layers_; }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }
  [[nodiscard]] const Parts& parts() const { return parts_; }
  [[nodiscard]] const Numerics& numerics() const { return numerics_; }

 private:
  void add_generator(const PenaltySamples& samples);
  Parts parts_;
  std::vector<Layer> layers_;
  std::vector<double> weights_;
  ExecutorPool shown_;
  Numerics numerics_;
  double charge_ = 0;
};

}  // namespace logpx::kaem
