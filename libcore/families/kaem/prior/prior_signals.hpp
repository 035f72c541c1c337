// What the prior learns from: each function adds the gradient of one objective, to be maximised,
// for one feature; in float or double.   [kaem/README 5]
#pragma once

#include "libcore/energy/energy_tables.hpp"
#include "libcore/families/kaem/prior/prior_values.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::kaem {

// Points of one feature with the weights of an average over them: z [C,n], each curve's own, or [n]
// for a mixture. weights [n] may have any sum.
struct PriorPoints {
  std::span<const double> z, weights;
};

// Memory for the signals of one thread.
template <typename T>
struct SignalSpaceOf {
  CurvePoints<T> points;
  std::vector<T> f, weights;
  std::vector<double> coefficients, alpha, terms;
};
using SignalSpace = SignalSpaceOf<float>;

// sum_j w_j d log p(z_j)/dtheta, E_pi by quadrature; for a mixture by its responsibilities, logits
// included. With shared u this is `score`.   [KAEM eq. 17; kaem/README 5.1, 5.2]
template <typename T>
void add_score_gradient(const PriorValues& values, EnergyMomentsOf<T>& moments,
                        const PriorPoints& posterior, PriorGradient& gradient,
                        SignalSpaceOf<T>& space);

// The same with the mean over prior samples in place of E_pi: z [C,m], for a mixture m samples of
// each component.   [KAEM eq. 18; kaem/README 5.1, 5.2]
template <typename T>
void add_contrast_gradient(const PriorValues& values, EnergyMomentsOf<T>& moments,
                           const PriorPoints& posterior, std::span<const double> prior_z,
                           PriorGradient& gradient, SignalSpaceOf<T>& space);

// gradient -= lambda d/dtheta sum_c E_pi_c[f_c^2]; returns lambda times that sum.
template <typename T>
double add_energy_penalty(EnergyMomentsOf<T>& moments, double lambda, PriorGradient& gradient,
                          SignalSpaceOf<T>& space);

// Penalties of a mixture's weights: entropy makes them sparse, l1_logits balances them. gradient -=
// lambda d penalty; returns lambda times the penalty, for one q.   [kaem/README 5.4]
enum class WeightPenalty { none, entropy, l1_logits };
double add_weight_penalty(const PriorValues& values, std::int64_t q, WeightPenalty penalty,
                          double lambda, PriorGradient& gradient);

// sum_j w_j |f_c(z_j)| of each curve: [C].   [kaem/README 9.1]
template <typename T>
void edge_scores(FeatureCurves<T>& curves, const PriorPoints& points, std::span<double> scores,
                 SignalSpaceOf<T>& space);
// gradient -= sum_c coefficients[c] d score_c/dtheta, of the scores just computed in this space.
template <typename T>
void add_edge_gradient(FeatureCurves<T>& curves, const PriorPoints& points,
                       std::span<const double> coefficients, EnergyGradient& gradient,
                       SignalSpaceOf<T>& space);

}  // namespace logpx::kaem
