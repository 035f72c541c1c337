#include "libcore/eval/reciprocal.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/eval/chains.hpp"
#include "libcore/eval/latent_scoring.hpp"
#include "libcore/eval/log_weights.hpp"
#include "libcore/math/hmc.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace logpx {

FittedDensity::FittedDensity(std::span<const double> points, std::int64_t dims,
                             const FitOptions& options)
    : options_(options),
      dims_(static_cast<std::size_t>(dims)),
      points_(points.begin(), points.end()),
      mean_(dims_),
      factor_(dims_ * dims_) {
  const auto n = static_cast<double>(points.size() / dims_);
  for (std::size_t e = 0; e < points.size(); ++e) mean_[e % dims_] += points[e] / n;
  for (std::size_t first = 0; first < points.size(); first += dims_)
    for (std::size_t a = 0; a < dims_; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        if (a == b || options.kind != FitKind::diag)
          factor_[a * dims_ + b] +=
              (points[first + a] - mean_[a]) * (points[first + b] - mean_[b]) / n;
  const double width =
      options.kind == FitKind::kde ? std::pow(n, -2 / (static_cast<double>(dims_) + 4)) : 1;
  for (std::size_t a = 0; a < dims_; ++a) {
    factor_[a * dims_ + a] += options.ridge;
    for (std::size_t b = 0; b <= a; ++b) factor_[a * dims_ + b] *= options.shrink * width;
  }
  factorise();
}

void FittedDensity::factorise() {
  for (std::size_t a = 0; a < dims_; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double rest = factor_[a * dims_ + b];
      for (std::size_t k = 0; k < b; ++k) rest -= factor_[a * dims_ + k] * factor_[b * dims_ + k];
      if (a == b && !(rest > 0))
        fail(ErrorKind::numeric, "--fit", "the samples have no positive covariance",
             "--fit diag, or more --fit-samples");
      factor_[a * dims_ + b] = a == b ? std::sqrt(rest) : rest / factor_[b * dims_ + b];
    }
}

double FittedDensity::log_normal(std::span<const double> z, std::span<const double> centre) const {
  std::vector<double> u(dims_);
  double sum = 0;
  for (std::size_t a = 0; a < dims_; ++a) {
    double rest = z[a] - centre[a];
    for (std::size_t k = 0; k < a; ++k) rest -= factor_[a * dims_ + k] * u[k];
    u[a] = rest / factor_[a * dims_ + a];
    sum += std::log(2 * std::numbers::pi) + 2 * std::log(factor_[a * dims_ + a]) + u[a] * u[a];
  }
  return -sum / 2;
}

double FittedDensity::log_density(std::span<const double> z) const {
  if (options_.kind != FitKind::kde) return log_normal(z, mean_);
  LogWeights kernels;
  for (std::size_t first = 0; first < points_.size(); first += dims_)
    kernels.add(log_normal(z, std::span(points_).subspan(first, dims_)));
  return kernels.log_mean();
}

namespace {

// Posterior chains [repeats, rows], burnt in with adapting step sizes, then frozen.
class PosteriorChains {
 public:
  PosteriorChains(const LatentBlock& block, const ReciprocalOptions& options)
      : block_(block),
        options_(options),
        joint_(block.latents.joint(block.examples, options.repeats)),
        count_(static_cast<std::size_t>(options.repeats * block.rows())),
        log_prior_(count_),
        log_likelihood_(count_),
        steps_(count_, StepSize(options.accept)),
        accept_(count_),
        numbers_(chain_numbers(block, options.repeats)) {
    states_ = start_chains(start(), block.latents.dims(), density());
    for (std::int64_t t = 0; t < options.burn; ++t) {
      const HmcOutcome outcome = move();
      for (std::size_t c = 0; c < count_; ++c) steps_[c].update(outcome.accept[c]);
    }
  }

  const ChainStates& next() {
    const HmcOutcome outcome = move();
    for (std::size_t c = 0; c < count_; ++c) accept_[c] += outcome.accept[c];
    ++kept_;
    return states_;
  }
  [[nodiscard]] double acceptance(std::size_t chain) const {
    return accept_[chain] / static_cast<double>(kept_);
  }

 private:
  [[nodiscard]] std::vector<float> start() const {
    const ModelLatents& latents = block_.latents;
    const DrawPlace place{block_.examples.first, 0, options_.repeats};
    if (latents.has_posterior())
      return draw_posterior(latents.encode(block_.examples), place, block_.rng).z;
    const std::int64_t dims = latents.dims();
    std::vector<float> z(count_ * static_cast<std::size_t>(dims));
    const auto one = static_cast<std::size_t>(dims);
    for (std::size_t c = 0; c < count_; ++c)
      latents.draw_prior(std::span(z).subspan(c * one, one), static_cast<std::int64_t>(numbers_[c]),
                         block_.rng);
    return z;
  }
  [[nodiscard]] ChainDensity density() {
    return
        [this](std::span<const float> z, std::span<double> log_density, std::span<float> gradient) {
          joint_->evaluate(z, {log_prior_, log_likelihood_}, {.values = gradient});
          for (std::size_t c = 0; c < count_; ++c)
            log_density[c] = log_prior_[c] + log_likelihood_[c];
        };
  }
  HmcOutcome move() {
    stop::check();
    std::vector<double> sizes;
    for (const StepSize& step : steps_) sizes.push_back(step.value());
    return hmc_move(states_, density(), {options_.leapfrog, sizes},
                    chain_noise(block_.rng, move_++, numbers_));
  }

  const LatentBlock& block_;
  const ReciprocalOptions& options_;
  std::unique_ptr<LatentJoint> joint_;
  std::size_t count_;
  std::vector<double> log_prior_, log_likelihood_;
  std::vector<StepSize> steps_;
  std::vector<double> accept_;
  std::vector<std::uint64_t> numbers_;
  ChainStates states_;
  std::uint32_t move_ = 0;
  std::int64_t kept_ = 0;
};

std::span<const float> chain_of(const ChainStates& states, std::size_t chain) {
  const auto dims = static_cast<std::size_t>(states.dims);
  return std::span(states.z).subspan(chain * dims, dims);
}

// One estimate per chain.
std::vector<double> estimates(PosteriorChains& chains, std::size_t count,
                              const ReciprocalOptions& options, std::int64_t dims) {
  std::vector<std::vector<double>> points(count);
  for (std::int64_t l = 0; l < options.fit_samples; ++l) {
    const ChainStates& states = chains.next();
    for (std::size_t c = 0; c < count; ++c)
      for (const float x : chain_of(states, c)) points[c].push_back(static_cast<double>(x));
  }
  std::vector<FittedDensity> fits;
  for (const auto& sample : points) fits.emplace_back(sample, dims, options.fit);
  std::vector<std::vector<double>> log_q(count), log_joint(count);
  for (std::int64_t l = 0; l < options.samples; ++l) {
    const ChainStates& states = chains.next();
    for (std::size_t c = 0; c < count; ++c) {
      const std::span<const float> z = chain_of(states, c);
      log_q[c].push_back(fits[c].log_density(std::vector<double>(z.begin(), z.end())));
      log_joint[c].push_back(states.log_density[c]);
    }
  }
  std::vector<double> nats;
  for (std::size_t c = 0; c < count; ++c)
    nats.push_back(reciprocal_estimate(log_q[c], log_joint[c]));
  return nats;
}

class ReciprocalScoring final : public LatentScoring<ReciprocalOptions> {
 public:
  using LatentScoring::LatentScoring;
  void settle() override { check_reciprocal(latents(), settings_); }
  [[nodiscard]] std::int64_t draws() const override { return settings_.samples; }
  [[nodiscard]] ReportedKnobs reported() const override {
    return {{"fit_samples", "fit_samples"}, {"repeats", "fit_repeats"}};
  }

 private:
  [[nodiscard]] Scores score_block(const LatentBlock& block) const override {
    return reciprocal(block, settings_);
  }
};

}  // namespace

void ReciprocalOptions::describe(Fields& f) {
  add_samples(f, samples);
  f.add("burn", burn, "moves of the chains before samples are kept").at_least(0).rank(Rank::manual);
  f.add("leapfrog", leapfrog, "leapfrog steps between samples").range(1, 10'000).rank(Rank::manual);
  f.add("fit", fit.kind,
        {{"gauss", FitKind::gauss, "one Gaussian with all covariances"},
         {"diag", FitKind::diag, "one Gaussian with variances alone"},
         {"kde", FitKind::kde, "a Gaussian around each sample"}},
        "density fitted to the samples")
      .rank(Rank::manual);
  f.add("fit-samples", fit_samples, "samples that the density is fitted to")
      .at_least(2)
      .rank(Rank::manual);
  f.add("fit-shrink", fit.shrink, "factor on the covariance of that density")
      .range(1e-3, 10)
      .rank(Rank::manual);
  f.add("fit-repeats", repeats, "independent repeats; their spread gives the error")
      .range(1, 1000)
      .rank(Rank::manual);
  f.add("any-latent", any_latent, "allow 5 latent dimensions and more").rank(Rank::manual);
}

Method reciprocal_method() {
  return method_of<ReciprocalScoring, ReciprocalOptions>("reciprocal", "reciprocal estimator",
                                                         Method::Use::by_name,
                                                         [](const ModelLatents&) { return true; });
}

double reciprocal_estimate(std::span<const double> log_q, std::span<const double> log_joint) {
  LogWeights ratios;
  for (std::size_t l = 0; l < log_q.size(); ++l) ratios.add(log_q[l] - log_joint[l]);
  return -ratios.log_mean();
}

void check_reciprocal(const ModelLatents& latents, const ReciprocalOptions& options) {
  const std::int64_t dims = latents.dims();
  if (dims >= 5 && !options.any_latent)
    fail(ErrorKind::usage, "--method reciprocal",
         "is for fewer than 5 latent dimensions, the model has " + std::to_string(dims),
         "--method ais, or --any-latent");
}

Scores reciprocal(const LatentBlock& block, const ReciprocalOptions& options) {
  check_reciprocal(block.latents, options);
  PosteriorChains chains(block, options);
  const auto rows = static_cast<std::size_t>(block.rows());
  const auto repeats = static_cast<std::size_t>(options.repeats);
  const std::vector<double> all = estimates(chains, rows * repeats, options, block.latents.dims());
  Scores scores{.kind = Bound::estimate};
  scores.facts = {{"accept", std::vector<double>(rows)}};
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> own;
    for (std::size_t c = i; c < all.size(); c += rows) {
      own.push_back(all[c]);
      scores.facts[0].second[i] += chains.acceptance(c) / static_cast<double>(repeats);
    }
    const Estimate mean = mean_of(own, Bound::estimate);
    scores.nats.push_back(mean.value);
    if (mean.std_error) scores.mc_std_error.push_back(*mean.std_error);
  }
  return scores;
}

}  // namespace logpx
