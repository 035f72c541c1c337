#include "libcore/math/inverse_cdf.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/gauss_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace logpx {
namespace {

// The pieces of an exact inverse: a panel's density as a Legendre series, whose integral is
// inverted by interpolation.

constexpr double piece_error = 4e-12, series_error = 4e-12;
// A piece of less mass is a line, and is not cut further.
constexpr double least_mass = 1e-12;

// Coefficients of the integral from -1 of the function with these values on the nodes of a rule.
std::vector<double> legendre_integral(std::int64_t kronrod, std::span<const double> values) {
  const std::vector<double>& transform = legendre_transform(kronrod);
  const std::size_t count = values.size();
  std::vector<double> out(count + 1);
  for (std::size_t k = 0; k < count; ++k) {
    double c = 0;
    for (std::size_t i = 0; i < count; ++i) c += transform[k * count + i] * values[i];
    c /= static_cast<double>(2 * k + 1);
    out[k + 1] += c;  // (P_(k+1) - P_(k-1)) / (2k + 1)
    if (k == 0) out[0] += c;
    else out[k - 1] -= c;
  }
  return out;
}

// F over one panel, from its start, at x in [-1,1].
class PanelSeries {
 public:
  PanelSeries(const QuadraturePanel& panel, std::int64_t kronrod)
      : low_(panel.low),
        half_(panel.high / 2 - panel.low / 2),
        c_(legendre_integral(kronrod, panel.values)) {
    for (double& c : c_) c *= half_;
    for (std::size_t k = 0; k < c_.size(); ++k) scale_.push_back(1 / static_cast<double>(k + 1));
  }
  // At several x side by side: each alone would wait for the term before.
  template <std::size_t N>
  [[nodiscard]] std::array<double, N> masses(const std::array<double, N>& x) const {
    std::array<double, N> below{}, now, sum{};
    now.fill(1);
    for (std::size_t k = 0; k < c_.size(); ++k) {
#pragma GCC unroll 8  // else the arrays go through memory at each step
      for (std::size_t i = 0; i < N; ++i) {
        sum[i] += c_[k] * now[i];
        const double above = x[i] * now[i] + (1 - scale_[k]) * (x[i] * now[i] - below[i]);
        below[i] = now[i];
        now[i] = above;
      }
    }
    return sum;
  }
  [[nodiscard]] double mass(double x) const { return masses<1>({x})[0]; }
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

constexpr std::size_t point_count = 6;  // of Chebyshev's, on [0,1]
using Points = std::array<double, point_count>;

const Points& chebyshev_points() {
  static const Points kept = [] {
    Points x{};
    for (std::size_t i = 1; i < point_count; ++i)
      x[i] = (1 - std::cos(std::numbers::pi * static_cast<double>(i) / (point_count - 1))) / 2;
    x.back() = 1;
    return x;
  }();
  return kept;
}

// The polynomial through (v_i, x_i): Newton's form, then Horner's scheme on polynomials,
// p <- p (t - v_k) + d_k.
Points polynomial_through(const Points& v, const Points& x) {
  Points divided = x, power{};
  for (std::size_t order = 1; order < point_count; ++order)
    for (std::size_t i = point_count - 1; i >= order; --i)
      divided[i] = (divided[i] - divided[i - 1]) / (v[i] - v[i - order]);
  for (std::size_t k = point_count; k-- > 0;) {
    for (std::size_t i = point_count - 1; i > 0; --i) power[i] = power[i - 1] - v[k] * power[i];
    power[0] = divided[k] - v[k] * power[0];
  }
  return power;
}

// False where F does not rise between the point_count or the check fails.
bool interpolate(const PanelSeries& series, const PanelPart& s, UnitInverse& inverse) {
  const double mass = s.mass_high - s.mass_low, width = s.high - s.low;
  Points v{}, x{};
  std::array<double, point_count - 2> inside{};
  for (std::size_t i = 0; i < point_count; ++i) x[i] = width * chebyshev_points()[i];
  for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = s.low + x[i + 1];
  inside = series.masses(inside);
  for (std::size_t i = 1; i < point_count; ++i) {
    v[i] = i + 1 == point_count ? 1 : (inside[i - 1] - s.mass_low) / mass;
    if (!(v[i] > v[i - 1])) return false;
  }
  inverse.power = polynomial_through(v, x);
  std::array<double, point_count - 1> between{}, found{};
  double before = 0;
  for (std::size_t i = 0; i < between.size(); ++i) {
    between[i] = (v[i + 1] + v[i]) / 2;
    const double y = inverse.at(between[i]);
    if (!(y > before && y < width)) return false;
    found[i] = s.low + (before = y);
  }
  found = series.masses(found);
  for (std::size_t i = 0; i < between.size(); ++i)
    if (std::fabs(found[i] - s.mass_low - between[i] * mass) > piece_error) return false;
  return true;
}

class PieceMaker {
 public:
  explicit PieceMaker(const PanelCdf& target) : target_(target) {}

  void panel(const QuadraturePanel& panel, double start, int depth) {
    const PanelSeries series(panel, target_.options().kronrod);
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
    constexpr std::array<double, 3> x = {-0.6, 0.1, 0.7};
    const std::array<double, 3> masses = series.masses(x);
    for (std::size_t i = 0; i < x.size(); ++i)
      if (std::fabs(masses[i] - target_.mass_between(panel.low, series.z(x[i]))) > series_error)
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
};

// From left to right, none without mass. Every piece is checked at five points between its nodes
// against the series, every series against a quadrature of its own. Together |F(z) - u| <= 1e-11.
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

}  // namespace

InverseCdf::InverseCdf(const PanelCdf& target) { exact_pieces(target); }

InverseCdf::InverseCdf(HermiteCdf table)
    : log_total_(table.log_total()), hermite_(std::move(table)) {}

InverseCdf::InverseCdf(const IntervalDensity& density, const InversionOptions& options) {
  switch (options.method) {
    case Inversion::exact: exact_pieces(PanelCdf(density, options.quadrature)); break;
    case Inversion::hermite: {
      hermite_.emplace(density.breaks, options.nodes + options.nodes % 2);
      std::vector<double> log_g(hermite_->points().size());
      density.log_g(hermite_->points(), log_g);
      hermite_->rebuild(log_g);
      log_total_ = hermite_->log_total();
      break;
    }
    case Inversion::cells:
    case Inversion::nodes: gauss_pieces(density, options); break;
  }
}

// One rule over the whole interval, whatever breaks lie in it.
void InverseCdf::gauss_pieces(const IntervalDensity& density, const InversionOptions& options) {
  const double first = density.breaks.front(), last = density.breaks.back();
  const QuadratureRule rule = on_interval(gauss_legendre(options.nodes), first, last);
  const std::size_t n = rule.nodes.size();
  std::vector<double> mass(n);
  density.log_g(rule.nodes, mass);
  const double shift = *std::max_element(mass.begin(), mass.end());
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mass[i] = rule.weights[i] * std::exp(mass[i] - shift);
    total += mass[i];
  }
  if (!(total > 0 && std::isfinite(total)))
    fail(ErrorKind::numeric, "density",
         "has no finite mass between " + four_digits(first) + " and " + four_digits(last));
  log_total_ = shift + std::log(total);
  double edge = first, sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double low = edge, below = std::min(sum / total, 1.0);
    if (options.method == Inversion::nodes) edge = rule.nodes[i];
    else edge = i + 1 == n ? last : edge + rule.weights[i];
    sum += mass[i];
    const double share = std::min(sum / total, 1.0) - below;
    if (share > 0) pieces_.push_back({below, low, {(edge - low) / share}, edge});
  }
  finish();
}

void InverseCdf::exact_pieces(const PanelCdf& target) {
  log_total_ = target.log_total();
  pieces_ = inverse_pieces(target);
  finish();
}

void InverseCdf::finish() {
  std::vector<double> uppers;
  for (std::size_t j = 1; j < pieces_.size(); ++j) uppers.push_back(pieces_[j].below);
  uppers.push_back(1);
  guide_.rebuild(uppers);
}

void InverseCdf::quantiles(std::span<const double> u, std::span<double> z) const {
  LOGPX_ASSERT(u.size() == z.size());
  if (hermite_) return hermite_->quantiles(u, z);
  active_inversion_kernels().polynomials(guide_.view(low(), high()), pieces_.data(), u.data(),
                                         z.data(), std::ssize(u));
}

double InverseCdf::quantile(double u) const {
  double z = 0;
  quantiles({&u, 1}, {&z, 1});
  return z;
}

double InverseCdf::slope(double u) const {
  if (hermite_) return hermite_->slope(u);
  const double inside = std::clamp(u, 1e-300, 1 - 0x1p-53);
  const InversePiece& p = pieces_[guide_.find(inside)];
  const double d = inside - p.below;
  return p.c[0] + d * (2 * p.c[1] + d * (3 * p.c[2] + d * (4 * p.c[3] + d * 5 * p.c[4])));
}

void InverseCdf::slopes(std::span<const double> u, std::span<const double> z,
                        std::span<double> slopes) const {
  for (std::size_t i = 0; i < slopes.size(); ++i)
    slopes[i] = hermite_ ? hermite_->slope(u[i], z[i]) : slope(u[i]);
}

double InverseCdf::low() const { return hermite_ ? hermite_->low() : pieces_.front().low; }
double InverseCdf::high() const { return hermite_ ? hermite_->high() : pieces_.back().high; }
double InverseCdf::log_total() const { return log_total_; }

}  // namespace logpx
