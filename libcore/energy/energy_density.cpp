#include "libcore/energy/energy_density.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/math/gauss_rules.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/math/special.hpp"
#include "libcore/math/under_name.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace logpx {
namespace {

// Some curves of one feature, with numbers of their own.
struct OwnCurves {
  EnergyValues values;
  FeatureCurves<double> curves;
  explicit OwnCurves(EnergyValues&& part) : values(std::move(part)), curves(values, 0) {}
  OwnCurves(const OwnCurves&) = delete;
  OwnCurves& operator=(const OwnCurves&) = delete;

  // f of all of them at z: [C,n]
  void energies(std::span<const double> z, CurvePoints<double>& points, std::span<double> f) const {
    curves.set_points(z, With::values, points);
    curves.energies(points, Points::common, f);
    curves.require_moderate(f);
  }
  // log G
  void log_g(std::span<const double> z, std::span<double> log_g) const {
    CurvePoints<double> points;
    energies(z, points, log_g);
    curves.add_log_base(points, Points::common, log_g);
  }
  [[nodiscard]] IntervalDensity density(LogDensity log_density) const {
    IntervalDensity density{std::move(log_density), {}};
    curves.breaks(density.breaks);
    return density;
  }
};

// The length over which the bases of curves change.
double basis_scale(const EnergyValues& values, std::int64_t feature) {
  const CurveForm& form = values.form.curves;
  const double range = values.high(feature) - values.low(feature), tau = det_exp(values.rho);
  const double step = range / form.intervals;
  switch (form.basis) {
    case CurveBasis::rbf: return step * std::min(tau, 1.0);
    case CurveBasis::rswaf: return std::min(step, tau);
    case CurveBasis::bspline: return step;
    case CurveBasis::fourier: return 0.25 / (tau * (form.intervals + 1));
    case CurveBasis::chebyshev: break;
  }
  return range / (2 * form.degree + 2);
}

// The length over which curves change, and formulas c h(a z + b) + d, whose h changes over 1.
double curve_scale(const EnergyValues& values, std::int64_t feature) {
  double scale = basis_scale(values, feature);
  for (std::int64_t c = 0; c < values.form.curves_each; ++c)
    if (const Formula* const formula = values.formula(at(feature * values.form.curves_each + c)))
      scale = std::min(scale, 0.5 / std::max(std::abs(formula->a), 1e-3));
  return scale;
}

// 16 Gauss nodes on pieces of about two scales, at most 4096 pieces between two breaks.
QuadratureRule fine_rule(const EnergyValues& values, const FeatureCurves<double>& curves) {
  std::vector<double> breaks;
  curves.breaks(breaks);
  const double piece = 2 * curve_scale(values, curves.feature());
  QuadratureRule rule;
  for (std::size_t b = 0; b + 1 < breaks.size(); ++b) {
    const double range = breaks[b + 1] - breaks[b], wanted = std::ceil(range / piece);
    if (std::isnan(wanted))
      fail(ErrorKind::numeric, values.form.name(curves.feature(), 0),
           "changes over a length of " + to_text(piece) + " on a range of " + to_text(range));
    const int pieces = static_cast<int>(std::clamp(wanted, 1.0, 4096.0));
    for (int i = 0; i < pieces; ++i) {
      const double low = breaks[b] + range * i / pieces,
                   high = breaks[b] + range * (i + 1) / pieces;
      const QuadratureRule part = on_interval(gauss_legendre(16), low, high);
      rule.nodes.insert(rule.nodes.end(), part.nodes.begin(), part.nodes.end());
      rule.weights.insert(rule.weights.end(), part.weights.begin(), part.weights.end());
    }
  }
  return rule;
}

}  // namespace

IntervalDensity energy_density(const EnergyValues& values, std::int64_t feature,
                               std::int64_t curve) {
  const auto own = std::make_shared<const OwnCurves>(values.part(feature, curve, 1));
  return own->density(
      [own](std::span<const double> z, std::span<double> log_g) { own->log_g(z, log_g); });
}

EnergyFunction energy_function(const EnergyValues& values, std::int64_t feature,
                               std::int64_t curve) {
  const auto own = std::make_shared<const OwnCurves>(values.part(feature, curve, 1));
  EnergyFunction energy{[own](std::span<const double> z, std::span<double> f) {
                          CurvePoints<double> points;
                          own->energies(z, points, f);
                        },
                        {}};
  own->curves.breaks(energy.breaks);
  return energy;
}

IntervalDensity mixed_density(const EnergyValues& values, std::int64_t feature,
                              std::vector<double> log_weights) {
  const auto own =
      std::make_shared<const OwnCurves>(values.part(feature, 0, values.form.curves_each));
  return own->density(
      [own, weights = std::move(log_weights)](std::span<const double> z, std::span<double> log_g) {
        std::vector<double> each(weights.size() * z.size()), terms(weights.size());
        own->log_g(z, each);
        for (std::size_t i = 0; i < z.size(); ++i) {
          for (std::size_t c = 0; c < terms.size(); ++c)
            terms[c] = weights[c] + each[c * z.size() + i];
          log_g[i] = log_sum_exp(terms);
        }
      });
}

std::vector<double> log_normalisers(const EnergyValues& values, Workers& workers) {
  std::vector<double> log_z(values.form.edges());
  const Numerics numerics = numerics_here();
  workers.run(values.form.features, [&](std::int64_t feature) {
    const ComputedBy how(numerics);
    const FeatureCurves<double> curves(values, feature);
    const QuadratureRule rule = fine_rule(values, curves);
    const std::size_t n = rule.nodes.size();
    CurvePoints<double> points;
    std::vector<double> log_g(n * at(curves.count()));
    curves.set_points(rule.nodes, With::values, points);
    curves.energies(points, Points::common, log_g);
    curves.require_moderate(log_g);
    curves.add_log_base(points, Points::common, log_g);
    for (std::int64_t curve = 0; curve < curves.count(); ++curve) {
      const std::span<double> row = std::span(log_g).subspan(at(curve) * n, n);
      for (std::size_t i = 0; i < n; ++i) row[i] += det_log(rule.weights[i]);
      log_z[at(feature * curves.count() + curve)] = log_sum_exp(row);
    }
  });
  return log_z;
}

namespace {

std::vector<InverseCdf> all_of(std::vector<std::optional<InverseCdf>>& made) {
  std::vector<InverseCdf> inverses;
  for (std::optional<InverseCdf>& inverse : made) inverses.push_back(std::move(*inverse));
  return inverses;
}

}  // namespace

std::vector<InverseCdf> inverses_of(std::int64_t count,
                                    const std::function<NamedDensity(std::int64_t)>& density,
                                    const InversionOptions& options, Workers& workers) {
  std::vector<std::optional<InverseCdf>> made(at(count));
  workers.run(count, [&](std::int64_t i) {
    const RepeatableFunctions repeatable;
    const NamedDensity named = density(i);
    under_name([&] { return named.name; }, [&] { made[at(i)].emplace(named.density, options); });
  });
  return all_of(made);
}

std::vector<InverseCdf> tabulated_inverses(const EnergyValues& values, std::int64_t intervals,
                                           Workers& workers) {
  std::vector<std::optional<InverseCdf>> made(values.form.edges());
  workers.run(values.form.features, [&](std::int64_t feature) {
    const RepeatableFunctions repeatable;
    const FeatureCurves<double> curves(values, feature);
    std::vector<double> breaks;
    curves.breaks(breaks);
    HermiteCdf table(breaks, intervals + intervals % 2);
    const std::size_t n = table.points().size();
    CurvePoints<double> points;
    std::vector<double> log_g(n * at(curves.count()));
    curves.set_points(table.points(), With::values, points);
    curves.energies(points, Points::common, log_g);
    curves.require_moderate(log_g);
    curves.add_log_base(points, Points::common, log_g);
    for (std::int64_t curve = 0; curve < curves.count(); ++curve)
      under_name([&] { return values.form.name(feature, curve); },
                 [&] {
                   table.rebuild(std::span(log_g).subspan(at(curve) * n, n));
                   made[at(feature * curves.count() + curve)].emplace(table);
                 });
  });
  return all_of(made);
}

}  // namespace logpx
