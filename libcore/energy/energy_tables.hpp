// What training computes for each feature in every step: tables to sample from, normalisers and
// expectations; in float, and in double to test the formulas. Several threads, a feature each; no
// memory is taken after the first step.
// [kaem/README 4.1, 4.3, 5.3]
#pragma once

#include "libcore/energy/feature_curves.hpp"
#include "libcore/math/gauss_rules.hpp"
#include "libcore/math/hermite_grid.hpp"
#include "libcore/math/inverse_cdf.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx {

// The nodes of form.quadrature between breaks.
[[nodiscard]] QuadratureRule energy_rule(const EnergyForm& form, std::span<const double> breaks);

// Densities on the nodes of the quadrature rule: log Z and expectations.
template <typename T>
class EnergyMomentsOf {
 public:
  EnergyMomentsOf(const EnergyValues& values, std::int64_t feature);
  void rebuild();  // from the values as they are now
  [[nodiscard]] std::span<const double> log_z() const { return log_z_; }  // [C]
  // gradient += sum_c coefficients[c] E_pi_c[d log G_c/dtheta].
  void add_expectation(std::span<const double> coefficients, EnergyGradient& gradient);
  [[nodiscard]] const CurvePoints<T>& nodes() const { return nodes_; }
  [[nodiscard]] std::span<const T> energies() const { return f_; }             // [C,n]
  [[nodiscard]] std::span<const T> probabilities() const { return weights_; }  // [C,n], sum 1
  [[nodiscard]] FeatureCurves<T>& curves() { return curves_; }

 private:
  FeatureCurves<T> curves_;
  QuadratureRule rule_;
  std::vector<double> breaks_, seen_breaks_, log_z_;
  std::vector<T> f_, weights_, scaled_;
  CurvePoints<T> nodes_;
};

// Samples by cubic Hermite tables (or another inversion), one component after the other, and the
// pathwise gradient through them.
template <typename T>
class EnergyTablesOf {
 public:
  EnergyTablesOf(const EnergyValues& values, std::int64_t feature, Inversion method);
  void rebuild();
  // z of curve c from u, and dz/du where it is wanted. Each curve once after a rebuild.
  void draw(std::int64_t curve, std::span<const double> u, std::span<double> z,
            std::span<double> slopes);
  // F of curve c at z, by the rule of the gradient below; in the place of draw().
  void masses_below(std::int64_t curve, std::span<const double> z, std::span<double> below);
  // gradient += sum_s dz_s . dz_s/dtheta, all curves: u [C,n], or [1,n] where shared; z, slopes and
  // dz [C,n]. After all curves were drawn.   [kaem/README 5.3]
  void add_pathwise_gradient(std::span<const double> u, std::span<const double> z,
                             std::span<const double> slopes, std::span<const double> dz,
                             EnergyGradient& gradient);
  [[nodiscard]] FeatureCurves<T>& curves() { return curves_; }

 private:
  void normalise(std::span<T> g);
  // Curve c from log G to p; then use(p), under its name.
  template <typename Use>
  void with_density(std::int64_t curve, Use use);
  void weigh(std::span<const T> p, std::span<const double> u, std::span<const double> z,
             std::span<T> weights);
  FeatureCurves<T> curves_;
  Inversion method_;
  std::optional<HermiteGrid> grid_;
  std::vector<double> breaks_, seen_breaks_;
  std::vector<T> density_, weights_;  // [C,n]: log G; p once a curve was drawn
  std::vector<double> below_;         // F at the edges of cells
  std::vector<double> shares_, passed_, sum_;
  HermiteSampler sampler_;
  CellParts parts_;
  CurvePoints<T> points_;
};

using EnergyMoments = EnergyMomentsOf<float>;
using EnergyTables = EnergyTablesOf<float>;

}  // namespace logpx
