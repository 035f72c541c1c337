// What training computes anew of each feature in every step: tables to sample from, normalisers and
// expectations. Several threads, a feature each; no memory is taken after the first step.
// [spec/kaem.md sections 4, 5.3, 6]
#pragma once

#include "libcore/families/kaem/feature_curves.hpp"
#include "libcore/math/gauss_rules.hpp"
#include "libcore/math/inverse_cdf.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx::kaem {

// The nodes of form.quadrature between breaks.
[[nodiscard]] QuadratureRule prior_rule(const PriorForm& form, std::span<const double> breaks);

// Densities on the nodes of the quadrature rule: log Z and expectations.
class FeatureMoments {
 public:
  FeatureMoments(const PriorValues& values, std::int64_t feature);
  void rebuild();  // from the values as they are now
  [[nodiscard]] std::span<const double> log_z() const { return log_z_; }  // [C]
  // E of h under each curve's density: h [C,n] at the nodes; [C]
  void expectations(std::span<const double> h, std::span<double> means) const;
  [[nodiscard]] const CurvePoints& nodes() const { return nodes_; }
  [[nodiscard]] std::span<const double> energies() const { return f_; }             // [C,n]
  [[nodiscard]] std::span<const double> probabilities() const { return weights_; }  // [C,n], sum 1
  [[nodiscard]] FeatureCurves& curves() { return curves_; }

 private:
  FeatureCurves curves_;
  QuadratureRule rule_;
  std::vector<double> breaks_, f_, weights_, log_z_;
  CurvePoints nodes_;
};

// Samples by cubic Hermite tables (or another inversion), one component after the other, and the
// pathwise gradient through them.
class FeatureTables {
 public:
  FeatureTables(const PriorValues& values, std::int64_t feature, Inversion method);
  void rebuild();
  // z of curve c from u, and dz/du where it is wanted. Each curve once after a rebuild.
  void draw(std::int64_t curve, std::span<const double> u, std::span<double> z,
            std::span<double> slopes = {});
  // gradient += sum_s dz_s . dz_s/dtheta, all curves: u [C,n] or [1,n] of shared, z, slopes and
  // dz [C,n]. After all curves were drawn.   [6.4]
  void add_pathwise_gradient(std::span<const double> u, std::span<const double> z,
                             std::span<const double> slopes, std::span<const double> dz,
                             PriorGradient& gradient);

 private:
  FeatureCurves curves_;
  Inversion method_;
  std::optional<HermiteCdf> table_;
  std::vector<double> breaks_, f_, density_, weights_, passed_;
  CurvePoints points_;
};

}  // namespace logpx::kaem
