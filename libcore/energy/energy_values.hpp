// Densities exp(f) pi0 / Z on intervals, many at a time: F features, each with a domain and a grid
// of its own and C energies f on it, all of them curves of libcore/math/curve_basis.hpp.
// [kaem/README 2.1, 2.2]
//
//   f(z) = w_base act(z) + w_spline sum_k coef_k B_k(z; grid, tau)
//
// or, where one is given, a formula.   [kaem/README 9.2]
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/grad/activation.hpp"
#include "libcore/math/curve_basis.hpp"
#include "libcore/math/symbolic.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

enum class BaseMeasure { none, uniform, gaussian, lognormal, learnable_gaussian };
enum class BaseOwner { feature, curve };  // whose mean and deviation a learnable Gaussian has
enum class TauKind { fixed, trainable };
enum class Quadrature { gauss_legendre, gauss_kronrod, trapezoid };

[[nodiscard]] std::string density_name(std::int64_t feature, std::int64_t curve);

struct EnergyForm {
  std::int64_t features = 1, curves_each = 1;  // F, C
  CurveForm curves = {};
  Activation activation = Activation::silu;  // none: no base term
  TauKind tau = TauKind::trainable;
  double start_tau = 1;
  BaseMeasure base = BaseMeasure::gaussian;
  BaseOwner owner = BaseOwner::feature;
  double low = -1.5, high = 1.5;  // the domain at the start
  Quadrature quadrature = Quadrature::gauss_legendre;
  std::int64_t nodes = 200;  // of the quadrature; intervals of a segment of a Hermite table
  // What errors call a density.
  std::function<std::string(std::int64_t feature, std::int64_t curve)> name = density_name;

  [[nodiscard]] bool has_w_base() const;  // Chebyshev curves have no base term and no scale
  [[nodiscard]] bool has_w_spline() const;
  [[nodiscard]] bool has_rho() const;
  [[nodiscard]] std::size_t edges() const { return at(features * curves_each); }
  [[nodiscard]] std::size_t owners() const {
    return at(owner == BaseOwner::feature ? features : curves_each);
  }
};

// flat: the energy is 0 everywhere. removed: likewise, and its mixture gives it no weight.
enum class CurveMask : std::uint8_t { flat = 0, live = 1, removed = 2 };

struct EnergyValues {
  explicit EnergyValues(const EnergyForm& form);  // zeros; the grid is to be filled

  EnergyForm form;
  std::int64_t functions;                      // K
  std::vector<double> coef;                    // [F,C,K]
  std::vector<double> w_base, w_spline;        // [F,C]
  double rho = 0;                              // log tau
  std::vector<double> base_mean, base_log_sd;  // [owners]
  std::vector<double> grid, domain;            // [F,grid_size], [F,2]
  std::vector<CurveMask> mask;                 // [F,C]
  // [F,C]: formulas of live energies in place of their curves. Empty: all are curves.
  std::vector<std::optional<Formula>> formulas;

  [[nodiscard]] double low(std::int64_t feature) const { return domain[at(2 * feature)]; }
  [[nodiscard]] double high(std::int64_t feature) const { return domain[at(2 * feature) + 1]; }
  [[nodiscard]] std::size_t owner(std::int64_t feature, std::int64_t curve) const {
    return at(form.owner == BaseOwner::feature ? feature : curve);
  }
  // The formula that an energy is; nullptr where it is a curve, or 0.
  [[nodiscard]] const Formula* formula(std::size_t edge) const {
    const bool given = !formulas.empty() && mask[edge] == CurveMask::live && formulas[edge];
    return given ? &*formulas[edge] : nullptr;
  }
  // Whether its coef and weights are in use.
  [[nodiscard]] bool is_curve(std::size_t edge) const {
    return mask[edge] == CurveMask::live && formula(edge) == nullptr;
  }
  // `count` curves of one feature on their own.
  [[nodiscard]] EnergyValues part(std::int64_t feature, std::int64_t first,
                                  std::int64_t count) const;
};

// d objective / d theta, added to by one feature at a time: several threads, a feature each.
struct EnergyGradient {
  explicit EnergyGradient(const EnergyForm& form);
  void clear();

  EnergyForm form;
  std::vector<double> coef;                    // [F,C,K]
  std::vector<double> w_base, w_spline;        // [F,C]
  std::vector<double> rho;                     // [F]: shares
  std::vector<double> base_mean, base_log_sd;  // [F,C]: shares
};

}  // namespace logpx
