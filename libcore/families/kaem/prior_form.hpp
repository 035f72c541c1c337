// What a prior over latents is, before any number of it: F features, each with a grid of its own and
// C curves on it.   [spec/kaem.md section 3]
//
//   univariate  z_{q,p} for q < Q, p < P: feature p, curve q;   s_q = sum_p z_{q,p}
//   mixture     z_q ~ sum_p alpha_{q,p} p_{q,p}: feature q, curve p
#pragma once

#include "libcore/grad/activation.hpp"
#include "libcore/math/curve_basis.hpp"

#include <cstdint>
#include <string>

namespace logpx::kaem {

enum class PriorKind { univariate, mixture };
enum class Coupling { shared, independent };  // of a univariate prior
enum class BaseMeasure { none, uniform, gaussian, lognormal, learnable_gaussian };
enum class Quadrature { gauss_legendre, gauss_kronrod, trapezoid };
enum class MixtureWeights { fixed, learned };
enum class TauKind { fixed, trainable };

struct PriorForm {
  PriorKind kind = PriorKind::univariate;
  std::int64_t n_p = 10, n_q = 21;
  Coupling coupling = Coupling::shared;
  CurveForm curves = {};
  Activation activation = Activation::silu;  // none: no base term
  TauKind tau = TauKind::trainable;
  double start_tau = 1;
  BaseMeasure base = BaseMeasure::gaussian;
  double low = -1.5, high = 1.5;  // the domain at the start
  MixtureWeights weights = MixtureWeights::fixed;
  Quadrature quadrature = Quadrature::gauss_legendre;
  std::int64_t nodes = 200;  // of the quadrature; intervals of a segment of a Hermite table

  [[nodiscard]] bool is_mixture() const { return kind == PriorKind::mixture; }
  [[nodiscard]] bool is_shared() const { return !is_mixture() && coupling == Coupling::shared; }
  [[nodiscard]] std::int64_t features() const { return is_mixture() ? n_q : n_p; }
  [[nodiscard]] std::int64_t curves_each() const { return is_mixture() ? n_p : n_q; }
  // Numbers in z: Q P, or Q of a mixture.
  [[nodiscard]] std::int64_t z_dims() const { return is_mixture() ? n_q : n_q * n_p; }
  // Normal scores of a sample: P where all q share one, else z_dims().   [5.6]
  [[nodiscard]] std::int64_t score_dims() const { return is_shared() ? n_p : z_dims(); }
  // Uniforms of a sample: score_dims(), or two for each q of a mixture.   [5.1]
  [[nodiscard]] std::int64_t uniforms() const { return is_mixture() ? 2 * n_q : score_dims(); }
  [[nodiscard]] bool has_w_base() const;  // Chebyshev curves have no base term and no scale
  [[nodiscard]] bool has_w_spline() const;
  [[nodiscard]] bool has_rho() const;
};

// Component (q,p), and where it lies.
struct Component {
  std::int64_t q = 0, p = 0;
};
[[nodiscard]] inline Component component_of(const PriorForm& form, std::int64_t feature,
                                            std::int64_t curve) {
  return form.is_mixture() ? Component{feature, curve} : Component{curve, feature};
}
[[nodiscard]] inline std::int64_t feature_of(const PriorForm& form, Component c) {
  return form.is_mixture() ? c.q : c.p;
}
[[nodiscard]] inline std::int64_t curve_of(const PriorForm& form, Component c) {
  return form.is_mixture() ? c.p : c.q;
}
[[nodiscard]] std::string component_name(Component c);  // "component (3,7)"

}  // namespace logpx::kaem
