// A Kolmogorov-Arnold layer.   [KAEM eq. 9; kaem/README 2.1]
//   phi_io(x) = w_base_io act(x) + w_spline_io sum_k coef_iok B_k(x; grid_i, tau)
//   y_o = sum_i phi_io(x_i)
// With Chebyshev functions phi_io(x) = sum_k coef_iok B_k(x; tau).
#pragma once

#include "libcore/grad/activation.hpp"
#include "libcore/math/curve_basis.hpp"
#include "libcore/nn/curve_init.hpp"
#include "libcore/nn/site.hpp"

#include <optional>
#include <vector>

namespace logpx {

enum class CurveWidth { fixed, trainable };  // tau = e^rho, one per layer

struct SplineOptions {
  CurveBasis basis = CurveBasis::rbf;
  int intervals = 5, degree = 3;       // degree: of bspline and chebyshev
  Activation base = Activation::silu;  // none: no base term
  CurveWidth width = CurveWidth::trainable;
  double tau = 1;  // at the start
  CurveScales scales = {};
  double low = -1, high = 1;  // the domain whose even grid the curves start on
  [[nodiscard]] CurveForm form() const { return {basis, intervals, degree}; }
};

// Where the curves live, state rather than parameters: points [in,grid_size], none for Fourier and
// Chebyshev functions, and the spacing h [in] of RBFs.
struct SplineGrid {
  std::optional<Var> points = {}, spacing = {};
};

// Tensors w_base [in,out], w_spline [in,out], coef [in,out,K], and rho when tau is trainable.
class SplineLayer {
 public:
  SplineLayer(const Site& site, std::int64_t in, std::int64_t out,
              const SplineOptions& options = {});
  // x [...,in] to [...,out]
  [[nodiscard]] Var operator()(const ParamSet& params, Var x, const SplineGrid& grid) const;
  // Moves rho to where the functions exist, after an update: tau of Chebyshev functions is at
  // least 1.
  void limit(ParamSet& params) const;
  [[nodiscard]] const SplineOptions& options() const { return options_; }
  [[nodiscard]] int coef() const { return coef_; }
  [[nodiscard]] std::optional<int> rho() const { return rho_; }

 private:
  std::string step_;
  SplineOptions options_;
  std::optional<int> w_base_, w_spline_, rho_;
  int coef_;
};

}  // namespace logpx
