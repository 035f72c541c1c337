#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/eval/chains.hpp"
#include "libcore/eval/evidence.hpp"
#include "libcore/eval/latent_scoring.hpp"
#include "libcore/eval/log_weights.hpp"
#include "libcore/eval/simulated_bounds.hpp"
#include "libcore/math/hmc.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

Rng rng_for(Rng rng, std::uint32_t use) { return own_generator(rng, Stream::ais, use); }
enum Use : std::uint32_t { first_points = 1, adaptation, annealing, reversal, synthetic };

// The path of densities, with log f_1 - log f_0 of its last evaluation.
class AnnealingPath {
 public:
  AnnealingPath(const LatentBlock& block, const AisOptions& options)
      : from_(options.from),
        joint_(block.latents.joint(block.examples, options.chains)),
        values_(static_cast<std::size_t>(options.chains * block.rows())),
        likelihood_(values_),
        ratio_(values_) {
    if (from_ == Proposal::posterior) q_ = block.latents.encode(block.examples);
  }

  // log f_b(z) and its gradient.
  [[nodiscard]] ChainDensity at(double b) {
    return [this, b](std::span<const float> z, std::span<double> log_density,
                     std::span<float> gradient) { evaluate(b, z, log_density, gradient); };
  }
  [[nodiscard]] const std::vector<double>& ratio() const { return ratio_; }

 private:
  void evaluate(double b, std::span<const float> z, std::span<double> log_density,
                std::span<float> gradient) {
    const bool from_prior = from_ == Proposal::prior;
    joint_->evaluate(
        z, {values_, likelihood_},
        {.prior_weight = from_prior ? 1 : b, .likelihood_weight = b, .values = gradient});
    for (std::size_t c = 0; c < values_.size(); ++c) {
      const double start = from_prior ? values_[c] : add_start(c, b, z, gradient);
      ratio_[c] = values_[c] + likelihood_[c] - start;
      log_density[c] = b > 0 ? start + b * ratio_[c] : start;
    }
  }
  // log q(z|x) of chain c; adds (1 - b) times its gradient.
  double add_start(std::size_t c, double b, std::span<const float> z, std::span<float> gradient) {
    const auto dims = static_cast<std::size_t>(q_.dims);
    const std::size_t row = c % static_cast<std::size_t>(q_.count);
    slope_.resize(dims);
    const double start = log_density(q_, row, z.subspan(c * dims, dims), slope_);
    for (std::size_t d = 0; d < dims; ++d)
      gradient[c * dims + d] += static_cast<float>((1 - b) * slope_[d]);
    return start;
  }

  Proposal from_;
  std::unique_ptr<LatentJoint> joint_;
  Posterior q_;
  std::vector<double> values_, likelihood_, ratio_, slope_;
};

// Chains [chains, rows]; chain c of example i has number i * chains + c.
class Chains {
 public:
  Chains(const LatentBlock& block, const AisOptions& options)
      : block_(block),
        options_(options),
        path_(block, options),
        schedule_(annealing_schedule(options.steps)),
        total_(static_cast<std::size_t>(options.chains * block.rows())),
        numbers_(chain_numbers(block, options.chains)) {
    step_sizes_.assign(total_, StepSize(options.accept));
    frozen_.resize(static_cast<std::size_t>(options.steps));
  }

  // A run only to find step sizes: it moves every few steps, because nothing needs to be exact.
  void adapt() {
    const std::int64_t stride = std::max<std::int64_t>(options_.steps / 250, 1);
    std::vector<float> z = start(rng_for(block_.rng, adaptation));
    for (std::int64_t t = 1; t < options_.steps; ++t) {
      auto& sizes = frozen_[static_cast<std::size_t>(t)];
      if (t % stride == 0) z = move(t, std::move(z), rng_for(block_.rng, adaptation));
      for (const StepSize& size : step_sizes_) sizes.push_back(size.value());
    }
    adapting_ = false;
  }

  // log w = sum_t (b_t - b_(t-1)) (log f_1 - log f_0)(z_(t-1)), z_t from a move under f_t; the move
  // under f_T would change no weight.
  std::vector<double> anneal() {
    const Rng noise = rng_for(block_.rng, annealing);
    std::vector<double> weights(total_);
    std::vector<float> z = start(noise);
    for (std::int64_t t = 1; t <= options_.steps; ++t) {
      ChainStates states = start_chains(std::move(z), block_.latents.dims(), path_.at(beta(t)));
      add_ratio(weights, beta(t) - beta(t - 1));
      if (t < options_.steps) advance(t, states, noise);
      z = std::move(states.z);
    }
    return weights;
  }

  // The same from the other end: all chains of a row begin at its z, a sample of the posterior.
  std::vector<double> reverse(std::span<const float> samples) {
    const Rng noise = rng_for(block_.rng, reversal);
    std::vector<double> weights(total_);
    std::vector<float> z;
    for (std::int64_t c = 0; c < options_.chains; ++c)
      z.insert(z.end(), samples.begin(), samples.end());
    for (std::int64_t t = options_.steps; t >= 1; --t) {
      ChainStates states = start_chains(std::move(z), block_.latents.dims(), path_.at(beta(t - 1)));
      add_ratio(weights, beta(t) - beta(t - 1));
      if (t > 1) advance(t - 1, states, noise);
      z = std::move(states.z);
    }
    return weights;
  }

  [[nodiscard]] double acceptance(std::size_t chain) const {
    return moves_ == 0 ? 1 : accepted_[chain] / static_cast<double>(moves_);
  }

 private:
  [[nodiscard]] double beta(std::int64_t t) const { return schedule_[static_cast<std::size_t>(t)]; }
  void add_ratio(std::vector<double>& weights, double width) const {
    for (std::size_t c = 0; c < total_; ++c) weights[c] += width * path_.ratio()[c];
  }

  [[nodiscard]] std::vector<float> start(Rng noise) const {
    const Rng rng = rng_for(noise, first_points);
    const std::int64_t chains = options_.chains;
    if (options_.from == Proposal::posterior)
      return draw_posterior(block_.latents.encode(block_.examples),
                            {block_.examples.first, 0, chains}, rng)
          .z;
    return draw_prior_starts(block_, {.chains = chains, .draws = chains}, rng);
  }

  std::vector<float> move(std::int64_t t, std::vector<float> z, Rng noise) {
    ChainStates states = start_chains(std::move(z), block_.latents.dims(), path_.at(beta(t)));
    advance(t, states, noise);
    return std::move(states.z);
  }

  void advance(std::int64_t t, ChainStates& states, Rng noise) {
    stop::check();
    const auto& frozen = frozen_[static_cast<std::size_t>(t)];
    std::vector<double> sizes(frozen.begin(), frozen.end());
    if (adapting_) {
      sizes.clear();
      for (const StepSize& size : step_sizes_) sizes.push_back(size.value());
    }
    const HmcOutcome outcome =
        hmc_move(states, path_.at(beta(t)), {options_.leapfrog, sizes},
                 chain_noise(noise, static_cast<std::uint32_t>(t), numbers_));
    if (adapting_)
      for (std::size_t c = 0; c < total_; ++c) step_sizes_[c].update(outcome.accept[c]);
    if (adapting_ && options_.freeze) return;
    ++moves_;
    accepted_.resize(total_);
    for (std::size_t c = 0; c < total_; ++c) accepted_[c] += outcome.accept[c];
  }

  const LatentBlock& block_;
  const AisOptions& options_;
  AnnealingPath path_;
  std::vector<double> schedule_;
  std::size_t total_;
  std::vector<std::uint64_t> numbers_;
  std::vector<StepSize> step_sizes_;
  std::vector<std::vector<double>> frozen_;  // [steps][chains * rows]
  bool adapting_ = true;
  std::int64_t moves_ = 0;
  std::vector<double> accepted_;
};

std::vector<HalvedWeights> by_row(const std::vector<double>& weights, std::int64_t rows,
                                  std::int64_t chains) {
  std::vector<HalvedWeights> sums(static_cast<std::size_t>(rows), HalvedWeights(chains));
  for (std::size_t e = 0; e < weights.size(); ++e) sums[e % sums.size()].add(weights[e]);
  return sums;
}

class AisScoring final : public LatentScoring<AisOptions> {
 public:
  using LatentScoring::LatentScoring;
  void settle() override {
    if (settings_.reverse && !settings_.freeze)
      fail(ErrorKind::usage, "--ais-reverse", "gives no bracket with --no-ais-freeze");
  }
  [[nodiscard]] std::int64_t draws() const override { return settings_.chains; }
  [[nodiscard]] ReportedKnobs reported() const override {
    return {{"chains", "ais_chains"}, {"steps", "ais_steps"}, {"from", "ais_from"}};
  }
  // Chains are few by design, so a low effective number is no reason for doubt.
  [[nodiscard]] std::vector<std::string> doubts(const Scores::Columns&) const override {
    return {};
  }
  [[nodiscard]] Asides asides(std::int64_t examples, Rng rng, Workers& workers) const override {
    if (!settings_.reverse) return {};
    const SimulatedBounds bounds = simulate_bounds(can_, examples, settings_, rng, workers);
    return {{"lower_nats", bounds.lower},
            {"upper_nats", bounds.upper},
            {"bracket_nats", bounds.distance}};
  }

 private:
  [[nodiscard]] Scores score_block(const LatentBlock& block) const override {
    return ais(block, settings_);
  }
};

}  // namespace

void AisOptions::describe(Fields& f) {
  f.add("ais-steps", steps, "temperatures").range(1, 1 << 24).rank(Rank::manual);
  add_chains(f, chains);
  add_moves(f, leapfrog, accept);
  f.add("ais-from", from,
        {{"prior", Proposal::prior, "from draws of p(z)"},
         {"posterior", Proposal::posterior, "from the encoder's q(z|x), which is nearer"}},
        "where the chains begin")
      .rank(Rank::manual);
  f.add("ais-freeze", freeze, "adapt step sizes in a pass of their own, on other noise")
      .rank(Rank::manual);
  f.add("ais-reverse", reverse, "bracket the evidence of as many examples drawn from the model")
      .rank(Rank::manual);
}

Method ais_method() {
  return method_of<AisScoring, AisOptions>("ais", "annealed importance sampling",
                                           Method::Use::evidence,
                                           [](const ModelLatents&) { return true; });
}

std::vector<double> annealing_schedule(std::int64_t steps) {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  std::vector<double> b{0};
  for (std::int64_t t = 1; t < steps; ++t) {
    const double x = 4 * (2 * static_cast<double>(t) / static_cast<double>(steps) - 1);
    b.push_back((sigmoid(x) - sigmoid(-4)) / (sigmoid(4) - sigmoid(-4)));
  }
  b.push_back(1);
  return b;
}

Scores ais(const LatentBlock& block, const AisOptions& options) {
  Chains chains(block, options);
  if (options.freeze) chains.adapt();
  const std::vector<double> weights = chains.anneal();
  Scores scores{.kind = options.freeze ? Bound::stochastic_lower_bound : Bound::estimate};
  scores.facts = {{"ess", {}}, {"accept", {}}};
  const auto rows = static_cast<std::size_t>(block.rows());
  for (const HalvedWeights& row : by_row(weights, block.rows(), options.chains)) {
    const LogWeights all = row.all();
    double accept = 0;
    for (std::size_t c = scores.nats.size(); c < weights.size(); c += rows)
      accept += chains.acceptance(c) / static_cast<double>(options.chains);
    scores.nats.push_back(all.log_mean());
    if (row.has_error()) scores.mc_std_error.push_back(row.error());
    scores.facts[0].second.push_back(all.sample_size());
    scores.facts[1].second.push_back(accept);
  }
  return scores;
}

Bracket bracket_evidence(const LatentBlock& block, std::span<const float> z,
                         const AisOptions& options) {
  LOGPX_ASSERT(options.freeze);
  Chains chains(block, options);
  chains.adapt();
  Bracket bracket;
  for (const HalvedWeights& row : by_row(chains.anneal(), block.rows(), options.chains))
    bracket.lower.push_back(row.all().log_mean());
  std::vector<double> inverse = chains.reverse(z);
  for (double& weight : inverse) weight = -weight;
  for (const HalvedWeights& row : by_row(inverse, block.rows(), options.chains))
    bracket.upper.push_back(-row.all().log_mean());
  return bracket;
}

JointSamples draw_joint(const ModelLatents& latents, std::int64_t first, std::int64_t count,
                        Rng rng) {
  JointSamples samples;
  samples.z.resize(static_cast<std::size_t>(count * latents.dims()));
  samples.rows.count = count;
  const Rng own = rng_for(rng, synthetic);
  latents.draw_prior(samples.z, first, own);
  latents.sample(samples.z, samples.rows, first, own);
  return samples;
}

}  // namespace logpx
