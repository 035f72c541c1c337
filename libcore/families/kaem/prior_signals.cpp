#include "libcore/families/kaem/prior_signals.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::kaem {
namespace {

double sum_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

// space.weights [C,n] = those of the points, the same for every curve.
void spread_weights(const PriorPoints& points, std::size_t curves, SignalSpace& space) {
  space.weights.resize(curves * points.weights.size());
  for (std::size_t c = 0; c < curves; ++c)
    std::ranges::copy(points.weights, space.weights.begin() +
                                          static_cast<std::ptrdiff_t>(c * points.weights.size()));
}

// space.weights [P,n] = w_j r_p(z_j), space.coefficients [P] = sum_j w_j r_p(z_j); gradient of the
// logits. A point where no component has mass says nothing.
void spread_responsibilities(const PriorValues& values, EnergyMoments& moments,
                             const PriorPoints& points, PriorGradient& gradient,
                             SignalSpace& space) {
  const FeatureCurves& curves = moments.curves();
  const std::size_t n = points.weights.size(), count = at(curves.count());
  std::vector<double>& alpha = space.alpha;
  alpha.resize(count);
  values.weights(curves.feature(), alpha);
  space.weights.resize(count * n);
  curves.energies(space.points, Points::common, space.weights);
  curves.add_log_base(space.points, Points::common, space.weights);
  space.coefficients.assign(count, 0);
  double total = 0;
  for (std::size_t j = 0; j < n; ++j) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t p = 0; p < count; ++p) {
      double& term = space.weights[p * n + j];
      term += std::log(alpha[p]) - moments.log_z()[p];
      largest = std::max(largest, term);
    }
    const bool somewhere = std::isfinite(largest);
    for (std::size_t p = 0; p < count; ++p) {
      double& term = space.weights[p * n + j];
      term = somewhere ? std::exp(term - largest) : 0;
      sum += term;
    }
    for (std::size_t p = 0; p < count && somewhere; ++p) {
      double& term = space.weights[p * n + j];
      term *= points.weights[j] / sum;
      space.coefficients[p] += term;
    }
    if (somewhere) total += points.weights[j];
  }
  for (std::size_t p = 0; p < count; ++p)
    gradient.alpha_logits[at(curves.feature()) * count + p] +=
        space.coefficients[p] - alpha[p] * total;
}

// The part of the points; space.coefficients is what E_pi is to be taken off with.
void add_points(const PriorValues& values, EnergyMoments& moments, const PriorPoints& points,
                PriorGradient& gradient, SignalSpace& space) {
  FeatureCurves& curves = moments.curves();
  const bool mixture = values.form.is_mixture();
  const std::size_t count = at(curves.count());
  LOGPX_ASSERT(points.z.size() == points.weights.size() * (mixture ? 1 : count));
  curves.set_points(points.z, With::gradients, space.points);
  if (mixture) {
    spread_responsibilities(values, moments, points, gradient, space);
  } else {
    spread_weights(points, count, space);
    space.coefficients.assign(count, sum_of(points.weights));
  }
  curves.add_gradient(space.points, mixture ? Points::common : Points::own, space.weights,
                      gradient.energies);
  for (double& value : space.coefficients) value = -value;
}

}  // namespace

void add_score_gradient(const PriorValues& values, EnergyMoments& moments,
                        const PriorPoints& posterior, PriorGradient& gradient, SignalSpace& space) {
  add_points(values, moments, posterior, gradient, space);
  moments.add_expectation(space.coefficients, gradient.energies);
}

void add_contrast_gradient(const PriorValues& values, EnergyMoments& moments,
                           const PriorPoints& posterior, std::span<const double> prior_z,
                           PriorGradient& gradient, SignalSpace& space) {
  add_points(values, moments, posterior, gradient, space);
  FeatureCurves& curves = moments.curves();
  const std::size_t m = prior_z.size() / at(curves.count());
  curves.set_points(prior_z, With::gradients, space.points);
  space.weights.resize(prior_z.size());
  for (std::size_t i = 0; i < prior_z.size(); ++i)
    space.weights[i] = space.coefficients[i / m] / static_cast<double>(m);
  curves.add_gradient(space.points, Points::own, space.weights, gradient.energies);
}

double add_energy_penalty(EnergyMoments& moments, double lambda, PriorGradient& gradient,
                          SignalSpace& space) {
  const std::span<const double> f = moments.energies(), p = moments.probabilities();
  const std::size_t count = at(moments.curves().count()), n = f.size() / count;
  space.weights.resize(f.size());
  space.f.resize(f.size());
  double penalty = 0;
  for (std::size_t c = 0; c < count; ++c) {
    double square = 0;
    for (std::size_t i = c * n; i < (c + 1) * n; ++i) square += p[i] * f[i] * f[i];
    penalty += square;
    // d E[f^2] = E[2 f df] + E[(f^2 - E f^2) d log G]
    for (std::size_t i = c * n; i < (c + 1) * n; ++i) {
      space.f[i] = -lambda * p[i] * (f[i] * f[i] - square);
      space.weights[i] = space.f[i] - lambda * p[i] * 2 * f[i];
    }
  }
  moments.curves().add_energy_gradient(moments.nodes(), Points::common, space.weights,
                                       gradient.energies);
  moments.curves().add_base_gradient(moments.nodes(), Points::common, space.f, gradient.energies);
  return lambda * penalty;
}

double add_weight_penalty(const PriorValues& values, std::int64_t q, WeightPenalty penalty,
                          double lambda, PriorGradient& gradient) {
  if (penalty == WeightPenalty::none) return 0;
  const std::size_t count = at(values.form.n_p), first = at(q) * count;
  std::vector<double> alpha(count);
  values.weights(q, alpha);
  double sum = 0;
  if (penalty == WeightPenalty::l1_logits) {
    for (std::size_t p = 0; p < count; ++p) {
      const double logit = values.alpha_logits[first + p];
      if (alpha[p] == 0) continue;
      sum += std::fabs(logit);
      gradient.alpha_logits[first + p] -= lambda * (logit > 0 ? 1 : logit < 0 ? -1 : 0);
    }
    return lambda * sum;
  }
  for (const double value : alpha) sum -= value > 0 ? value * std::log(value) : 0;
  for (std::size_t p = 0; p < count; ++p)
    if (alpha[p] > 0)
      gradient.alpha_logits[first + p] += lambda * alpha[p] * (std::log(alpha[p]) + sum);
  return lambda * sum;
}

void edge_scores(FeatureCurves& curves, const PriorPoints& points, std::span<double> scores,
                 SignalSpace& space) {
  const std::size_t n = points.weights.size();
  curves.set_points(points.z, With::gradients, space.points);
  space.f.resize(n * scores.size());
  curves.energies(space.points, points.z.size() == n ? Points::common : Points::own, space.f);
  for (std::size_t c = 0; c < scores.size(); ++c) {
    scores[c] = 0;
    for (std::size_t j = 0; j < n; ++j)
      scores[c] += points.weights[j] * std::fabs(space.f[c * n + j]);
  }
}

void add_edge_gradient(FeatureCurves& curves, const PriorPoints& points,
                       std::span<const double> coefficients, PriorGradient& gradient,
                       SignalSpace& space) {
  const std::size_t n = points.weights.size();
  space.weights.resize(space.f.size());
  for (std::size_t c = 0; c < coefficients.size(); ++c)
    for (std::size_t j = 0; j < n; ++j) {
      const double f = space.f[c * n + j];
      space.weights[c * n + j] = -coefficients[c] * points.weights[j] *
                                 (f > 0   ? 1
                                  : f < 0 ? -1
                                          : 0);
    }
  curves.add_energy_gradient(space.points, points.z.size() == n ? Points::common : Points::own,
                             space.weights, gradient.energies);
}

}  // namespace logpx::kaem
