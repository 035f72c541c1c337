// A Kolmogorov-Arnold layer.   [KAEM eq. 9, spec/kaem.md section 3.1]
//   phi_io(x) = w_base_io act(x) + w_spline_io sum_k coef_iok B_k(x; grid_i, tau)
//   y_o = sum_i phi_io(x_i)
#pragma once

#include "libcore/grad/activation.hpp"
#include "libcore/nn/site.hpp"

#include <optional>
#include <vector>

namespace logpx {

enum class SplineBasis { rbf, bspline };
enum class SplineWidth { fixed, trainable };  // tau = e^rho, one per layer; for rbf

struct SplineOptions {
  SplineBasis basis = SplineBasis::rbf;
  int intervals = 5, degree = 3;       // degree: of bspline
  Activation base = Activation::silu;  // none: no base term
  SplineWidth width = SplineWidth::trainable;
  Init coefficients = Init::normal(0.1);
  Init base_weights = {Init::Rule::glorot_normal};
  Init spline_weights = Init::constant(1);
};

// Where the curves live, state rather than parameters: points [in,intervals+1] of rbf or the knots
// [in,intervals+2 degree+1] of bspline, and the spacing h [in] of rbf.
struct SplineGrid {
  Var points;
  std::optional<Var> spacing = {};
};

// Evenly spaced points on [low, high]; with `degree` further ones beyond both ends.
[[nodiscard]] std::vector<double> uniform_grid(double low, double high, int intervals);
[[nodiscard]] std::vector<double> extended_knots(const std::vector<double>& grid, int degree);

// Tensors w_base [in,out], w_spline [in,out], coef [in,out,K], and rho when tau is trainable.
class SplineLayer {
 public:
  SplineLayer(const Site& site, std::int64_t in, std::int64_t out,
              const SplineOptions& options = {});
  // x [...,in] to [...,out]
  [[nodiscard]] Var operator()(const ParamSet& params, Var x, const SplineGrid& grid) const;

 private:
  [[nodiscard]] Var basis(const ParamSet& params, Var x, const SplineGrid& grid) const;

  std::string step_;
  SplineOptions options_;
  std::optional<int> w_base_;
  int w_spline_, coef_;
  std::optional<int> rho_;
};

}  // namespace logpx
