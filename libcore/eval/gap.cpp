#include "libcore/eval/gap.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/det/draws.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace logpx {
namespace {

// Adam [Kingma, Ba 2015], upwards.
class Ascent {
 public:
  Ascent(std::size_t size, double rate) : rate_(rate), m_(size), v_(size) {}
  void next_step() {
    power1_ *= 0.9;
    power2_ *= 0.999;
  }
  void move(std::vector<float>& x, std::size_t e, double gradient) {
    m_[e] = 0.9 * m_[e] + 0.1 * gradient;
    v_[e] = 0.999 * v_[e] + 0.001 * gradient * gradient;
    const double step = rate_ * m_[e] / (1 - power1_) / (std::sqrt(v_[e] / (1 - power2_)) + 1e-8);
    x[e] = static_cast<float>(static_cast<double>(x[e]) + step);
  }

 private:
  double rate_, power1_ = 1, power2_ = 1;
  std::vector<double> m_, v_;
};

Estimate mean_difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences(a.size());
  std::ranges::transform(a, b, differences.begin(), [](double x, double y) { return x - y; });
  return mean_of(differences, Bound::estimate);
}

}  // namespace

// d ELBO / d mean = E[g], d ELBO / d log_var = E[g (z - mean)] / 2 + 1/2, g = d log p(x,z) / dz
// (the entropy of q is known and not sampled).
Posterior refine(const LatentBlock& block, const Posterior& start, const RefineOptions& options) {
  Posterior q = start;
  const std::size_t size = q.mean.size();
  Ascent mean(size, options.rate), log_var(size, options.rate);
  const auto joint = block.latents.joint(block.examples, options.draws);
  std::vector<double> log_prior(static_cast<std::size_t>(options.draws * q.count)),
      log_likelihood(log_prior.size());
  std::vector<float> gradient(size * static_cast<std::size_t>(options.draws));
  // Numbers of draws beyond those of any evaluation.
  std::int64_t first_draw = std::int64_t{1} << 32;
  for (std::int64_t t = 0; t < options.steps; ++t) {
    stop::check();
    const PosteriorDraws draws =
        draw_posterior(q, {block.examples.first, first_draw, options.draws}, block.rng);
    first_draw += options.draws;
    joint->evaluate(draws.z, {log_prior, log_likelihood}, {.values = gradient});
    mean.next_step();
    log_var.next_step();
    for (std::size_t e = 0; e < size; ++e) {
      double slope = 0, spread = 0;
      for (std::size_t f = e; f < gradient.size(); f += size) {
        const auto g = static_cast<double>(gradient[f]);
        slope += g;
        spread += g * (static_cast<double>(draws.z[f]) - static_cast<double>(q.mean[e]));
      }
      const auto count = static_cast<double>(options.draws);
      mean.move(q.mean, e, slope / count);
      log_var.move(q.log_var, e, spread / count / 2 + 0.5);
    }
  }
  return q;
}

std::vector<double> elbo_of(const LatentBlock& block, const Posterior& q, std::int64_t draws) {
  const std::int64_t chunk = std::min<std::int64_t>(draws, 10);
  const auto joint = block.latents.joint(block.examples, chunk);
  std::vector<double> log_prior(static_cast<std::size_t>(chunk * q.count)),
      log_likelihood(log_prior.size()), nats(static_cast<std::size_t>(q.count));
  for (std::int64_t done = 0; done < draws; done += chunk) {
    stop::check();
    const PosteriorDraws z = draw_posterior(q, {block.examples.first, done, chunk}, block.rng);
    joint->evaluate(z.z, {log_prior, log_likelihood}, {});
    const auto wanted = static_cast<std::size_t>(std::min(chunk, draws - done) * q.count);
    for (std::size_t e = 0; e < wanted; ++e)
      nats[e % nats.size()] +=
          (log_prior[e] + log_likelihood[e] - z.log_q[e]) / static_cast<double>(draws);
  }
  return nats;
}

Gap measure_gap(const EvalRows& rows, Workers& workers, const Abilities& can,
                const Scored& evidence, const GapSettings& settings, Rng rng) {
  const ModelLatents* const latents = can.latents.get();
  if (latents == nullptr || !latents->has_posterior())
    fail(ErrorKind::usage, "--gap", "needs a model with an encoder");
  const Scored bounds = score_rows(rows, workers, [&](const Examples& examples) {
    const LatentBlock block{*latents, examples, rng};
    const Posterior q = latents->encode(examples);
    Scores scores{.kind = Bound::stochastic_lower_bound};
    scores.nats = elbo_of(block, q, settings.draws);
    const Posterior refined = refine(block, q, settings.refine);
    scores.facts = {{"refined", elbo_of(block, refined, settings.draws)}};
    return scores;
  });
  const std::vector<double>& refined = bounds.facts[0].second;
  return {.elbo = mean_of(bounds.nats, Bound::stochastic_lower_bound),
          .refined_elbo = mean_of(refined, Bound::stochastic_lower_bound),
          .total = mean_difference(evidence.nats, bounds.nats),
          .amortisation = mean_difference(refined, bounds.nats),
          .approximation = mean_difference(evidence.nats, refined)};
}

}  // namespace logpx
