// log p(z) of any z, and its gradient: what chains in z climb.   [kaem/README 7.1]
#pragma once

#include "libcore/energy/feature_curves.hpp"
#include "libcore/families/kaem/prior/prior_values.hpp"
#include "libcore/math/langevin.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::kaem {

// Beyond the domain energies and base measures go on. One thread at a time. z [n,z_dims()] is in
// the order of files.
class PriorDensity {
 public:
  PriorDensity(const PriorValues& values, std::span<const double> log_z);  // [F,C]
  void renew(std::span<const double> log_z);  // after the values have changed
  // log_p [n] and gradient [n,z_dims()] are set.
  void operator()(std::span<const double> z, std::span<double> log_p, std::span<double> gradient);

 private:
  void add_components(std::size_t p, std::span<double> log_p, std::span<double> gradient) const;
  void add_mixture(std::size_t q, std::span<double> log_p, std::span<double> gradient);
  const PriorValues* values_;
  std::vector<double> shift_;  // [F,C]: log alpha - log Z
  std::vector<FeatureCurves<double>> features_;
  CurvePoints<double> points_;
  std::vector<double> f_, slopes_, z_, largest_, sums_;
};

// Where the density of every dimension of z is not zero, for chains that are mirrored at its walls.
[[nodiscard]] Box prior_box(const PriorValues& values);

}  // namespace logpx::kaem
