// The order of bounds and evidence on variational auto-encoders.   [eval/README 1.1]
#include "libcore/eval/gap.hpp"
#include "libcore/eval/log_weights.hpp"
#include "libcore/eval/simulated_bounds.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/vae/model.hpp"
#include "tests/support/plans.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::vae_order_test {
namespace {

double mean(const std::vector<double>& values) { return mean_of(values, Bound::estimate).value; }

}  // namespace

TEST_CASE("vae: elbo <= iwae <= ais <= quadrature for both kinds of likelihood") {
  for (const bool binary : {true, false}) {
    CAPTURE(binary);
    vae::Config config;
    config.latent = 2;
    config.hidden = {6};
    config.likelihood = binary ? "bernoulli" : "gaussian";
    config.init = "normal:0.3";
    vae::VaeModel model(config, vectors_of(7, binary ? 2 : 0));
    model.initialise(Rng(3));
    const Abilities can = abilities(model);
    const ModelLatents& latents = *can.latents;
    CHECK(model.info().measure == (binary ? Measure::counting : Measure::lebesgue));

    const JointSamples samples = draw_joint(latents, 0, 12, Rng(5));
    const Examples examples{model.info().data, samples.rows, 0};
    const LatentBlock block{latents, examples, Rng(9)};
    const Scores truth = quadrature(block, {.nodes = 200, .around = Proposal::prior});
    CHECK(std::ranges::max(truth.facts[0].second) < 1e-3);

    const std::vector<double> weights = log_weights(block, {.samples = 50});
    double elbo = 0, five = 0, fifty = 0;
    for (std::size_t i = 0; i < 12; ++i) {
      LogWeights all;
      double fives = 0;
      for (std::size_t group = 0; group < 10; ++group) {
        LogWeights part;
        for (std::size_t k = 0; k < 5; ++k) part.add(weights[(5 * group + k) * 12 + i]);
        fives += part.log_mean() / 10;
        all.add(part);
      }
      CHECK(all.mean_log() <= fives);
      CHECK(fives <= all.log_mean());
      elbo += all.mean_log() / 12;
      five += fives / 12;
      fifty += all.log_mean() / 12;
    }
    const Scores annealed = ais(block, {.steps = 100, .chains = 16});
    CHECK(elbo < five);
    CHECK(five < fifty);
    CHECK(fifty < mean(annealed.nats) + 0.1);
    CHECK(std::abs(mean(annealed.nats) - mean(truth.nats)) < 0.05);
    // An untrained encoder: far off where the posterior is narrow.
    const double many = mean(iwae(block, {.samples = 5000}).nats);
    CHECK(many < mean(truth.nats) + 0.02);
    if (binary) CHECK(many > mean(truth.nats) - 0.05);

    // The model's own bound on the same noise differs only by the KL, which it knows exactly.
    const Scores own =
        testing::score_with(abilities(model), examples, Rng(9), {"samples=2000", "chunk=50"});
    const std::vector<double> sampled = elbo_of(block, latents.encode(examples), 2000);
    CHECK(mean(own.nats) == doctest::Approx(mean(sampled)).epsilon(0.02));
    CHECK(mean(own.nats) < mean(truth.nats));
  }
}

TEST_CASE("vae: forward and backward chains bracket the evidence of its own samples") {
  vae::Config config;
  config.latent = 2;
  config.hidden = {6};
  config.init = "normal:0.6";
  vae::VaeModel model(config, vectors_of(7, 2));
  model.initialise(Rng(3));
  Workers workers(2);
  const SimulatedBounds bounds =
      simulate_bounds(abilities(model), 30, {.steps = 80, .chains = 8}, Rng(4), workers);
  CHECK(std::abs(bounds.distance.value) < 0.05);
  const JointSamples samples = draw_joint(*abilities(model).latents, 0, 30, Rng(4));
  const Examples examples{model.info().data, samples.rows, 0};
  const double truth = mean(quadrature({*abilities(model).latents, examples, Rng(1)}, {}).nats);
  CHECK(std::abs(bounds.lower.value - truth) < 0.04);
  CHECK(std::abs(bounds.upper.value - truth) < 0.04);
}

}  // namespace logpx::vae_order_test
