#include "libcore/eval/prior_facts.hpp"

#include "tests/support/golden_energy.hpp"
#include "tests/support/known_prior.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace logpx::prior_facts_test {

using testing::KnownPrior;
using Base = BaseDensity::Kind;

namespace {

Formula formula_of(const char* name, double a, double b, double c, double d) {
  return {symbolic_function(name), a, b, c, d};
}

// One component on its own.
PriorComponent component_of(const Formula& formula, const BaseDensity& base, double low,
                            double high) {
  return KnownPrior({.shape = {.latents = 1, .parts = 1},
                     .base = base,
                     .low = low,
                     .high = high,
                     .components = {{.formula = formula}},
                     .layers = {}})
      .component(0, 0);
}

std::string best_name(const ComponentFacts& facts) {
  return symbolic_functions()[static_cast<std::size_t>(facts.symbolic.best().formula.function)]
      .name;
}

PriorComponent golden_component(const GoldenEnergy& energy) {
  PriorComponent component{.breaks = energy.breaks()};
  component.base.kind = energy.base == "uniform"     ? Base::uniform
                        : energy.base == "gaussian"  ? Base::gaussian
                        : energy.base == "lognormal" ? Base::lognormal
                                                     : Base::none;
  component.energy = [energy](std::span<const double> z, std::span<double> f) {
    for (std::size_t i = 0; i < z.size(); ++i) f[i] = energy.energy(z[i]);
  };
  return component;
}

}  // namespace

TEST_CASE("golden/kaem/energies: moments and entropies") {
  const Json* energies = golden::field("kaem", "energies");
  if (!energies) return;
  for (const Json& entry : energies->items()) {
    const ComponentFacts facts = examine(golden_component(GoldenEnergy(entry)), {.points = 64});
    const auto check = [&](double got, const char* name) {
      CAPTURE(name);
      if (entry.at(name).is_null()) return;
      const double want = golden::real(entry.at(name));
      CHECK(std::abs(got - want) <= 1e-9 * (1 + std::abs(want)));
    };
    check(facts.log_z, "log_Z");
    check(facts.mean, "mean");
    check(facts.variance, "variance");
    check(facts.entropy, "entropy_nats");
    CHECK(facts.kl_to_base > 0);
    CHECK(facts.kl_to_symbolic >= 0);
  }
}

TEST_CASE("prior facts: an energy that is a formula is told by it, with no divergence") {
  // e^(-2 (z - 0.5)^2) N(z; 0, 1) on a wide domain is N(0.4, 0.2).
  const ComponentFacts facts = examine(
      component_of(formula_of("x^2", 1, -0.5, -2, 0.3), {.kind = Base::gaussian}, -9, 9), {});
  CHECK(facts.mean == doctest::Approx(0.4));
  CHECK(facts.variance == doctest::Approx(0.2));
  CHECK(facts.entropy ==
        doctest::Approx(std::log(2 * std::numbers::pi * std::numbers::e * 0.2) / 2));
  // KL(N(m, v) || N(0, 1)) = (v + m^2 - 1 - log v) / 2
  CHECK(facts.kl_to_base == doctest::Approx((0.2 + 0.16 - 1 - std::log(0.2)) / 2));
  REQUIRE(facts.modes.size() == 1);
  CHECK(facts.modes[0] == doctest::Approx(0.4).epsilon(1e-6));
  CHECK(best_name(facts) == "x^2");
  CHECK(facts.symbolic.best().r2 > 0.999999);
  CHECK(facts.kl_to_symbolic < 1e-9);
}

TEST_CASE("prior facts: modes are the hills of the density, ends included") {
  const ComponentFacts two = examine(
      component_of(formula_of("cos", std::numbers::pi, std::numbers::pi, 3, 0), {}, -1.5, 1.5), {});
  REQUIRE(two.modes.size() == 2);
  CHECK(two.modes[0] == doctest::Approx(-1).epsilon(1e-6));
  CHECK(two.modes[1] == doctest::Approx(1).epsilon(1e-6));
  const ComponentFacts rising = examine(component_of(formula_of("x", 1, 0, 2, 0), {}, -1, 1), {});
  REQUIRE(rising.modes.size() == 1);
  CHECK(rising.modes[0] == doctest::Approx(1).epsilon(1e-9));
  const ComponentFacts flat =
      examine(component_of({}, {.kind = Base::uniform}, 0, 1), {.points = 50});
  CHECK(flat.modes.empty());
  CHECK(best_name(flat) == "0");
  CHECK(flat.kl_to_base == doctest::Approx(0));
  CHECK(flat.entropy == doctest::Approx(0));
}

TEST_CASE("prior facts: curves are normalised, and outside its mass the base is nothing") {
  const ComponentFacts facts =
      examine(component_of(formula_of("x", 1, 0, 1, 0), {.kind = Base::uniform}, -0.5, 1.5), {});
  double mass = 0, base = 0, symbolic = 0;
  for (std::size_t i = 0; i < facts.curves.z.size(); ++i) {
    mass += std::exp(facts.curves.log_density[i]) * 2 / 200;
    base += std::exp(facts.curves.log_base[i]) * 2 / 200;
    symbolic += std::exp(facts.curves.log_symbolic[i]) * 2 / 200;
  }
  CHECK(mass == doctest::Approx(1).epsilon(1e-3));
  CHECK(base == doctest::Approx(1).epsilon(1e-3));
  CHECK(symbolic == doctest::Approx(1).epsilon(1e-3));
  CHECK(std::isinf(facts.curves.log_density.front()));
}

TEST_CASE("prior facts: what a formula misses is a divergence by quadrature") {
  const KnownPrior prior(
      {.shape = {.latents = 1, .parts = 1},
       .components = {{.formula = formula_of("x^2", 1, 0, -1, 0), .wiggle = 0.2}},
       .layers = {}});
  const ComponentFacts facts = examine(prior.component(0, 0), {});
  CHECK(best_name(facts) == "x^2");
  // Var(0.2 sin) / 2 to second order, less what the fit explains.
  CHECK(facts.kl_to_symbolic > 0.005);
  CHECK(facts.kl_to_symbolic < 0.0105);
}

TEST_CASE(
    "prior facts: energies of a small range or size are measured over the domain and under p") {
  const PriorComponent line = component_of(formula_of("x", 1, 0, 0.5, 0), {}, -1, 1);
  CHECK(energy_range(line) == doctest::Approx(1).epsilon(2e-3));
  CHECK(energy_size(component_of({}, {}, -1, 1)) == 0);
  const PriorComponent kink = component_of(formula_of("sign", 1, 0, 0.25, 0), {}, -1, 1);
  CHECK(energy_size(kink) == doctest::Approx(0.25));
}

TEST_CASE(
    "prior facts: the divergence of two priors adds up, and of a mixture counts its density") {
  const auto prior_of = [](bool is_mixture, double slope, double weight) {
    return KnownPrior(
        {.shape = {.latents = 2, .parts = 2, .is_mixture = is_mixture},
         .base = {},
         .low = -1,
         .high = 1,
         .components = {{.formula = formula_of("x", 1, 0, slope, 0), .weight = weight},
                        {.formula = {}, .weight = 1 - weight},
                        {.formula = {}, .weight = 0.5},
                        {.formula = {}, .weight = 0.5}},
         .layers = {}});
  };
  CHECK(divergence(prior_of(false, 1, 0.5), prior_of(false, 1, 0.5)).total == 0);
  const PriorDivergence moved = divergence(prior_of(false, 1, 0.5), prior_of(false, 0, 0.5));
  // e^z / (2 sinh 1) on [-1, 1] against the uniform: E[z] - log(sinh 1).
  const double mean = 1 / std::tanh(1.0) - 1;
  CHECK(moved.total == doctest::Approx(mean - std::log(std::sinh(1.0))));
  CHECK(moved.largest == moved.total);
  CHECK(moved.q == 0);
  CHECK(moved.p == 0);
  CHECK(divergence(prior_of(true, 1, 0.5), prior_of(true, 1, 0)).total < moved.total);
  CHECK(divergence(prior_of(true, 0, 0.5), prior_of(true, 0, 0)).total ==
        doctest::Approx(0).epsilon(1e-12));
}

TEST_CASE("prior facts: latents that are copies of each other fill one dimension") {
  const auto dims_of = [](std::vector<testing::KnownComponent> components) {
    return latent_dims(KnownPrior({.shape = {.latents = 3, .parts = 1},
                                   .base = {},
                                   .low = -1,
                                   .high = 1,
                                   .components = std::move(components),
                                   .layers = {}}),
                       400, Rng(1));
  };
  const testing::KnownComponent even{}, narrow{.formula = formula_of("x^2", 1, 0, -5000, 0)};
  CHECK(dims_of({even, even, even}) == doctest::Approx(3).epsilon(0.05));
  CHECK(dims_of({even, narrow, narrow}) == doctest::Approx(1).epsilon(0.01));
}

}  // namespace logpx::prior_facts_test
