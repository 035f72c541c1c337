#include "libcore/families/vae/objective.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/grad/ops_sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::vae {
namespace {

// sum over j of max(floor, mean over the rows of KL_j), for all rows; flat below the floor.
Var floored_kl(const EncodedGaussian& q, double floor, std::int64_t rows) {
  const Var each = standard_normal_kl(q.mean, q.log_var, 2);
  const Var kept = maximum(mean(each, 0), each.graph().constant(floor));
  return sum(kept) * static_cast<double>(rows);
}

// log p(x|z) as training takes it.
LogLikelihood training_likelihood(const VaeModel& model, Graph& graph, GraphSize size,
                                  std::int64_t copies) {
  if (size.extent == 0)
    return [&model](const Target& target, Var z) { return model.log_likelihood(target, z); };
  ContextHeads::Chosen chosen{graph.index_input("dims", {size.rows, size.extent}),
                              graph.input("weights", {size.rows, size.extent})};
  if (model.likelihood().takes_index())
    chosen.index = graph.index_input("taken_index", {copies, size.rows, size.extent});
  return [&model, chosen](const Target& target, Var z) {
    return model.log_likelihood(target, z, chosen);
  };
}

// The draws are constants of the gradient, which goes through the density that made them.
// [REINFORCE]
Var score_surrogate(const LogLikelihood& log_likelihood, const Pass& pass, Graph& graph) {
  const Var z = stop_gradient(pass.z);
  const Var recon = log_likelihood(pass.target, z);
  const Var log_q = gaussian_log_prob(z, pass.q.mean, pass.q.log_var, 2);
  const Var reward = stop_gradient(recon + log_prior(z) - log_q);
  const Var baseline = graph.input("baseline", {});
  return over_draws(recon + (reward - baseline) * log_q);
}

// Weights whose gradient to the encoder flows through z alone. A draw's gradient to z is scaled by
// its normalised weight, which is put into "pull" after the forward pass.   [DReG]
Var doubly_reparameterised(const LogLikelihood& log_likelihood, Pass& pass, const LogPrior& prior) {
  Graph& graph = pass.z.graph();
  const Shape shape = pass.z.shape();
  const Var pull = graph.input("pull", {shape[0], shape[1], 1});
  const Var z = straight_through(pass.z, pass.z * pull);
  pass.recon = log_likelihood(pass.target, z);
  const Var log_q =
      gaussian_log_prob(z, stop_gradient(pass.q.mean), stop_gradient(pass.q.log_var), 2);
  return pass.recon + prior(z) - log_q;
}

void describe_kl(Fields& f, ObjectiveOptions& o, const Condition& closed) {
  f.add("kl-warmup", o.kl_warmup, "steps over which the weight of the KL rises from 0")
      .at_least(0)
      .when(closed)
      .rank(Rank::manual);
  f.add("kl-cyclic", o.kl_cyclic, "steps of a cycle, and the fraction of it in which the KL rises")
      .metavar("PERIOD,FRACTION")
      .when(closed)
      .rank(Rank::manual);
  f.add("free-bits", o.free_bits, "nats per latent below which its KL costs nothing")
      .at_least(0)
      .when(closed)
      .rank(Rank::manual);
}

void describe_mcem(Fields& f, ObjectiveOptions& o) {
  const Condition mcem{[&o] { return o.algorithm == Algorithm::mcem; }, "--algorithm mcem"};
  f.add("leapfrog", o.leapfrog, "leapfrog steps").range(1, 10000).when(mcem).rank(Rank::manual);
  f.add("m-steps", o.m_steps, "updates of the decoder per minibatch")
      .range(1, 1000)
      .when(mcem)
      .rank(Rank::manual);
  f.add("hmc-accept", o.hmc_accept, "acceptance that the step size is adapted to")
      .range(0.01, 0.99)
      .when(mcem)
      .rank(Rank::manual);
  f.add("mcem-restart", o.mcem_restart, "chains start from the prior in every epoch")
      .when(mcem)
      .rank(Rank::manual);
}

}  // namespace

void ObjectiveOptions::describe(Fields& f) {
  const auto weighted = [this] { return importance_weighted(); };
  const auto maximises = [this](Objective what) {
    return [this, what] { return algorithm == Algorithm::aevb && objective == what; };
  };
  const auto bound = [=] { return maximises(Objective::elbo)() || maximises(Objective::beta)(); };
  const Condition aevb{[this] { return algorithm == Algorithm::aevb; }, "--algorithm aevb"};
  f.group("objective");
  f.add("algorithm", algorithm,
        {{"aevb", Algorithm::aevb, "encoder and decoder together, by one bound"},
         {"wake-sleep", Algorithm::wake_sleep,
          "decoder on data, encoder on what the decoder dreams"},
         {"mcem", Algorithm::mcem, "no encoder: chains draw z for every row; for few rows"}},
        "how the model is learned")
      .rank(Rank::manual);
  f.add("objective", objective,
        {{"elbo", Objective::elbo, "the bound of log p(x)"},
         {"beta", Objective::beta,
          "log p(x|z) minus --beta times the KL: no bound unless that is 1"},
         {"iwae", Objective::iwae, "a tighter bound of --k weights"},
         {"iwae-dreg", Objective::iwae_dreg, "the same bound with a less noisy gradient"},
         {"score-function", Objective::score_function,
          "the ELBO by REINFORCE, for comparison: very noisy"}},
        "what is maximised")
      .when(aevb)
      .rank(Rank::manual);
  f.add("estimator", estimator,
        {{"a", Estimator::a, "the KL is sampled"},
         {"b", Estimator::b, "the KL is in closed form: less noise"}},
        "SGVB with sampled (a) or closed (b) KL")
      .shows_default("b; a with --prior vamp:K")
      .source("AEVB eq. 6, 7")
      .when({bound, "--objective elbo or beta"})
      .rank(Rank::manual);
  f.add("samples", samples, "noise draws per example")
      .range(1, 1 << 16)
      .source("AEVB sec. 2.3")
      .when(aevb)
      .unless({weighted, "--objective iwae or iwae-dreg"})
      .rank(Rank::manual);
  f.add("k", k, "importance weights per example")
      .range(1, 1 << 16)
      .when({weighted, "--objective iwae or iwae-dreg"})
      .rank(Rank::manual);
  f.add("beta", beta, "weight of the KL")
      .about(
          "Below 1 the KL counts less: x is reconstructed better, and samples of the prior look "
          "worse. Above 1 it is the other way round.")
      .at_least(0)
      .when({maximises(Objective::beta), "--objective beta"})
      .rank(Rank::manual);
  const Condition closed{[=, this] { return bound() && estimator == Estimator::b; },
                         "--objective elbo or beta and --estimator b"};
  describe_kl(f, *this, closed);
  f.add("weight-prior", weight_prior, "none, or normal:STD on all weights")
      .source("AEVB sec. 3")
      .rank(Rank::manual);
  describe_mcem(f, *this);
}

void ObjectiveOptions::validate() const {
  // A settings file may hold these, too, and they would not be left unread.
  if (beta != 1 && objective != Objective::beta)
    fail(ErrorKind::usage, "--beta", "goes with --objective beta");
  const bool kl_apart = objective == Objective::elbo || objective == Objective::beta;
  if (schedules_kl() && !(kl_apart && estimator == Estimator::b))
    fail(ErrorKind::usage, kl_warmup > 0 ? "--kl-warmup" : "--kl-cyclic",
         "goes with --objective elbo or beta and --estimator b");
  if (kl_warmup > 0 && !kl_cyclic.empty())
    fail(ErrorKind::usage, "--kl-warmup", "excludes --kl-cyclic");
  static_cast<void>(kl_weight(0));
  static_cast<void>(weight_prior_std());
}

double ObjectiveOptions::kl_weight(std::int64_t step) const {
  if (kl_warmup > 0)
    return beta * std::min(1.0, static_cast<double>(step) / static_cast<double>(kl_warmup));
  if (kl_cyclic.empty()) return beta;
  const std::string_view text = kl_cyclic;
  const std::size_t comma = std::min(text.find(','), text.size());
  const std::int64_t period = parse_integer(text.substr(0, comma)).value_or(0);
  const double fraction = comma < text.size() ? parse_real(text.substr(comma + 1)).value_or(0) : 0;
  if (period < 1 || !(fraction > 0 && fraction <= 1))
    fail(ErrorKind::usage, "--kl-cyclic",
         "is " + kl_cyclic + ", expected STEPS,FRACTION such as 1000,0.5");
  const double within = static_cast<double>(step % period) / static_cast<double>(period);
  return beta * std::min(1.0, within / fraction);
}

std::optional<double> ObjectiveOptions::weight_prior_std() const {
  if (weight_prior == "none") return std::nullopt;
  const auto deviation = weight_prior.starts_with("normal:")
                             ? parse_real(std::string_view(weight_prior).substr(7))
                             : std::nullopt;
  if (!deviation || !(*deviation > 0))
    fail(ErrorKind::usage, "--weight-prior",
         "is " + weight_prior + ", expected none or normal:STD");
  return deviation;
}

Var log_prior(Var z) {
  const Var zero = z.graph().constant(0);
  return gaussian_log_prob(z, zero, zero, 2);
}

Var log_posterior(const EncodedGaussian& q, Var noise) {
  const Var scale = q.log_var;
  return log_prior(noise) - 0.5 * sum(scale, scale.shape().rank() - 1);
}

Var log_weights(const Pass& pass, const LogPrior& prior) {
  return pass.recon + prior(pass.z) - log_posterior(pass.q, pass.noise);
}

Var elbo_a(const Pass& pass, const LogPrior& prior) { return over_draws(log_weights(pass, prior)); }

Var elbo_b(const Pass& pass, Var kl) { return over_draws(pass.recon) - kl; }

Var iwae_bound(Var weights) {
  return logsumexp(weights, 0) - det_log(static_cast<double>(weights.shape()[0]));
}

void build_objective(const VaeModel& model, const ObjectiveOptions& options, Graph& graph,
                     GraphSize size, const LogPrior& prior) {
  const LogLikelihood log_likelihood = training_likelihood(model, graph, size, options.copies());
  Pass pass = make_pass(model, graph, size.rows, options.copies(), log_likelihood);
  const Graph::Scope scope(graph, "objective");
  const auto finish = [&](Var loss) { graph.output("loss", loss); };
  const auto surrogate = [&](Var gain) { graph.output("surrogate", -gain); };
  switch (options.objective) {
    case Objective::iwae: {
      const Var weights = log_weights(pass, prior);
      graph.output("log_weights", weights);
      return finish(-iwae_bound(weights));
    }
    case Objective::iwae_dreg: {
      const Var weights = doubly_reparameterised(log_likelihood, pass, prior);
      graph.output("log_weights", weights);
      return finish(-iwae_bound(weights));
    }
    case Objective::score_function:
      surrogate(score_surrogate(log_likelihood, pass, graph));
      return finish(-elbo_a(pass));
    case Objective::elbo:
    case Objective::beta: break;
  }
  if (options.estimator == Estimator::a) {
    const Var recon = over_draws(pass.recon);
    return finish(options.beta * (recon - elbo_a(pass, prior)) - recon);
  }
  const Var recon = over_draws(pass.recon);
  const bool floored = options.free_bits > 0;
  Var kl = floored ? floored_kl(pass.q, options.free_bits, size.rows) : analytic_kl(pass.q);
  if (options.schedules_kl()) kl = kl * graph.input("kl_weight", {});
  else if (options.beta != 1) kl = options.beta * kl;
  finish(floored ? kl - sum(recon) : kl - recon);
}

void normalise_draws(View<const float> log_weights, std::span<float> weights) {
  const std::int64_t draws = log_weights.shape[0], rows = log_weights.shape[1];
  for (std::int64_t i = 0; i < rows; ++i) {
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::int64_t k = 0; k < draws; ++k)
      top = std::max(top, static_cast<double>(log_weights[k * rows + i]));
    for (std::int64_t k = 0; k < draws; ++k)
      sum += det_exp(static_cast<double>(log_weights[k * rows + i]) - top);
    for (std::int64_t k = 0; k < draws; ++k)
      weights[static_cast<std::size_t>(k * rows + i)] =
          static_cast<float>(det_exp(static_cast<double>(log_weights[k * rows + i]) - top) / sum);
  }
}

void build_joint(const VaeModel& model, Graph& graph, std::int64_t rows, std::int64_t copies) {
  const Target target = model.target(graph, rows, copies);
  const Var z = graph.input("z", {copies, rows, model.latent()});
  const Var prior = log_prior(z), likelihood = model.log_likelihood(target, z);
  const Var joint = prior + likelihood;
  graph.output("log_prior", prior);
  graph.output("log_likelihood", likelihood);
  graph.output("log_joint", joint);
  graph.output("loss", -joint);
}

}  // namespace logpx::vae
