// The numbers of a prior: as parameters and constants of a model, as doubles to compute with, and
// gradients by them.   [kaem/README 2.1]
//
//   const PriorTensors tensors(model / "prior", form);
//   PriorConstants constants(form);
//   PriorValues values(form);
//   values.take(tensors, {params, params.block()}, constants);        // after every update
//   gradient.add_to(tensors, params, -1, block);    // d loss = - d objective
#pragma once

#include "libcore/families/kaem/prior/prior_form.hpp"
#include "libcore/math/tensor.hpp"
#include "libcore/nn/site.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx::kaem {

// Places of tensors in a ParamSet: coef [F,C,K], w_base and w_spline [F,C], rho, base_mean and
// base_log_sd [P], alpha_logits [Q,P].
struct PriorTensors {
  PriorTensors(const Site& site, const PriorForm& form);
  int coef = 0;
  std::optional<int> w_base, w_spline, rho, base_mean, base_log_sd, alpha_logits;
};

// Not trained by gradients. At the start an even grid on the form's domain, all curves live.
struct PriorConstants {
  explicit PriorConstants(const PriorForm& form);
  Tensor<double> grid;        // [F,grid_size]: none for Fourier and Chebyshev curves
  Tensor<double> domain;      // [F,2]
  Tensor<std::uint8_t> mask;  // [F,C], CurveMask
  Tensor<double> log_z;       // [Q,P]: the model fills it
  // Formulas in place of curves: the places of functions in symbolic_functions(), -1 for a curve
  // [F,C], and a, b, c, d [F,C,4]. Empty where all are curves.
  Tensor<std::int32_t> formula;
  Tensor<double> formula_numbers;

  void add_formulas();  // room for them
  void set_formula(std::int64_t edge,
                   const Formula& formula);  // which add_formulas() made room for
  void clear_formula(std::int64_t edge);
  [[nodiscard]] std::optional<Formula> formula_of(std::int64_t edge) const;
  // A data error where one is unknown, or not finite on the domain.
  void check_formulas() const;
};

struct PriorValues {
  explicit PriorValues(const PriorForm& form);  // zeros, on an even grid
  // A block in the layout of `params`.
  struct Weights {
    const ParamSet& params;
    std::span<const float> block;
  };
  void take(const PriorTensors& tensors, const Weights& weights, const PriorConstants& constants);

  PriorForm form;
  EnergyValues energies;
  std::vector<double> alpha_logits;  // [Q,P] of a mixture

  // alpha_{q,.}, 0 where a component is removed: [P]
  void weights(std::int64_t q, std::span<double> alpha) const;
};

// d objective / d theta: several threads, a feature each.
struct PriorGradient {
  explicit PriorGradient(const PriorForm& form);
  void clear();
  // block += scale * gradient, in the layout of `params`; features in their order.
  void add_to(const PriorTensors& tensors, const ParamSet& params, double scale,
              std::span<float> block) const;

  EnergyGradient energies;
  std::vector<double> alpha_logits;  // [Q,P]
};

// From the order of features, [F,C], to the order of components, [Q,P].
void by_component(const PriorForm& form, std::span<const double> by_feature,
                  std::span<double> by_component);

}  // namespace logpx::kaem
