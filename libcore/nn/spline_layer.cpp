#include "libcore/nn/spline_layer.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_spline.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

SplineLayer::SplineLayer(const Site& site, std::int64_t in, std::int64_t out,
                         const SplineOptions& options)
    : step_(site.step()), options_(options) {
  const CurveForm form = options.form();
  if (form.basis == CurveBasis::chebyshev) options_.base = Activation::none;
  const CurveStart start{form, {in, out}, options.scales, options.low, options.high, options.tau};
  if (options_.base != Activation::none)
    w_base_ = site.tensor("w_base", {in, out}, initial_w_base(start));
  if (form.basis != CurveBasis::chebyshev)
    w_spline_ = site.tensor("w_spline", {in, out}, initial_w_spline(start));
  coef_ = site.tensor("coef", {in, out, basis_size(form)}, initial_coef(start));
  if (has_tau(form.basis) && options.width == CurveWidth::trainable)
    rho_ = site.tensor("rho", {}, Init::constant(std::log(options.tau)));
}

Var SplineLayer::operator()(const ParamSet& params, Var x, const SplineGrid& grid) const {
  const LayerScope scope(x, step_);
  Graph& graph = x.graph();
  const CurveForm form = options_.form();
  LOGPX_ASSERT(grid.spacing.has_value() == (form.basis == CurveBasis::rbf));
  CurvePlaces places{.points = grid.points, .spacing = grid.spacing};
  if (rho_) places.tau = exp(graph.parameter(params, *rho_));
  else if (has_tau(form.basis)) places.tau = graph.constant(options_.tau);
  CurveWeights weights{.coef = graph.parameter(params, coef_)};
  if (w_spline_) weights.scale = graph.parameter(params, *w_spline_);
  if (w_base_) weights.base = graph.parameter(params, *w_base_);
  return spline_sum(curve_basis(x, form, places, options_.base), weights);
}

void SplineLayer::limit(ParamSet& params) const {
  if (!rho_ || options_.basis != CurveBasis::chebyshev) return;
  float& rho = params.view(*rho_)[0];
  rho = std::max(rho, 0.0F);
}

}  // namespace logpx
