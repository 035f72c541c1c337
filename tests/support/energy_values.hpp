// Energies with numbers: those of tests/golden/kaem.json, and random ones.
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/kaem/prior/prior_values.hpp"
#include "tests/support/golden_energy.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace logpx {

inline BaseMeasure golden_base(const std::string& name) {
  const std::map<std::string, BaseMeasure> bases = {{"none", BaseMeasure::none},
                                                    {"uniform", BaseMeasure::uniform},
                                                    {"gaussian", BaseMeasure::gaussian},
                                                    {"lognormal", BaseMeasure::lognormal}};
  return bases.at(name);
}

// What all energies of a golden prior share: grid, domain, activation and base measure.
inline void take_golden_form(const GoldenEnergy& energy, EnergyForm& form) {
  form.curves = {.basis = CurveBasis::rbf, .intervals = static_cast<int>(energy.grid.size()) - 1};
  form.activation = golden_layer::activation_of(energy.activation);
  form.base = golden_base(energy.base);
  form.low = energy.zmin;
  form.high = energy.zmax;
}

inline void take_golden_energy(const GoldenEnergy& energy, std::int64_t feature, std::int64_t curve,
                               EnergyValues& values) {
  const std::size_t edge = at(feature * values.form.curves_each + curve), k = energy.grid.size();
  values.rho = std::log(energy.tau);
  values.w_base[edge] = energy.w_base;
  values.w_spline[edge] = energy.w_spline;
  std::copy(energy.coef.begin(), energy.coef.end(), values.coef.begin() + std::ptrdiff_t(edge * k));
  std::copy(energy.grid.begin(), energy.grid.end(),
            values.grid.begin() + std::ptrdiff_t(at(feature) * k));
}

// A prior of golden components [F][C].
inline kaem::PriorValues golden_prior(kaem::PriorKind kind,
                                      const std::vector<std::vector<GoldenEnergy>>& energies) {
  const auto features = std::ssize(energies), curves = std::ssize(energies[0]);
  const bool mixture = kind == kaem::PriorKind::mixture;
  kaem::PriorForm form(kind, mixture ? curves : features, mixture ? features : curves);
  take_golden_form(energies[0][0], form.energies);
  kaem::PriorValues values(form);
  for (std::int64_t i = 0; i < features; ++i)
    for (std::int64_t c = 0; c < curves; ++c)
      take_golden_energy(energies[at(i)][at(c)], i, c, values.energies);
  return values;
}

// Every number of theta drawn anew, of about this size.
inline void randomise(kaem::PriorValues& values, double size, std::uint32_t sub = 0) {
  DrawCursor draws(Rng(5).stream(Stream::test, sub));
  for (double& x : values.energies.coef) x = size * draws.normal();
  for (double& x : values.energies.w_base) x = 0.5 * draws.normal();
  for (double& x : values.energies.w_spline) x = 1 + 0.3 * draws.normal();
  for (double& x : values.energies.base_mean) x = 0.3 * draws.normal();
  for (double& x : values.energies.base_log_sd) x = 0.2 * draws.normal();
  for (double& x : values.alpha_logits) x = draws.normal();
  values.energies.rho = 0.1 + 0.1 * draws.uniform();
}

// A class of parameters: its numbers, and their gradient.
struct ParameterClass {
  std::string name;
  std::vector<double*> numbers;
  std::vector<double> gradient;
};
inline std::vector<ParameterClass> parameter_classes(kaem::PriorValues& values,
                                                     const kaem::PriorGradient& gradient) {
  const auto all = [](std::string name, std::vector<double>& numbers,
                      const std::vector<double>& by) {
    ParameterClass item{std::move(name), {}, by};
    for (double& x : numbers) item.numbers.push_back(&x);
    return item;
  };
  EnergyValues& v = values.energies;
  const EnergyGradient& g = gradient.energies;
  std::vector<ParameterClass> classes = {all("coef", v.coef, g.coef)};
  if (v.form.has_w_base()) classes.push_back(all("w_base", v.w_base, g.w_base));
  if (v.form.has_w_spline()) classes.push_back(all("w_spline", v.w_spline, g.w_spline));
  if (v.form.has_rho()) {
    double sum = 0;
    for (const double share : g.rho) sum += share;
    classes.push_back({"rho", {&v.rho}, {sum}});
  }
  if (values.form.is_mixture())
    classes.push_back(all("alpha_logits", values.alpha_logits, gradient.alpha_logits));
  if (v.form.base != BaseMeasure::learnable_gaussian) return classes;
  std::vector<double> mean(v.base_mean.size()), log_sd(mean.size());
  for (std::int64_t i = 0; i < v.form.features; ++i)
    for (std::int64_t c = 0; c < v.form.curves_each; ++c) {
      const std::size_t edge = at(i * v.form.curves_each + c);
      mean[v.owner(i, c)] += g.base_mean[edge];
      log_sd[v.owner(i, c)] += g.base_log_sd[edge];
    }
  classes.push_back(all("base_mean", v.base_mean, mean));
  classes.push_back(all("base_log_sd", v.base_log_sd, log_sd));
  return classes;
}

// The gradient against central differences of the objective, relative to the largest of a class.
inline void check_prior_gradient(kaem::PriorValues& values, const kaem::PriorGradient& gradient,
                                 double tolerance, const std::function<double()>& objective) {
  for (const ParameterClass& item : parameter_classes(values, gradient)) {
    CAPTURE(item.name);
    double largest = 0;
    for (const double g : item.gradient) largest = std::max(largest, std::fabs(g));
    CHECK(largest > 0);
    for (std::size_t i = 0; i < item.numbers.size(); ++i) {
      CAPTURE(i);
      double& x = *item.numbers[i];
      const double before = x;
      const auto at_step = [&](double step) {
        x = before + step;
        const double value = objective();
        x = before;
        return value;
      };
      // a difference of fourth order
      constexpr double h = 1e-3;
      const double slope =
          (8 * (at_step(h) - at_step(-h)) - (at_step(2 * h) - at_step(-2 * h))) / (12 * h);
      CAPTURE(slope);
      CAPTURE(item.gradient[i]);
      CHECK(std::fabs(slope - item.gradient[i]) <= tolerance * largest);
    }
  }
}

}  // namespace logpx
