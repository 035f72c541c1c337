// What curves are charged for while they are fitted.   [kaem/README 9.1]
#pragma once

#include "libcore/math/curve_basis.hpp"

#include <span>

namespace logpx {
class Fields;
}

namespace logpx::kaem {

// What a layer of curves is charged for the size of its edges and the roughness of its numbers.
// [kaem/README 9.1]
//
//   a_io = mean of |phi_io| over samples,   L1 = sum a,   S = -sum (a / L1) log(a / L1)
//   charge = mu_1 L1 + mu_2 S + mu_3 mean |c_k| + mu_4 mean |c_k+1 - c_k|
struct PenaltyWeights {
  double l1 = 1, entropy = 1, coef = 1, steps = 1;
};

struct EdgeSize {
  double l1 = 0, entropy = 0;  // the entropy in nats; 0 for a layer whose edges are all 0
};
[[nodiscard]] EdgeSize edge_size(std::span<const double> scores);
// d (l1 weights.l1 + entropy weights.entropy) / d score. It is 0 for an edge of score 0.
void edge_slopes(std::span<const double> scores, const PenaltyWeights& weights,
                 std::span<double> slopes);

// For the numbers [K] of one curve: sum |c_k|, and the sum of |c_k+1 - c_k| over neighbours of one
// kind (cosines and sines are two).
struct CoefSums {
  double size = 0, steps = 0;
};
[[nodiscard]] CoefSums coef_sums(const CurveForm& form, std::span<const double> coef);
[[nodiscard]] std::int64_t neighbours(const CurveForm& form);  // pairs in a curve
// slopes += factors.size d sum|c| + factors.steps d sum|step|
void add_coef_slopes(const CurveForm& form, std::span<const double> coef, const CoefSums& factors,
                     std::span<double> slopes);

struct Config;

enum class PenaltyTargets { prior, generator, both };

struct PenaltyOptions {
  double lambda = 0;
  PenaltyWeights weights;
  PenaltyTargets targets = PenaltyTargets::both;

  void describe(Fields& fields);
  void validate(const Config& config) const;
  [[nodiscard]] bool on() const { return lambda > 0; }
  [[nodiscard]] bool charges(PenaltyTargets target) const {
    return on() && (targets == PenaltyTargets::both || targets == target);
  }
};

}  // namespace logpx::kaem
