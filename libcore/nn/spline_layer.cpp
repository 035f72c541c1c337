#include "libcore/nn/spline_layer.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_spline.hpp"

#include <numbers>

namespace logpx {
namespace {

std::int64_t functions(const SplineOptions& options) {
  return options.basis == SplineBasis::rbf ? options.intervals + 1
                                           : options.intervals + options.degree;
}

Var activated(Var x, Activation activation) {
  switch (activation) {
    case Activation::none: break;
    case Activation::relu: return relu(x);
    case Activation::leaky_relu: return leaky_relu(x, leaky_slope);
    case Activation::elu: return elu(x, 1);
    case Activation::tanh: return tanh(x);
    case Activation::sigmoid: return sigmoid(x);
    case Activation::softplus: return softplus(x);
    case Activation::silu: return silu(x);
    case Activation::gelu_erf: return gelu_erf(x);
    case Activation::gelu_tanh: return gelu_tanh(x);
  }
  return x;
}

}  // namespace

std::vector<double> uniform_grid(double low, double high, int intervals) {
  LOGPX_ASSERT(intervals >= 1 && low < high);
  std::vector<double> grid;
  for (int i = 0; i <= intervals; ++i) grid.push_back(low + (high - low) * i / intervals);
  return grid;
}

std::vector<double> extended_knots(const std::vector<double>& grid, int degree) {
  LOGPX_ASSERT(grid.size() >= 2);
  const double h = (grid.back() - grid.front()) / static_cast<double>(grid.size() - 1);
  std::vector<double> knots;
  for (int i = degree; i > 0; --i) knots.push_back(grid.front() - i * h);
  knots.insert(knots.end(), grid.begin(), grid.end());
  for (int i = 1; i <= degree; ++i) knots.push_back(grid.back() + i * h);
  return knots;
}

SplineLayer::SplineLayer(const Site& site, std::int64_t in, std::int64_t out,
                         const SplineOptions& options)
    : step_(site.step()), options_(options) {
  const Fans fans{in, out};
  if (options.base != Activation::none)
    w_base_ = site.tensor("w_base", {in, out}, options.base_weights, fans);
  w_spline_ = site.tensor("w_spline", {in, out}, options.spline_weights, fans);
  coef_ = site.tensor("coef", {in, out, functions(options)}, options.coefficients, fans);
  if (options.basis == SplineBasis::rbf && options.width == SplineWidth::trainable)
    rho_ = site.tensor("rho", {}, Init::zeros());
}

Var SplineLayer::basis(const ParamSet& params, Var x, const SplineGrid& grid) const {
  if (options_.basis == SplineBasis::bspline) return bspline_basis(x, grid.points, options_.degree);
  LOGPX_ASSERT(grid.spacing.has_value());
  // exp(-((x - g)/(h tau))^2 / 2)
  const Var width = affine(*grid.spacing, std::numbers::sqrt2, 0);
  if (!rho_) return rbf_basis(x, grid.points, width);
  return rbf_basis(x, grid.points, multiply(width, exp(x.graph().parameter(params, *rho_))));
}

Var SplineLayer::operator()(const ParamSet& params, Var x, const SplineGrid& grid) const {
  const LayerScope scope(x, step_);
  const Var scale = x.graph().parameter(params, w_spline_);
  const Shape pairs = scale.shape();
  const Var weights =
      multiply(x.graph().parameter(params, coef_), scale.reshape({pairs[0], pairs[1], 1}));
  const Var curves = spline_sum(basis(params, x, grid), weights);
  if (!w_base_) return curves;
  return add(linear(activated(x, options_.base), x.graph().parameter(params, *w_base_)), curves);
}

}  // namespace logpx
