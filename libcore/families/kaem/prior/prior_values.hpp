// The numbers of a prior: as parameters and constants of a model, as doubles to compute with, and
// gradients by them.   [kaem/README 2.1]
//
//   const PriorTensors tensors(model / "prior", form);
//   PriorConstants constants(form);
//   PriorValues values(form);
//   values.take(tensors, {params, params.block()}, constants);        // after every update
//   gradient.add_to(tensors, params, -1, block);    // d loss = - d objective
#pragma once

#include "libcore/energy/energy_values.hpp"
#include "libcore/math/tensor.hpp"
#include "libcore/nn/curve_init.hpp"
#include "libcore/nn/site.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::kaem {

// The form of a prior over latents, without its numbers.   [kaem/README 2]
//
//   univariate  z_{q,p} for q < Q, p < P: feature p, curve q;   s_q = sum_p z_{q,p}
//   mixture     z_q ~ sum_p alpha_{q,p} p_{q,p}: feature q, curve p
enum class PriorKind { univariate, mixture };
enum class Coupling { shared, independent };  // of a univariate prior
enum class MixtureWeights { fixed, learned };

struct Component {
  std::int64_t q = 0, p = 0;
};
[[nodiscard]] std::string component_name(Component c);  // "component (3,7)"

struct PriorForm {
  PriorForm(PriorKind kind, std::int64_t n_p, std::int64_t n_q);

  PriorKind kind;
  std::int64_t n_p, n_q;
  Coupling coupling = Coupling::shared;
  MixtureWeights weights = MixtureWeights::fixed;
  CurveScales scales = {};  // of the curves at the start
  EnergyForm energies;      // its features and curves are set; the rest is to be chosen

  [[nodiscard]] bool is_mixture() const { return kind == PriorKind::mixture; }
  [[nodiscard]] bool is_shared() const { return !is_mixture() && coupling == Coupling::shared; }
  [[nodiscard]] std::int64_t features() const { return energies.features; }
  // Numbers in z: Q P, or Q of a mixture.
  [[nodiscard]] std::int64_t z_dims() const { return is_mixture() ? n_q : n_q * n_p; }
  // Normal scores of a sample: P where all q share one, else z_dims().   [kaem/README 4.4]
  [[nodiscard]] std::int64_t score_dims() const { return is_shared() ? n_p : z_dims(); }
  // Uniforms of a sample: score_dims(), or two for each q of a mixture.   [kaem/README 4.2]
  [[nodiscard]] std::int64_t uniforms() const { return is_mixture() ? 2 * n_q : score_dims(); }

  [[nodiscard]] Component component(std::int64_t feature, std::int64_t curve) const {
    return is_mixture() ? Component{feature, curve} : Component{curve, feature};
  }
  [[nodiscard]] std::int64_t feature_of(Component c) const { return is_mixture() ? c.q : c.p; }
  [[nodiscard]] std::int64_t curve_of(Component c) const { return is_mixture() ? c.p : c.q; }
  [[nodiscard]] std::size_t number_of(Component c) const {
    return at(c.q * n_p + c.p);
  }  // of [Q,P]
};

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
