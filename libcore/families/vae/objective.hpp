// What training maximises: one function per term of the equations, and the graphs made of them.
// [vae/README 2]
#pragma once

#include "libcore/families/bound_pass.hpp"
#include "libcore/families/vae/model.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace logpx::vae {

enum class Algorithm { aevb, wake_sleep, mcem };
enum class Objective { elbo, beta, iwae, iwae_dreg, score_function };
enum class Estimator { a, b };

struct ObjectiveOptions {
  Algorithm algorithm = Algorithm::aevb;
  Objective objective = Objective::elbo;
  Estimator estimator = Estimator::b;
  std::int64_t samples = 1;  // L
  std::int64_t k = 5;        // weights of iwae
  double beta = 1;
  std::int64_t kl_warmup = 0;  // steps
  std::string kl_cyclic = "";  // "PERIOD,FRACTION"
  double free_bits = 0;
  std::string weight_prior = "none";        // or normal:STD
  std::int64_t leapfrog = 10, m_steps = 5;  // mcem
  double hmc_accept = 0.9;
  bool mcem_restart = false;

  void describe(Fields& fields);
  void validate() const;

  [[nodiscard]] bool importance_weighted() const {
    return objective == Objective::iwae || objective == Objective::iwae_dreg;
  }
  [[nodiscard]] std::int64_t copies() const { return importance_weighted() ? k : samples; }
  [[nodiscard]] bool schedules_kl() const { return kl_warmup > 0 || !kl_cyclic.empty(); }
  [[nodiscard]] double kl_weight(std::int64_t step) const;
  [[nodiscard]] std::optional<double> weight_prior_std() const;
};

// log p(z) [L,M] of z [L,M,J]: of N(0, I), or of another prior
[[nodiscard]] Var log_prior(Var z);
using LogPrior = std::function<Var(Var z)>;
// log q(z|x) [L,M] of z = mean + e^(log_var/2) noise. It is written with the noise, so that its
// gradient is the total derivative.
[[nodiscard]] Var log_posterior(const EncodedGaussian& q, Var noise);

// The objectives, all [M], to be maximised.
[[nodiscard]] Var elbo_a(const Pass& pass, const LogPrior& prior = log_prior);  // [AEVB eq. 6]
[[nodiscard]] Var elbo_b(const Pass& pass, Var kl);                             // [AEVB eq. 7]
// log p(x,z) - log q(z|x), [K,M]
[[nodiscard]] Var log_weights(const Pass& pass, const LogPrior& prior = log_prior);
[[nodiscard]] Var iwae_bound(Var log_weights);

// The nodes of one shard. Where pixels see others, `extent` dimensions are taken of each row and
// their terms are weighted (context_rows.hpp); 0: all of them.
//   inputs   those of a target, "noise" [L,M,J], "kl_weight" [] when scheduled, "pull" [K,M,1] for
//            iwae-dreg, "baseline" [] for score-function; of dimensions that are taken, "dims" and
//            "weights" [M,extent], and "taken_index" [L,M,extent] for categorical data
//   outputs  "loss", minimised, per row or one for all rows; "surrogate", whose reverse pass gives
//            its gradient; "log_weights" [K,M]
// Another prior than N(0, I) has no closed KL, and is not learned by score-function.
void build_objective(const VaeModel& model, const ObjectiveOptions& options, Graph& graph,
                     GraphSize size, const LogPrior& prior = log_prior);

// "log_weights" to e^w / sum over the draws, for "pull": between forward and reverse pass.
void normalise_draws(View<const float> log_weights, std::span<float> pull);

// log p(x,z) of given z. Inputs: those of a target, "z" [L,M,J]. Outputs [L,M]: "log_prior",
// "log_likelihood", "log_joint", and "loss", which is -log_joint.
void build_joint(const VaeModel& model, Graph& graph, std::int64_t rows, std::int64_t copies);

}  // namespace logpx::vae
