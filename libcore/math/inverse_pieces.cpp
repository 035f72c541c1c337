#include "libcore/math/inverse_pieces.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/gauss_rules.hpp"
#include "libcore/math/least_squares.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace logpx {
namespace {

constexpr double piece_error = 4e-12, series_error = 4e-12;
// A piece that holds less is a line; one that would be narrower is left as it is.
constexpr double least_mass = 1e-12;

// The matrix that takes values on a Kronrod rule's nodes to coefficients of Legendre polynomials.
class LegendreTransform {
 public:
  explicit LegendreTransform(std::int64_t kronrod) {
    const KronrodRule& rule = gauss_kronrod(kronrod);
    count_ = rule.nodes.size();
    std::vector<double> values(count_ * count_), unit(count_ * count_);
    for (std::size_t i = 0; i < count_; ++i) {
      double below = 0, now = 1;
      for (std::size_t k = 0; k < count_; ++k) {
        values[i * count_ + k] = now;
        const auto degree = static_cast<double>(k);
        const double above =
            ((2 * degree + 1) * rule.nodes[i] * now - degree * below) / (degree + 1);
        below = now;
        now = above;
      }
      unit[i * count_ + i] = 1;
    }
    const auto n = static_cast<std::int64_t>(count_);
    matrix_ = solve({.rows = n, .columns = n, .sides = n}, values, unit);
  }
  // Coefficients of the integral from -1 of the function with these values.
  void integral(std::span<const double> values, std::vector<double>& out) const {
    out.assign(count_ + 1, 0);
    for (std::size_t k = 0; k < count_; ++k) {
      double c = 0;
      for (std::size_t i = 0; i < count_; ++i) c += matrix_[k * count_ + i] * values[i];
      c /= static_cast<double>(2 * k + 1);
      out[k + 1] += c;  // (P_(k+1) - P_(k-1)) / (2k + 1)
      if (k == 0) out[0] += c;
      else out[k - 1] -= c;
    }
  }

 private:
  std::size_t count_ = 0;
  std::vector<double> matrix_;
};

// F over one panel, from its start, at x in [-1,1].
class PanelSeries {
 public:
  PanelSeries(const QuadraturePanel& panel, const LegendreTransform& transform)
      : low_(panel.low), half_(panel.high / 2 - panel.low / 2) {
    transform.integral(panel.values, c_);
    for (double& c : c_) c *= half_;
    for (std::size_t k = 0; k < c_.size(); ++k) scale_.push_back(1 / static_cast<double>(k + 1));
  }
  [[nodiscard]] double mass(double x) const {
    double below = 0, now = 1, sum = 0;
    for (std::size_t k = 0; k < c_.size(); ++k) {
      sum += c_[k] * now;
      const double above = x * now + (1 - scale_[k]) * (x * now - below);
      below = now;
      now = above;
    }
    return sum;
  }
  [[nodiscard]] double z(double x) const { return low_ + half_ * (1 + x); }
  [[nodiscard]] double half() const { return half_; }

 private:
  double low_, half_;
  std::vector<double> c_, scale_;
};

// Where a piece is made: x in [low,high] of a panel, F there above the panel's start.
struct PanelPart {
  double low, high, mass_low, mass_high;
};

// x - low as a polynomial of the share of the stretch's mass.
struct UnitInverse {
  std::array<double, 6> power{};
  [[nodiscard]] double at(double v) const {
    double x = 0;
    for (std::size_t k = power.size(); k-- > 1;) x = v * (power[k] + x);
    return x;
  }
};

// Through six points of Chebyshev's; false where F does not rise between them or the check fails.
bool interpolate(const PanelSeries& series, const PanelPart& s, UnitInverse& inverse) {
  constexpr std::size_t n = 6;
  const double mass = s.mass_high - s.mass_low, width = s.high - s.low;
  std::array<double, n> v{}, x{};
  for (std::size_t i = 1; i < n; ++i) {
    const double angle = std::numbers::pi * static_cast<double>(i) / (n - 1);
    x[i] = i + 1 == n ? width : width * (1 - std::cos(angle)) / 2;
    v[i] = i + 1 == n ? 1 : (series.mass(s.low + x[i]) - s.mass_low) / mass;
    if (!(v[i] > v[i - 1])) return false;
  }
  std::array<double, n> divided = x;  // Newton's form
  for (std::size_t order = 1; order < n; ++order)
    for (std::size_t i = n - 1; i >= order; --i)
      divided[i] = (divided[i] - divided[i - 1]) / (v[i] - v[i - order]);
  inverse.power.fill(0);
  for (std::size_t k = n; k-- > 0;) {  // Horner's scheme on polynomials: p <- p (t - v_k) + d_k
    for (std::size_t i = n - 1; i > 0; --i)
      inverse.power[i] = inverse.power[i - 1] - v[k] * inverse.power[i];
    inverse.power[0] = divided[k] - v[k] * inverse.power[0];
  }
  double before = 0;
  for (std::size_t i = 1; i < n; ++i) {
    const double between = (v[i] + v[i - 1]) / 2, y = inverse.at(between);
    if (!(y > before && y < width)) return false;
    before = y;
    if (std::fabs(series.mass(s.low + y) - s.mass_low - between * mass) > piece_error) return false;
  }
  return true;
}

class PieceMaker {
 public:
  explicit PieceMaker(const PanelCdf& target)
      : target_(target), transform_(target.options().kronrod) {}

  void panel(const QuadraturePanel& panel, double start, int depth) {
    const PanelSeries series(panel, transform_);
    if (depth < 30 && panel.integral > least_mass && !agrees(panel, series)) {
      const double middle = panel.low / 2 + panel.high / 2;
      const QuadraturePanel left = target_.part(panel.low, middle);
      this->panel(left, start, depth + 1);
      this->panel(target_.part(middle, panel.high), start + left.integral, depth + 1);
      return;
    }
    stretch(series, {-1, 1, 0, std::max(series.mass(1), 0.0)}, start);
  }

  std::vector<InversePiece> pieces;

 private:
  [[nodiscard]] bool agrees(const QuadraturePanel& panel, const PanelSeries& series) const {
    for (const double x : {-0.6, 0.1, 0.7})
      if (std::fabs(series.mass(x) - target_.mass_between(panel.low, series.z(x))) > series_error)
        return false;
    return true;
  }

  void stretch(const PanelSeries& series, const PanelPart& s, double start) {
    const double mass = s.mass_high - s.mass_low;
    UnitInverse inverse;
    const bool narrow = !(s.high - s.low > 1e-13);
    if (mass > least_mass && !narrow && !interpolate(series, s, inverse)) {
      const double middle = (s.low + s.high) / 2;
      const double at_middle = std::clamp(series.mass(middle), s.mass_low, s.mass_high);
      stretch(series, {s.low, middle, s.mass_low, at_middle}, start);
      stretch(series, {middle, s.high, at_middle, s.mass_high}, start);
      return;
    }
    const double below = std::min(start + s.mass_low, 1.0);
    if (!(std::min(start + s.mass_high, 1.0) > below)) return;
    InversePiece piece{below, series.z(s.low), {}, series.z(s.high)};
    if (mass > least_mass && !narrow) {
      double scale = series.half();
      for (std::size_t k = 0; k < 5; ++k) piece.c[k] = inverse.power[k + 1] * (scale /= mass);
    } else {
      piece.c[0] = (piece.high - piece.low) / mass;
    }
    pieces.push_back(piece);
  }

  const PanelCdf& target_;
  LegendreTransform transform_;
};

}  // namespace

std::vector<InversePiece> inverse_pieces(const PanelCdf& target) {
  PieceMaker maker(target);
  const std::span<const QuadraturePanel> panels = target.panels();
  for (std::size_t i = 0; i < panels.size(); ++i)
    if (panels[i].integral > 0) maker.panel(panels[i], target.start(i), 0);
  // F at a piece's lower end may lie a rounding above what the piece before it reaches: no harm.
  std::vector<InversePiece> pieces;
  for (InversePiece& piece : maker.pieces)
    if (pieces.empty() || piece.below > pieces.back().below) pieces.push_back(piece);
  LOGPX_ASSERT(!pieces.empty());
  pieces.front().below = 0;
  return pieces;
}

}  // namespace logpx
