// Samples of a density on an interval by the inverse of its distribution function.
// [math/README 8]
//
//   const InverseCdf inverse(density, {.method = Inversion::exact});
//   inverse.quantiles(u, z);                                   // u in (0, 1)
//   const double error = largest_u_error(PanelCdf(density), u, z);
#pragma once

#include "libcore/math/cell_guide.hpp"
#include "libcore/math/hermite_cdf.hpp"
#include "libcore/math/panel_cdf.hpp"

#include <optional>
#include <span>
#include <vector>

namespace logpx {

// exact    polynomials of degree 5 in u, |F(z) - u| <= 1e-11 as verified when they are made
// hermite  cubic pieces of F (hermite_cdf.hpp)
// cells    F linear over cells as wide as the weights of Gauss-Legendre, each with the mass
//          w_j g(z_j): it covers the whole interval
// nodes    the partial sums of that rule, taken for F at its nodes: for comparison only
enum class Inversion { exact, hermite, cells, nodes };

struct InversionOptions {
  Inversion method = Inversion::exact;
  std::int64_t nodes = 200;         // intervals of a segment (hermite), Gauss nodes (cells, nodes)
  AdaptiveOptions quadrature = {};  // exact
};

class InverseCdf {
 public:
  InverseCdf(const IntervalDensity& density, const InversionOptions& options);
  explicit InverseCdf(const PanelCdf& target);  // exact
  explicit InverseCdf(HermiteCdf table);

  // inf{z : F(z) >= u}; the ends of the mass for u <= 0 and u >= 1. Where there is no mass no
  // sample falls. Several at once take less.
  [[nodiscard]] double quantile(double u) const;
  void quantiles(std::span<const double> u, std::span<double> z) const;
  [[nodiscard]] double slope(double u) const;  // dz/du of the pieces
  // The same of z = quantiles(u).
  void slopes(std::span<const double> u, std::span<const double> z, std::span<double> slopes) const;
  [[nodiscard]] double low() const;
  [[nodiscard]] double high() const;
  [[nodiscard]] double log_total() const;  // log of the integral of g, by the method's own sum
  [[nodiscard]] std::size_t pieces() const { return pieces_.size(); }

 private:
  void gauss_pieces(const IntervalDensity& density, const InversionOptions& options);
  void exact_pieces(const PanelCdf& target);
  void finish();

  double log_total_ = 0;
  std::vector<InversePiece> pieces_;
  CellGuide guide_;
  std::optional<HermiteCdf> hermite_;
};

}  // namespace logpx
