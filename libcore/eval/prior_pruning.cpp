#include "libcore/eval/prior_pruning.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/eval/prior_facts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace logpx {
namespace {

std::size_t place(const LayerEdges& layer, std::int64_t input, std::int64_t output) {
  return static_cast<std::size_t>(input * layer.outputs + output);
}

// Chooses the components of a mixture that weigh too little, except the heaviest.
void choose_removals(const std::vector<PriorComponent>& parts, double least,
                     PriorChanges& changes) {
  const auto heaviest = std::ranges::max_element(parts, {}, &PriorComponent::weight);
  for (auto part = parts.begin(); part != parts.end(); ++part)
    if (part != heaviest && part->weight > 0 && part->weight < least)
      changes.removals.push_back({part->q, part->p});
}

void choose_energy(const PriorComponent& component, const PruningOptions& options,
                   Pruning& pruning) {
  const double range = energy_range(component), size = energy_size(component);
  if (range == 0 && size == 0) return;
  ++pruning.energies;
  if (range < options.flat || size < options.edge)
    pruning.changes.energies.push_back({component.q, component.p, {}});
}

bool is_removed(const PriorChanges& changes, const PriorComponent& component) {
  return std::ranges::any_of(changes.removals, [&](const PriorChanges::Removal& removal) {
    return removal.q == component.q && removal.p == component.p;
  });
}

void prune_densities(const ModelPrior& prior, const PruningOptions& options, Pruning& pruning) {
  const PriorShape shape = prior.shape();
  for (std::int64_t q = 0; q < shape.latents; ++q) {
    std::vector<PriorComponent> parts;
    for (std::int64_t p = 0; p < shape.parts; ++p) parts.push_back(prior.component(q, p));
    if (shape.is_mixture) choose_removals(parts, options.alpha, pruning.changes);
    for (const PriorComponent& part : parts) {
      if (part.weight == 0) continue;
      ++pruning.components;
      if (!is_removed(pruning.changes, part)) choose_energy(part, options, pruning);
    }
  }
}

double largest_to(const LayerEdges& layer, const std::vector<bool>& kept, std::int64_t output) {
  double largest = 0;
  for (std::int64_t i = 0; i < layer.inputs; ++i)
    if (kept[place(layer, i, output)])
      largest = std::max(largest, layer.scores[place(layer, i, output)]);
  return largest;
}

double largest_from(const LayerEdges& layer, const std::vector<bool>& kept, std::int64_t input) {
  double largest = 0;
  for (std::int64_t o = 0; o < layer.outputs; ++o)
    if (kept[place(layer, input, o)])
      largest = std::max(largest, layer.scores[place(layer, input, o)]);
  return largest;
}

// Edges first; then nodes between two layers, until no further node goes.
std::vector<std::vector<bool>> edges_kept(const std::vector<LayerEdges>& layers,
                                          const PruningOptions& options) {
  std::vector<std::vector<bool>> kept;
  for (const LayerEdges& layer : layers) {
    kept.emplace_back();
    for (const double score : layer.scores) kept.back().push_back(!(score < options.edge));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
      if (layers[l].outputs != layers[l + 1].inputs) continue;
      for (std::int64_t node = 0; node < layers[l].outputs; ++node) {
        const double to = largest_to(layers[l], kept[l], node),
                     from = largest_from(layers[l + 1], kept[l + 1], node);
        if ((to == 0 && from == 0) || (to >= options.node && from >= options.node)) continue;
        changed = true;
        for (std::int64_t i = 0; i < layers[l].inputs; ++i)
          kept[l][place(layers[l], i, node)] = false;
        for (std::int64_t o = 0; o < layers[l + 1].outputs; ++o)
          kept[l + 1][place(layers[l + 1], node, o)] = false;
      }
    }
  }
  return kept;
}

void prune_layers(const std::vector<LayerEdges>& layers, const PruningOptions& options,
                  Pruning& pruning) {
  const std::vector<std::vector<bool>> kept = edges_kept(layers, options);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const LayerEdges& layer = layers[l];
    Pruning::Layer facts{.name = layer.layer, .nodes = layer.outputs};
    for (std::size_t e = 0; e < kept[l].size(); ++e)
      if (layer.scores[e] > 0) {
        ++facts.edges;
        facts.gone += kept[l][e] ? 0 : 1;
      }
    for (std::int64_t node = 0; node < layer.outputs; ++node)
      facts.nodes_gone += largest_to(layer, kept[l], node) > 0 ? 0 : 1;
    if (facts.gone > 0) pruning.changes.edges.push_back({layer.layer, kept[l]});
    pruning.layers.push_back(std::move(facts));
  }
}

}  // namespace

void PruningOptions::describe(Fields& f) {
  f.add("edge-threshold", edge, "edges and energies whose mean size is below it go").at_least(0);
  f.add("node-threshold", node, "nodes go when no edge to them, or none from them, reaches it")
      .at_least(0);
  f.add("alpha-threshold", alpha, "components of a mixture of a smaller weight go").range(0, 1);
  f.add("flat-threshold", flat, "energies that vary by less over their domain become 0")
      .at_least(0);
  f.add("samples", samples, "prior samples that edges are measured with").at_least(1);
}

bool Pruning::is_empty() const {
  return changes.energies.empty() && changes.removals.empty() && changes.edges.empty();
}

Pruning plan_pruning(const ModelPrior& prior, const PruningOptions& options, Rng rng) {
  Pruning pruning;
  prune_densities(prior, options, pruning);
  prune_layers(prior.edge_scores(prior.draw(0, options.samples, rng)), options, pruning);
  return pruning;
}

double decoded_change(const ModelPrior& of, const ModelPrior& in, std::int64_t samples, Rng rng) {
  const std::vector<double> z = of.draw(0, samples, rng);
  const std::vector<float> before = of.decode(z), after = in.decode(z);
  LOGPX_ASSERT(before.size() == after.size() && !before.empty());
  double squares = 0;
  for (std::size_t e = 0; e < before.size(); ++e) {
    const double off = static_cast<double>(after[e]) - static_cast<double>(before[e]);
    squares += off * off;
  }
  return std::sqrt(squares / static_cast<double>(before.size()));
}

}  // namespace logpx
