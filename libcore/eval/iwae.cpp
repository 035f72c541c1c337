#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/eval/evidence.hpp"
#include "libcore/eval/latent_scoring.hpp"
#include "libcore/eval/log_weights.hpp"

#include <algorithm>
#include <functional>

namespace logpx {
namespace {

// Calls take(draw, row, log w) for every weight, draws in order.
using TakeWeight = std::function<void(std::int64_t draw, std::int64_t row, double log_weight)>;

void visit_weights(const LatentBlock& block, const IwaeOptions& options, const TakeWeight& take) {
  const std::int64_t rows = block.rows(),
                     chunk = std::min(options.chunk > 0 ? options.chunk : 10, options.samples);
  const Posterior q = block.latents.encode(block.examples);
  const auto joint = block.latents.joint(block.examples, chunk);
  std::vector<double> log_prior(static_cast<std::size_t>(chunk * rows));
  std::vector<double> log_likelihood(log_prior.size());
  for (std::int64_t done = 0; done < options.samples; done += chunk) {
    stop::check();
    const PosteriorDraws draws = draw_posterior(q, {block.examples.first, done, chunk}, block.rng);
    joint->evaluate(draws.z, {log_prior, log_likelihood}, {});
    const std::int64_t wanted = std::min(chunk, options.samples - done);
    for (std::int64_t e = 0; e < wanted * rows; ++e) {
      const auto i = static_cast<std::size_t>(e);
      take(done + e / rows, e % rows, log_prior[i] + log_likelihood[i] - draws.log_q[i]);
    }
  }
}

class IwaeScoring final : public LatentScoring<IwaeOptions> {
 public:
  using LatentScoring::LatentScoring;
  [[nodiscard]] std::int64_t draws() const override { return settings_.samples; }
  [[nodiscard]] ReportedKnobs reported() const override { return {{"k", "samples"}}; }

 private:
  [[nodiscard]] Scores score_block(const LatentBlock& block) const override {
    return iwae(block, settings_);
  }
};

}  // namespace

void IwaeOptions::describe(Fields& f) {
  add_samples(f, samples);
  add_chunk(f, chunk);
}

Method iwae_method() {
  return method_of<IwaeScoring, IwaeOptions>(
      "iwae", "importance weights", Method::Use::beside_auto,
      [](const ModelLatents& latents) { return latents.has_posterior(); });
}

Scores iwae(const LatentBlock& block, const IwaeOptions& options) {
  std::vector<HalvedWeights> weights(static_cast<std::size_t>(block.rows()),
                                     HalvedWeights(options.samples));
  visit_weights(block, options, [&](std::int64_t, std::int64_t row, double log_weight) {
    weights[static_cast<std::size_t>(row)].add(log_weight);
  });
  Scores scores{.kind = Bound::stochastic_lower_bound};
  scores.facts = {{"ess", {}}};
  for (const HalvedWeights& row : weights) {
    const LogWeights all = row.all();
    scores.nats.push_back(all.log_mean());
    if (row.has_error()) scores.mc_std_error.push_back(row.error());
    scores.facts[0].second.push_back(all.sample_size());
  }
  return scores;
}

std::vector<double> log_weights(const LatentBlock& block, const IwaeOptions& options) {
  std::vector<double> weights(static_cast<std::size_t>(options.samples * block.rows()));
  visit_weights(block, options, [&](std::int64_t draw, std::int64_t row, double log_weight) {
    weights[static_cast<std::size_t>(draw * block.rows() + row)] = log_weight;
  });
  return weights;
}

}  // namespace logpx
