#include "libcore/eval/prior_facts.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/panel_cdf.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t fine_points = 1000;
constexpr double least_mode = 0.01;  // of the highest density

std::vector<double> middles(const PriorComponent& component, std::int64_t count) {
  const double low = component.breaks.front(), high = component.breaks.back();
  std::vector<double> z;
  for (std::int64_t i = 0; i < count; ++i)
    z.push_back(low + (high - low) * (static_cast<double>(i) + 0.5) / static_cast<double>(count));
  return z;
}

std::vector<double> values_at(const RealFunction& function, std::span<const double> z) {
  std::vector<double> values(z.size());
  function(z, values);
  return values;
}

LogDensity log_base_of(const PriorComponent& component) {
  return [base = component.base](std::span<const double> z, std::span<double> values) {
    base.log_density(z, values);
  };
}

// The maximum between the two neighbours of a point that is higher than both.
double summit(const PanelCdf& density, double low, double high) {
  constexpr double golden = 0.6180339887498949;
  for (int i = 0; i < 60; ++i) {
    const double left = high - golden * (high - low), right = low + golden * (high - low);
    if (density.log_density(left) < density.log_density(right)) low = left;
    else high = right;
  }
  return (low + high) / 2;
}

std::vector<double> modes_of(const PanelCdf& density, const PriorComponent& component) {
  std::vector<double> z = {density.low()};
  for (const double middle : middles(component, fine_points))
    if (middle > density.low() && middle < density.high()) z.push_back(middle);
  z.push_back(density.high());
  std::vector<double> log_p;
  for (const double x : z) log_p.push_back(density.log_density(x));
  const double least = *std::ranges::max_element(log_p) + std::log(least_mode);
  std::vector<double> modes;
  const std::size_t last = z.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    const bool rises = i == 0 || log_p[i] > log_p[i - 1],
               falls = i == last || log_p[i] > log_p[i + 1];
    if (!rises || !falls || !(log_p[i] > least)) continue;
    modes.push_back(i == 0 || i == last ? z[i] : summit(density, z[i - 1], z[i + 1]));
  }
  return modes;
}

ComponentCurves curves_of(const PriorComponent& component, std::int64_t points) {
  ComponentCurves curves{.z = middles(component, points)};
  curves.energy = values_at(component.energy, curves.z);
  curves.log_base = values_at(log_base_of(component), curves.z);
  return curves;
}

SymbolicFits fit_energy(const ComponentCurves& curves, const PriorComponent& component,
                        const ComponentOptions& options) {
  std::vector<double> weights;
  for (const double log_p : curves.log_density)
    weights.push_back(options.weight == FitWeight::density ? std::exp(log_p) : 1);
  return fit_formulas({.z = curves.z,
                       .y = curves.energy,
                       .weights = weights,
                       .low = component.breaks.front(),
                       .high = component.breaks.back()},
                      options.symbolic);
}

// log of the density of a latent: of its only component, or of the mixture of several.
LogDensity log_mixture(const std::vector<PriorComponent>& components) {
  struct Part {
    LogDensity log_g;
    double offset;
  };
  std::vector<Part> parts;
  for (const PriorComponent& component : components)
    if (component.weight > 0) {
      const IntervalDensity density = density_of(component);
      parts.push_back({density.log_g, std::log(component.weight) - PanelCdf(density).log_total()});
    }
  return [parts = std::move(parts)](std::span<const double> z, std::span<double> log_p) {
    std::vector<double> terms(z.size() * parts.size()), own(z.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      parts[k].log_g(z, own);
      for (std::size_t i = 0; i < z.size(); ++i)
        terms[i * parts.size() + k] = own[i] + parts[k].offset;
    }
    for (std::size_t i = 0; i < z.size(); ++i)
      log_p[i] = log_sum_exp(std::span(terms).subspan(i * parts.size(), parts.size()));
  };
}

std::vector<double> joint_breaks(const std::vector<PriorComponent>& of,
                                 const std::vector<PriorComponent>& from) {
  std::vector<double> all;
  for (const auto* const side : {&of, &from})
    for (const PriorComponent& component : *side)
      all.insert(all.end(), component.breaks.begin(), component.breaks.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<PriorComponent> latent(const ModelPrior& prior, std::int64_t q, std::int64_t p) {
  if (!prior.shape().is_mixture) return {prior.component(q, p)};
  std::vector<PriorComponent> parts;
  for (std::int64_t part = 0; part < prior.shape().parts; ++part)
    parts.push_back(prior.component(q, part));
  return parts;
}

}  // namespace

PriorComponent with_formula(PriorComponent component, const Formula& formula) {
  component.energy = [formula](std::span<const double> z, std::span<double> f) {
    evaluate(formula, z, f);
  };
  if (const auto kink = kink_of(formula);
      kink && *kink > component.breaks.front() && *kink < component.breaks.back()) {
    component.breaks.push_back(*kink);
    std::ranges::sort(component.breaks);
    component.breaks.erase(std::unique(component.breaks.begin(), component.breaks.end()),
                           component.breaks.end());
  }
  return component;
}

ComponentFacts examine(const PriorComponent& component, const ComponentOptions& options) {
  const PanelCdf density(density_of(component));
  const PanelCdf base({log_base_of(component), component.breaks});
  ComponentFacts facts{.q = component.q,
                       .p = component.p,
                       .weight = component.weight,
                       .low = component.breaks.front(),
                       .high = component.breaks.back(),
                       .log_z = density.log_total(),
                       .modes = modes_of(density, component)};
  facts.mean = density.expectation(
      [](std::span<const double> z, std::span<double> h) { std::ranges::copy(z, h.begin()); });
  facts.variance = density.expectation([&](std::span<const double> z, std::span<double> h) {
    for (std::size_t i = 0; i < z.size(); ++i) h[i] = (z[i] - facts.mean) * (z[i] - facts.mean);
  });
  const double mean_energy = density.expectation(component.energy);
  facts.entropy = facts.log_z - mean_energy - density.expectation(log_base_of(component));
  facts.kl_to_base = std::max(mean_energy - facts.log_z + base.log_total(), 0.0);

  facts.curves = curves_of(component, options.points);
  for (std::size_t i = 0; i < facts.curves.z.size(); ++i) {
    facts.curves.log_density.push_back(facts.curves.energy[i] + facts.curves.log_base[i] -
                                       facts.log_z);
    facts.curves.log_base[i] -= base.log_total();
  }
  facts.symbolic = fit_energy(facts.curves, component, options);
  const PriorComponent told = with_formula(component, facts.symbolic.best().formula);
  const double log_symbolic = PanelCdf(density_of(told)).log_total();
  facts.kl_to_symbolic =
      std::max(mean_energy - facts.log_z - density.expectation(told.energy) + log_symbolic, 0.0);
  const std::vector<double> formula = values_at(told.energy, facts.curves.z);
  for (std::size_t i = 0; i < formula.size(); ++i)
    facts.curves.log_symbolic.push_back(formula[i] + facts.curves.log_base[i] + base.log_total() -
                                        log_symbolic);
  return facts;
}

double energy_range(const PriorComponent& component) {
  const std::vector<double> f = values_at(component.energy, middles(component, fine_points));
  const auto [least, largest] = std::ranges::minmax(f);
  return largest - least;
}

double energy_size(const PriorComponent& component) {
  return PanelCdf(density_of(component))
      .expectation([&](std::span<const double> z, std::span<double> h) {
        component.energy(z, h);
        for (double& value : h) value = std::fabs(value);
      });
}

double latent_divergence(const std::vector<PriorComponent>& of,
                         const std::vector<PriorComponent>& from) {
  const LogDensity p = log_mixture(of), other = log_mixture(from);
  const PanelCdf density({p, joint_breaks(of, from)});
  const double sum = density.expectation([&](std::span<const double> z, std::span<double> h) {
    std::vector<double> theirs(z.size());
    p(z, h);
    other(z, theirs);
    for (std::size_t i = 0; i < z.size(); ++i) h[i] -= theirs[i];
  });
  return std::max(sum, 0.0);
}

PriorDivergence divergence(const ModelPrior& of, const ModelPrior& from) {
  const PriorShape shape = of.shape();
  LOGPX_ASSERT(from.shape().latents == shape.latents && from.shape().parts == shape.parts);
  PriorDivergence all;
  const std::int64_t parts = shape.is_mixture ? 1 : shape.parts;
  for (std::int64_t q = 0; q < shape.latents; ++q)
    for (std::int64_t p = 0; p < parts; ++p) {
      const double one = latent_divergence(latent(of, q, p), latent(from, q, p));
      all.total += one;
      if (one > all.largest) all = {all.total, one, q, p};
    }
  return all;
}

double latent_dims(const ModelPrior& prior, std::int64_t count, Rng rng) {
  const PriorShape shape = prior.shape();
  const std::vector<double> z = prior.draw(0, count, rng);
  const auto latents = static_cast<std::size_t>(shape.latents),
             rows = static_cast<std::size_t>(count), parts = z.size() / (rows * latents);
  std::vector<double> s(rows * latents), mean(latents);
  for (std::size_t e = 0; e < z.size(); ++e) s[e / parts] += z[e];
  for (std::size_t e = 0; e < s.size(); ++e) mean[e % latents] += s[e] / static_cast<double>(count);
  for (std::size_t e = 0; e < s.size(); ++e) s[e] -= mean[e % latents];
  double trace = 0, squares = 0;
  for (std::size_t a = 0; a < latents; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < rows; ++i) sum += s[i * latents + a] * s[i * latents + b];
      if (a == b) trace += sum;
      squares += (a == b ? 1 : 2) * sum * sum;
    }
  return squares > 0 ? trace * trace / squares : 0;
}

}  // namespace logpx
