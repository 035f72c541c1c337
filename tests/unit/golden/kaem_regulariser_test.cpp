// Sizes of edges and what goes by them, against tests/golden/kaem.json.
#include "libcore/eval/prior_pruning.hpp"
#include "libcore/families/kaem/penalties/penalty_options.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/known_prior.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace logpx::kaem_regulariser_test {

using namespace logpx::testing;

namespace {

// A layer of these scores, and one behind it whose edges are all large.
class GivenScores final : public ModelPrior {
 public:
  explicit GivenScores(LayerEdges layer)
      : known_({.shape = {.latents = 1, .parts = 1}, .components = {{}}, .layers = {}}),
        layer_(std::move(layer)) {}
  [[nodiscard]] PriorShape shape() const override { return known_.shape(); }
  [[nodiscard]] PriorComponent component(std::int64_t q, std::int64_t p) const override {
    return known_.component(q, p);
  }
  [[nodiscard]] std::vector<double> draw(std::int64_t first, std::int64_t count,
                                         Rng rng) const override {
    return known_.draw(first, count, rng);
  }
  [[nodiscard]] std::vector<float> decode(std::span<const double> z,
                                          const std::optional<Noise>& noise) const override {
    return known_.decode(z, noise);
  }
  [[nodiscard]] std::vector<LayerEdges> edge_scores(std::span<const double>) const override {
    return {layer_,
            {"behind", layer_.outputs, 1,
             std::vector<double>(static_cast<std::size_t>(layer_.outputs), 1e9)}};
  }
  [[nodiscard]] std::unique_ptr<Model> changed(const PriorChanges& changes) const override {
    return known_.changed(changes);
  }

 private:
  KnownPrior known_;
  LayerEdges layer_;
};

}  // namespace

TEST_CASE("golden/kaem/kan_regulariser") {
  const Json* item = golden::field("kaem", "kan_regulariser");
  if (!item) return;
  const golden_layer::Values scores = golden_layer::tensor(item->at("edge_scores"));
  const kaem::EdgeSize size = kaem::edge_size(scores.data);
  CHECK(size.l1 == doctest::Approx(golden::real(item->at("l1"))).epsilon(1e-12));
  CHECK(size.entropy == doctest::Approx(golden::real(item->at("entropy_nats"))).epsilon(1e-12));

  const GivenScores prior({"first", scores.shape[0], scores.shape[1], scores.data});
  const Pruning by_edges = plan_pruning(
      prior, {.edge = golden::real(item->at("example_threshold")), .node = 0, .samples = 2},
      Rng(1));
  std::vector<bool> kept(scores.data.size(), true);
  for (const Json& edge : item->at("pruned_edges").items())
    kept[static_cast<std::size_t>(edge.items()[0].integer() * scores.shape[1] +
                                  edge.items()[1].integer())] = false;
  REQUIRE(by_edges.changes.edges.size() == 1);
  CHECK(by_edges.changes.edges[0].kept == kept);

  // A node goes as soon as the threshold is above the largest score of the edges to it.
  const std::vector<double> largest = golden_layer::tensor(item->at("node_in_max")).data;
  for (const double threshold : largest)
    for (const double factor : {1 - 1e-9, 1 + 1e-9}) {
      const double above = factor * threshold;
      const Pruning by_nodes =
          plan_pruning(prior, {.edge = 0, .node = above, .samples = 2}, Rng(1));
      CHECK(by_nodes.layers[0].nodes_gone ==
            std::ranges::count_if(largest, [&](double score) { return score < above; }));
    }
}

}  // namespace logpx::kaem_regulariser_test
