// The curves of one feature at many points: energies f, log G = f + log pi0, slopes, and the way
// back to parameters. In double, and in float for training.   [kaem/README 2.1, 2.2]
//
//   FeatureCurves<double> curves(values, feature);
//   curves.set_points(z, With::gradients, points);
//   curves.energies(points, Points::common, f);          // [C,n]
//   curves.add_gradient(points, Points::common, weights, gradient);
#pragma once

#include "libcore/energy/energy_values.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

enum class With { values, slopes, gradients };  // by z, by parameters

// The basis at n points, beside it the activation, and beside that, With::gradients where tau is
// trained, the basis by tau: one row for each point.
template <typename T>
struct CurvePoints {
  std::vector<double> z;    // [n]
  std::int64_t stride = 0;  // K + 1 or 2 K + 1
  std::vector<T> values;    // [n,stride]
  std::vector<T> slopes;    // [n,stride], With::slopes
  std::vector<T> log_base;  // [n], not for a learnable Gaussian
  std::vector<T> line;      // memory
};

// One thread at a time; while RepeatableFunctions live, energies and base measures are the same
// bits on every machine. Points are either common to all curves, n of them with results [C,n]; or
// each curve's own, C n points of which row c of [C,n] belongs to curve c.
enum class Points { common, own };

template <typename T>
class FeatureCurves {
 public:
  FeatureCurves(const EnergyValues& values, std::int64_t feature);
  void renew();  // after the values have changed

  [[nodiscard]] const EnergyForm& form() const { return values_->form; }
  [[nodiscard]] const EnergyValues& values() const { return *values_; }
  [[nodiscard]] std::int64_t feature() const { return feature_; }
  [[nodiscard]] std::int64_t count() const { return values_->form.curves_each; }  // C
  // Where log G is not smooth: ends of the domain, knots, kinks, jumps, and a geometric sequence
  // towards 0 of the lognormal. Rising.   [kaem/README 4.1]
  void breaks(std::vector<double>& places) const;

  void set_points(std::span<const double> z, With with, CurvePoints<T>& points) const;
  void energies(const CurvePoints<T>& points, Points whose, std::span<T> f) const;
  // log_g += log pi0: -inf where the base measure is zero.
  void add_log_base(const CurvePoints<T>& points, Points whose, std::span<T> log_g) const;
  // d log G / dz
  void slopes(const CurvePoints<T>& points, Points whose, std::span<T> slopes) const;
  // gradient += sum_j weights[c,j] df_c(z_j)/dtheta, and the same of log pi0.
  void add_energy_gradient(const CurvePoints<T>& points, Points whose, std::span<const T> weights,
                           EnergyGradient& gradient);
  void add_base_gradient(const CurvePoints<T>& points, Points whose, std::span<const T> weights,
                         EnergyGradient& gradient) const;
  void add_gradient(const CurvePoints<T>& points, Points whose, std::span<const T> weights,
                    EnergyGradient& gradient) {
    add_energy_gradient(points, whose, weights, gradient);
    add_base_gradient(points, whose, weights, gradient);
  }

  // A numeric error unless every f is finite and at most 1e5: f [C,n].
  void require_moderate(std::span<const T> f) const;

 private:
  void set_activation(With with, CurvePoints<T>& points) const;
  void product(std::span<const T> rows, std::int64_t stride, Points whose, std::span<T> out) const;
  // Puts values of formulas, or their slopes, into the rows of out [C,n] that they are for.
  void put_formulas(const CurvePoints<T>& points, Points whose, With what, std::span<T> out) const;
  const EnergyValues* values_;
  std::int64_t feature_;
  std::vector<T> folded_;       // [C,K+1]: w_spline coef, w_base; 0 where it is no curve
  std::vector<T> by_function_;  // [C,stride]
};

}  // namespace logpx
