#include "libcore/families/kaem/prior/prior_signals.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/math/special.hpp"

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
template <typename T>
void spread_weights(const PriorPoints& points, std::size_t curves, SignalSpaceOf<T>& space) {
  space.weights.resize(curves * points.weights.size());
  for (std::size_t c = 0; c < curves; ++c)
    std::ranges::copy(points.weights, space.weights.begin() +
                                          static_cast<std::ptrdiff_t>(c * points.weights.size()));
}

// space.weights [P,n] = w_j r_p(z_j), space.coefficients [P] = sum_j w_j r_p(z_j); gradient of the
// logits. A point where no component has mass adds nothing.
template <typename T>
void spread_responsibilities(const PriorValues& values, EnergyMomentsOf<T>& moments,
                             const PriorPoints& points, PriorGradient& gradient,
                             SignalSpaceOf<T>& space) {
  const FeatureCurves<T>& curves = moments.curves();
  const std::size_t n = points.weights.size(), count = at(curves.count());
  std::vector<double>& alpha = space.alpha;
  alpha.resize(count);
  values.weights(curves.feature(), alpha);
  space.weights.resize(count * n);
  curves.energies(space.points, Points::common, space.weights);
  curves.add_log_base(space.points, Points::common, space.weights);
  space.coefficients.assign(count, 0);
  std::vector<double>& terms = space.terms;
  terms.resize(count);
  double total = 0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t p = 0; p < count; ++p)
      terms[p] = repeatable_log(alpha[p]) - moments.log_z()[p] +
                 static_cast<double>(space.weights[p * n + j]);
    const double log_sum = log_sum_exp(terms);
    const bool somewhere = std::isfinite(log_sum);
    for (std::size_t p = 0; p < count; ++p) {
      const double weight = somewhere ? points.weights[j] * det_exp(terms[p] - log_sum) : 0;
      space.weights[p * n + j] = static_cast<T>(weight);
      space.coefficients[p] += weight;
    }
    if (somewhere) total += points.weights[j];
  }
  for (std::size_t p = 0; p < count; ++p)
    gradient.alpha_logits[at(curves.feature()) * count + p] +=
        space.coefficients[p] - alpha[p] * total;
}

// The part of the points; space.coefficients become the factors of E_pi, which is taken off.
template <typename T>
void add_points(const PriorValues& values, EnergyMomentsOf<T>& moments, const PriorPoints& points,
                PriorGradient& gradient, SignalSpaceOf<T>& space) {
  FeatureCurves<T>& curves = moments.curves();
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

template <typename T>
void add_score_gradient(const PriorValues& values, EnergyMomentsOf<T>& moments,
                        const PriorPoints& posterior, PriorGradient& gradient,
                        SignalSpaceOf<T>& space) {
  add_points(values, moments, posterior, gradient, space);
  moments.add_expectation(space.coefficients, gradient.energies);
}

template <typename T>
void add_contrast_gradient(const PriorValues& values, EnergyMomentsOf<T>& moments,
                           const PriorPoints& posterior, std::span<const double> prior_z,
                           PriorGradient& gradient, SignalSpaceOf<T>& space) {
  add_points(values, moments, posterior, gradient, space);
  FeatureCurves<T>& curves = moments.curves();
  const std::size_t m = prior_z.size() / at(curves.count());
  curves.set_points(prior_z, With::gradients, space.points);
  space.weights.resize(prior_z.size());
  for (std::size_t i = 0; i < prior_z.size(); ++i)
    space.weights[i] = static_cast<T>(space.coefficients[i / m] / static_cast<double>(m));
  curves.add_gradient(space.points, Points::own, space.weights, gradient.energies);
}

template <typename T>
double add_energy_penalty(EnergyMomentsOf<T>& moments, double lambda, PriorGradient& gradient,
                          SignalSpaceOf<T>& space) {
  const std::size_t count = at(moments.curves().count()), n = moments.energies().size() / count;
  const auto f = [&](std::size_t i) { return static_cast<double>(moments.energies()[i]); };
  const auto p = [&](std::size_t i) { return static_cast<double>(moments.probabilities()[i]); };
  space.weights.resize(count * n);
  space.f.resize(count * n);
  double penalty = 0;
  for (std::size_t c = 0; c < count; ++c) {
    double square = 0;
    for (std::size_t i = c * n; i < (c + 1) * n; ++i) square += p(i) * f(i) * f(i);
    penalty += square;
    // d E[f^2] = E[2 f df] + E[(f^2 - E f^2) d log G]
    for (std::size_t i = c * n; i < (c + 1) * n; ++i) {
      const double of_log_g = -lambda * p(i) * (f(i) * f(i) - square);
      space.f[i] = static_cast<T>(of_log_g);
      space.weights[i] = static_cast<T>(of_log_g - lambda * p(i) * 2 * f(i));
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
  for (const double value : alpha) sum -= value > 0 ? value * det_log(value) : 0;
  for (std::size_t p = 0; p < count; ++p)
    if (alpha[p] > 0)
      gradient.alpha_logits[first + p] += lambda * alpha[p] * (repeatable_log(alpha[p]) + sum);
  return lambda * sum;
}

template <typename T>
void edge_scores(FeatureCurves<T>& curves, const PriorPoints& points, std::span<double> scores,
                 SignalSpaceOf<T>& space) {
  const std::size_t n = points.weights.size();
  curves.set_points(points.z, With::gradients, space.points);
  space.f.resize(n * scores.size());
  curves.energies(space.points, points.z.size() == n ? Points::common : Points::own, space.f);
  for (std::size_t c = 0; c < scores.size(); ++c) {
    scores[c] = 0;
    for (std::size_t j = 0; j < n; ++j)
      scores[c] += points.weights[j] * std::fabs(static_cast<double>(space.f[c * n + j]));
  }
}

template <typename T>
void add_edge_gradient(FeatureCurves<T>& curves, const PriorPoints& points,
                       std::span<const double> coefficients, EnergyGradient& gradient,
                       SignalSpaceOf<T>& space) {
  const std::size_t n = points.weights.size();
  space.weights.resize(space.f.size());
  for (std::size_t c = 0; c < coefficients.size(); ++c)
    for (std::size_t j = 0; j < n; ++j) {
      const T f = space.f[c * n + j];
      const int sign = f > 0 ? 1 : f < 0 ? -1 : 0;
      space.weights[c * n + j] = static_cast<T>(-coefficients[c] * points.weights[j] * sign);
    }
  curves.add_energy_gradient(space.points, points.z.size() == n ? Points::common : Points::own,
                             space.weights, gradient);
}

#define LOGPX_PRIOR_SIGNALS(T)                                                                     \
  template void add_score_gradient(const PriorValues&, EnergyMomentsOf<T>&, const PriorPoints&,    \
                                   PriorGradient&, SignalSpaceOf<T>&);                             \
  template void add_contrast_gradient(const PriorValues&, EnergyMomentsOf<T>&, const PriorPoints&, \
                                      std::span<const double>, PriorGradient&, SignalSpaceOf<T>&); \
  template double add_energy_penalty(EnergyMomentsOf<T>&, double, PriorGradient&,                  \
                                     SignalSpaceOf<T>&);                                           \
  template void edge_scores(FeatureCurves<T>&, const PriorPoints&, std::span<double>,              \
                            SignalSpaceOf<T>&);                                                    \
  template void add_edge_gradient(FeatureCurves<T>&, const PriorPoints&, std::span<const double>,  \
                                  EnergyGradient&, SignalSpaceOf<T>&)
LOGPX_PRIOR_SIGNALS(float);
LOGPX_PRIOR_SIGNALS(double);
#undef LOGPX_PRIOR_SIGNALS

}  // namespace logpx::kaem
