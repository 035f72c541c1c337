#include "libcore/eval/prior_pruning.hpp"

#include "libcore/eval/prior_facts.hpp"
#include "tests/support/known_prior.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

namespace logpx::prior_pruning_test {

using testing::KnownPrior;

namespace {

Formula square(double c) { return {symbolic_function("x^2"), 1, 0, c, 0}; }

// Two latents of three components each.
KnownPrior mixture_of(std::vector<double> weights, std::vector<double> strengths) {
  testing::KnownPriorConfig config{
      .shape = {.latents = 2, .parts = 3, .is_mixture = true}, .components = {}, .layers = {}};
  for (std::size_t i = 0; i < 6; ++i)
    config.components.push_back({.formula = square(strengths[i]), .weight = weights[i]});
  return KnownPrior(config);
}

// One latent of five, and two layers behind it: 5 to 3 nodes to 2 values.
KnownPrior layered(std::vector<double> first, std::vector<double> second) {
  testing::KnownPriorConfig config{.shape = {.latents = 5, .parts = 1},
                                   .components = std::vector<testing::KnownComponent>(5),
                                   .layers = {std::move(first), std::move(second)}};
  for (testing::KnownComponent& component : config.components) component.formula = square(-1);
  return KnownPrior(config);
}

}  // namespace

TEST_CASE("pruning: components that are hardly drawn go, and one at least stays") {
  const KnownPrior prior = mixture_of({0.6, 0.395, 0.005, 0.002, 0.99, 0.008}, {-1, 1, 1, 1, 1, 1});
  const Pruning pruning = plan_pruning(prior, {}, Rng(1));
  REQUIRE(pruning.changes.removals.size() == 3);
  CHECK(pruning.components == 6);
  CHECK(pruning.changes.removals[0].q == 0);
  CHECK(pruning.changes.removals[0].p == 2);
  CHECK(pruning.changes.energies.empty());
  const std::unique_ptr<Model> smaller = prior.changed(pruning.changes);
  CHECK(testing::prior_of(*smaller).component(0, 0).weight == doctest::Approx(0.6 / 0.995));
  CHECK(testing::prior_of(*smaller).component(1, 1).weight == 1);
  const Pruning all = plan_pruning(prior, {.alpha = 1}, Rng(1));
  CHECK(all.changes.removals.size() == 4);
  // Removed parts are not counted again.
  CHECK(plan_pruning(testing::prior_of(*smaller), {}, Rng(1)).is_empty());
}

TEST_CASE("pruning: energies that say nothing become 0, and the divergence is at most 1e-3") {
  const KnownPrior prior({.shape = {.latents = 2, .parts = 2},
                          .components = {{.formula = square(-2)},
                                         {.formula = {0, 1, 0, 1, 5}},  // a constant
                                         {.formula = square(0.02)},     // a small one
                                         {.formula = {}}},
                          .layers = {}});
  const Pruning pruning = plan_pruning(prior, {}, Rng(1));
  CHECK(pruning.energies == 3);
  REQUIRE(pruning.changes.energies.size() == 2);
  CHECK(pruning.changes.energies[0].q == 0);
  CHECK(pruning.changes.energies[0].p == 1);
  CHECK(pruning.changes.energies[1].q == 1);
  CHECK(pruning.changes.energies[1].p == 0);
  const std::unique_ptr<Model> smaller = prior.changed(pruning.changes);
  const PriorDivergence moved = divergence(prior, testing::prior_of(*smaller));
  CHECK(moved.total > 0);
  CHECK(moved.total < 1e-3);
  CHECK(moved.q == 1);
  CHECK(energy_size(testing::prior_of(*smaller).component(0, 1)) == 0);
  CHECK(plan_pruning(testing::prior_of(*smaller), {}, Rng(1)).is_empty());
}

TEST_CASE("pruning: edges below the threshold go, and nodes with no edge to them or from them") {
  // Node 1 gets almost nothing, node 2 gives almost nothing.
  const KnownPrior prior = layered({1, 0.001, 1,  //
                                    1, 0.001, 1,  //
                                    1, 0.001, 1,  //
                                    1, 0.001, 1,  //
                                    0.01, 0.001, 1},
                                   {1, 1,      //
                                    500, 500,  //
                                    0.001, 0.001});
  const Pruning pruning = plan_pruning(prior, {.samples = 50}, Rng(1));
  REQUIRE(pruning.layers.size() == 2);
  CHECK(pruning.layers[0].name == "layer0");
  CHECK(pruning.layers[0].edges == 15);
  CHECK(pruning.layers[0].gone == 11);
  CHECK(pruning.layers[0].nodes_gone == 2);
  CHECK(pruning.layers[1].gone == 4);
  CHECK(pruning.layers[1].nodes_gone == 0);
  REQUIRE(pruning.changes.edges.size() == 2);
  CHECK(pruning.changes.edges[0].kept[0]);
  CHECK(!pruning.changes.edges[0].kept[12]);  // 0.01 of the last latent
  CHECK(!pruning.changes.edges[0].kept[2]);   // to node 2
  const std::unique_ptr<Model> smaller = prior.changed(pruning.changes);
  const double change = decoded_change(prior, testing::prior_of(*smaller), 50, Rng(1));
  CHECK(change > 0);
  CHECK(decoded_change(prior, prior, 50, Rng(1)) == 0);
}

TEST_CASE("pruning: thresholds of 0 leave everything as it is") {
  const KnownPrior prior = layered(std::vector<double>(15, 1e-9), std::vector<double>(6, 1e-9));
  CHECK(plan_pruning(prior, {.edge = 0, .node = 0, .alpha = 0, .flat = 0, .samples = 10}, Rng(1))
            .is_empty());
}

}  // namespace logpx::prior_pruning_test
