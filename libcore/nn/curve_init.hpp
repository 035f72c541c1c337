// How curves start: a little noise, fitted by their functions.   [kaem/README 2.1]
//
//   coef      noise eps (U - 1/2)/G at G+1 even points of the domain, by least squares; for Fourier
//             functions N(0,v)/(sqrt(in) (k+1)^2), for Chebyshev functions N(0,v)/(in (d+1))
//   w_base    N(0,v) (mu + sigma_b (2 U - 1))/sqrt(in),   v = 2/(in + out)
//   w_spline  N(0,v) sigma_s
//
// Computed in double and rounded once. The generator's layers and the prior start alike.
#pragma once

#include "libcore/math/curve_basis.hpp"
#include "libcore/nn/init.hpp"

namespace logpx {

struct CurveScales {
  double eps = 0.1, mu = 1, sigma_b = 1, sigma_s = 1;
};

// The curves of a layer before training, all on one even grid.
struct CurveStart {
  CurveForm form;
  Fans fans;
  CurveScales scales = {};
  double low = -1, high = 1, tau = 1;
};
[[nodiscard]] Filling initial_coef(const CurveStart& start);  // any number of curves [..,K]
[[nodiscard]] Filling initial_w_base(const CurveStart& start);
[[nodiscard]] Filling initial_w_spline(const CurveStart& start);

}  // namespace logpx
