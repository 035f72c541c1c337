// Inputs that are learned together with a VAE, whose codes make its prior (train-vae --prior
// vamp:K).   [VampPrior; vae/README 2.6]
//
//   p(z) = sum_k w_k q(z|u_k),   k = 1..K
//
// They live among the parameters while the model is trained. What it keeps are the weights, means
// and deviations that they lead to: a mixture as any other.
#pragma once

#include "libcore/families/vae/model.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/train/graph_phase.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::vae {

// K of "vamp:K"; none for N(0, I). A usage error for any other prior to train with.
[[nodiscard]] std::optional<std::int64_t> pseudo_inputs_of(const std::string& prior);
// A usage error for objectives that do not draw from q(z|x), or know p(z) in closed form alone.
void require_drawn_kl(const ObjectiveOptions& options);

class PseudoInputs {
 public:
  // Adds pseudo/inputs [K, D] and pseudo/logits [K] to the parameters of a model that has not been
  // initialised; its prior has K components, which are diagonal. The model must outlive this.
  explicit PseudoInputs(VaeModel& model);

  // Starts them at rows of the data.
  void start(const TrainingRows& rows, Rng rng);
  // log p(z) [L,M] of z [L,M,J], in the graph of an objective.
  [[nodiscard]] Var log_prior(Var z) const;
  // "inputs", "step" by such a graph, "pull"; they refer to this.
  [[nodiscard]] std::vector<std::unique_ptr<Phase>> phases(GraphPhaseParts objective);
  // These weights, with the prior that follows from them in its place.
  [[nodiscard]] std::vector<float> settled(std::span<const float> weights);
  void compute_by(const Numerics& numerics);

 private:
  [[nodiscard]] std::unique_ptr<Graph> build(std::int64_t count) const;
  [[nodiscard]] std::unique_ptr<GraphPhase> inputs_phase();
  [[nodiscard]] std::unique_ptr<GraphPhase> step_phase(GraphPhaseParts objective);
  [[nodiscard]] std::unique_ptr<GraphPhase> pull_phase(GraphPhase& forward);
  [[nodiscard]] std::int64_t codes() const { return count_ * model_.latent(); }
  // Some of the K, from the first one on.
  template <typename T>
  [[nodiscard]] std::span<T> inputs(std::span<T> theta, std::int64_t first,
                                    std::int64_t count) const {
    return params()
        .view(inputs_, theta)
        .span()
        .subspan(static_cast<std::size_t>(first * model_.dims()),
                 static_cast<std::size_t>(count * model_.dims()));
  }
  [[nodiscard]] const ParamSet& params() const { return model_.param_set(); }

  VaeModel& model_;
  std::int64_t count_;        // K
  int inputs_, logits_;       // among the parameters
  ExecutorPool encoders_;     // of settled()
  std::vector<float> codes_;  // of this step: means [K,J], deviations [K,J]
  std::vector<float> pulls_;  // the slope of the loss by each of them
};

// log sum_k w_k N(z; m_k, diag s_k^2) [...] of z [...,J]; log w [K], m and s [K,J].
[[nodiscard]] Var log_mixture(Var z, Var log_weights, Var means, Var deviations);

}  // namespace logpx::vae
