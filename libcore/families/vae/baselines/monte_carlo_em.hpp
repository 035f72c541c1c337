// Monte Carlo EM: a Markov chain per row of the data follows p(z|x) by Hamiltonian Monte Carlo, and
// the decoder learns from its z. There is no encoder.   [AEVB sec. 5; vae/README 5.2]
//
//   E   one proposal of `leapfrog` steps for the chains of a minibatch
//   M   `m_steps` updates on the mean of log p(x,z) in theta, these z fixed
#pragma once

#include "libcore/families/vae/objective.hpp"
#include "libcore/math/hmc.hpp"
#include "libcore/train/checkpoint.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/graph_phase.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace logpx::vae {

class MonteCarloEm {
 public:
  // Chains for the rows of `train`, at draws from the prior. `take_rows` fills the inputs of a
  // target; model and rows must outlive this.
  MonteCarloEm(const VaeModel& model, const ObjectiveOptions& options, const Examples& train,
               BindShard take_rows, Rng rng);

  // "chains", and "m-step" with its repeats; refer to this.
  [[nodiscard]] std::vector<std::unique_ptr<Phase>> phases();
  [[nodiscard]] std::vector<TensorRef> state();
  [[nodiscard]] std::int64_t bytes() const { return std::ssize(chains_.span()) * 4; }
  // log_joint_train, the mean of log p(x,z) over the chains of the first rows; hmc_step, its step
  // size; hmc_non_finite, proposals so far whose energy was not finite.
  [[nodiscard]] Metrics evaluate(std::span<const float> weights, std::int64_t rows,
                                 const EvaluationMachine& machine) const;

 private:
  friend class ChainPhase;
  enum Fact { step_size, updates, non_finite, facts };
  // The states of the chains of these rows, to z [rows, J].
  void gather(std::span<const std::int64_t> rows, std::span<float> z) const;

  const VaeModel& model_;
  ObjectiveOptions options_;
  Examples train_;
  BindShard take_rows_;
  mutable ExecutorPool evaluated_;
  Tensor<float> chains_;  // [N,J]
  Tensor<double> facts_{Shape{facts}};
};

}  // namespace logpx::vae
