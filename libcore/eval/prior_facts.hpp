// Facts about a prior: moments, modes, entropy and divergences of its components, by quadrature,
// and the formulas closest to their energies.   [eval/README 8.1]
//
//   const ComponentFacts facts = examine(can.prior->component(0, 1), {});
//   const std::string energy = formula_text(facts.symbolic.best().formula);
#pragma once

#include "libcore/math/symbolic_fit.hpp"
#include "libcore/model/prior.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

enum class FitWeight { density, uniform };

struct ComponentOptions {
  FitWeight weight = FitWeight::density;  // of each point in the fit of a formula
  SymbolicOptions symbolic = {.flat = 1e-3};
  std::int64_t points = 200;  // for fits of formulas and for drawn curves
};

// Curves over the middles of `points` equal parts of the domain; densities are normalised on it.
struct ComponentCurves {
  std::vector<double> z = {}, energy = {}, log_density = {}, log_base = {}, log_symbolic = {};
};
struct ComponentFacts {
  std::int64_t q = 0, p = 0;
  double weight = 1, low = 0, high = 0;  // in the mixture; the ends of the domain
  double log_z = 0, mean = 0, variance = 0;
  // Local maxima of the density, ends included, that reach a hundredth of the highest; none if it
  // is flat.
  std::vector<double> modes = {};
  double entropy = 0;          // nats
  double kl_to_base = 0;       // KL(p || pi0), pi0 normalised on the domain
  SymbolicFits symbolic = {};  // of the energy
  double kl_to_symbolic = 0;
  ComponentCurves curves = {};
};
[[nodiscard]] ComponentFacts examine(const PriorComponent& component,
                                     const ComponentOptions& options);

// The component with a formula for its energy.
[[nodiscard]] PriorComponent with_formula(PriorComponent component, const Formula& formula);

// The range of the energy over the domain, on 1,000 points.
[[nodiscard]] double energy_range(const PriorComponent& component);
// The mean of |f| under p.
[[nodiscard]] double energy_size(const PriorComponent& component);

// KL(p || p') in nats between the densities of one latent, mixtures or single components, in two
// models; both on the same domain.
[[nodiscard]] double latent_divergence(const std::vector<PriorComponent>& of,
                                       const std::vector<PriorComponent>& from);
// The sum over all latents, and the latent for which it is the largest.
struct PriorDivergence {
  double total = 0, largest = 0;
  std::int64_t q = 0, p = 0;  // p: 0 in a mixture
};
[[nodiscard]] PriorDivergence divergence(const ModelPrior& of, const ModelPrior& from);

// (tr C)^2 / tr C^2 of the sums s_q over p of `count` prior samples, C their covariance: how many
// dimensions they fill.
[[nodiscard]] double latent_dims(const ModelPrior& prior, std::int64_t count, Rng rng);

}  // namespace logpx
