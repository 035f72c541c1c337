// The pieces of an exact inverse_cdf.hpp: a panel's density as a Legendre series, whose integral is
// inverted by interpolation.
#pragma once

#include "libcore/math/inverse_cdf.hpp"

#include <vector>

namespace logpx {

// From left to right, none without mass. Every piece is checked at five points between its nodes
// against the series, every series against a quadrature of its own. Together |F(z) - u| <= 1e-11.
[[nodiscard]] std::vector<InversePiece> inverse_pieces(const PanelCdf& target);

}  // namespace logpx
