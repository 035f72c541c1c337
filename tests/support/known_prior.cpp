#include "tests/support/known_prior.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/inverse_cdf.hpp"

#include <cmath>
#include <string>
#include <utility>

namespace logpx::testing {
namespace {

std::size_t width_of(const std::vector<double>& layer, std::size_t inputs) {
  return layer.size() / inputs;
}

std::vector<double> product(const std::vector<double>& s, const std::vector<double>& layer,
                            std::size_t inputs) {
  const std::size_t outputs = width_of(layer, inputs);
  std::vector<double> y(s.size() / inputs * outputs);
  for (std::size_t e = 0; e < y.size(); ++e)
    for (std::size_t i = 0; i < inputs; ++i)
      y[e] += s[e / outputs * inputs + i] * layer[i * outputs + e % outputs];
  return y;
}

}  // namespace

KnownPrior::KnownPrior(KnownPriorConfig config) : config_(std::move(config)) {
  LOGPX_ASSERT(std::ssize(config_.components) == config_.shape.latents * config_.shape.parts);
  info_.family = "known-prior";
}

PriorComponent KnownPrior::component(std::int64_t q, std::int64_t p) const {
  const KnownComponent& known =
      config_.components[static_cast<std::size_t>(q * config_.shape.parts + p)];
  PriorComponent component{.q = q, .p = p, .base = config_.base};
  if (config_.shape.is_mixture) component.weight = known.weight;
  component.breaks = {config_.low, config_.high};
  if (const auto kink = kink_of(known.formula); kink && *kink > config_.low && *kink < config_.high)
    component.breaks = {config_.low, *kink, config_.high};
  component.energy = [known](std::span<const double> z, std::span<double> f) {
    evaluate(known.formula, z, f);
    for (std::size_t i = 0; i < z.size(); ++i) f[i] += known.wiggle * std::sin(40 * z[i]);
  };
  return component;
}

std::vector<double> KnownPrior::draw(std::int64_t first, std::int64_t count, Rng rng) const {
  const auto [latents, parts, is_mixture, is_shared] = config_.shape;
  const Substream uniforms = rng.stream(Stream::prior_samples);
  std::vector<double> z;
  for (std::int64_t i = first; i < first + count; ++i)
    for (std::int64_t q = 0; q < latents; ++q) {
      std::int64_t chosen = 0;
      double below = 0;
      const auto place = static_cast<std::uint64_t>(i * latents * (parts + 1) + q * (parts + 1));
      while (is_mixture && chosen + 1 < parts &&
             (below += component(q, chosen).weight) < uniforms.uniform(place + 1))
        ++chosen;
      for (std::int64_t p = 0; p < (is_mixture ? 1 : parts); ++p)
        z.push_back(InverseCdf(density_of(component(q, is_mixture ? chosen : p)),
                               {.method = Inversion::hermite})
                        .quantile(uniforms.uniform(
                            place + (is_mixture ? 0 : static_cast<std::uint64_t>(p)))));
    }
  return z;
}

std::vector<double> KnownPrior::sums(std::span<const double> z) const {
  const auto parts = static_cast<std::size_t>(config_.shape.values() / config_.shape.latents);
  std::vector<double> s(z.size() / parts);
  for (std::size_t e = 0; e < z.size(); ++e) s[e / parts] += z[e];
  return s;
}

std::vector<float> KnownPrior::decode(std::span<const double> z,
                                      const std::optional<Noise>&) const {
  std::vector<double> s = sums(z);
  auto inputs = static_cast<std::size_t>(config_.shape.latents);
  for (const std::vector<double>& layer : config_.layers) {
    s = product(s, layer, inputs);
    inputs = width_of(layer, inputs);
  }
  return {s.begin(), s.end()};
}

std::vector<LayerEdges> KnownPrior::edge_scores(std::span<const double> z) const {
  std::vector<LayerEdges> all;
  std::vector<double> s = sums(z);
  auto inputs = static_cast<std::size_t>(config_.shape.latents);
  for (const std::vector<double>& layer : config_.layers) {
    const std::size_t outputs = width_of(layer, inputs), rows = s.size() / inputs;
    LayerEdges edges{"layer" + std::to_string(all.size()), static_cast<std::int64_t>(inputs),
                     static_cast<std::int64_t>(outputs), std::vector<double>(layer.size())};
    for (std::size_t e = 0; e < layer.size(); ++e)
      for (std::size_t i = 0; i < rows; ++i)
        edges.scores[e] +=
            std::fabs(layer[e] * s[i * inputs + e / outputs]) / static_cast<double>(rows);
    all.push_back(std::move(edges));
    s = product(s, layer, inputs);
    inputs = outputs;
  }
  return all;
}

std::unique_ptr<Model> KnownPrior::changed(const PriorChanges& changes) const {
  KnownPriorConfig config = config_;
  const auto place = [&](std::int64_t q, std::int64_t p) {
    return static_cast<std::size_t>(q * config.shape.parts + p);
  };
  for (const auto& [q, p, formula] : changes.energies) {
    config.components[place(q, p)].formula = formula;
    config.components[place(q, p)].wiggle = 0;
  }
  for (const auto& [q, p] : changes.removals) config.components[place(q, p)].weight = 0;
  for (std::int64_t q = 0; q < config.shape.latents && config.shape.is_mixture; ++q) {
    double total = 0;
    for (std::int64_t p = 0; p < config.shape.parts; ++p)
      total += config.components[place(q, p)].weight;
    for (std::int64_t p = 0; p < config.shape.parts; ++p)
      config.components[place(q, p)].weight /= total;
  }
  for (const PriorChanges::Edges& edges : changes.edges) {
    std::vector<double>& layer = config.layers[std::stoul(edges.layer.substr(5))];
    for (std::size_t e = 0; e < layer.size(); ++e)
      if (!edges.kept[e]) layer[e] = 0;
  }
  return std::make_unique<KnownPrior>(std::move(config));
}

}  // namespace logpx::testing
