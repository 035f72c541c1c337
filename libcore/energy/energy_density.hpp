// One energy as a density on an interval, with copies of its numbers; many normalisers at once.
// [kaem/README 2.2, 2.3]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/energy/feature_curves.hpp"
#include "libcore/math/adaptive_quadrature.hpp"
#include "libcore/math/inverse_cdf.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx {

// log G = f + log pi0 of one curve. f above 1e5, or not finite, is a numeric error.
[[nodiscard]] IntervalDensity energy_density(const EnergyValues& values, std::int64_t feature,
                                             std::int64_t curve);
// f of one curve alone, and where f or pi0 is not smooth.
struct EnergyFunction {
  RealFunction f;
  std::vector<double> breaks;
};
[[nodiscard]] EnergyFunction energy_function(const EnergyValues& values, std::int64_t feature,
                                             std::int64_t curve);
// log sum_c e^log_weights[c] G_c of the curves of one feature.
[[nodiscard]] IntervalDensity mixed_density(const EnergyValues& values, std::int64_t feature,
                                            std::vector<double> log_weights);

// log Z of every curve [F,C] by Gauss rules on pieces as fine as the grid: in milliseconds, and for
// the usual curves to ten digits.
[[nodiscard]] std::vector<double> log_normalisers(const EnergyValues& values, Workers& workers);

// Inverses of densities, made by all threads and the same on every machine. Errors bear the name of
// their density.
struct NamedDensity {
  IntervalDensity density;
  std::string name;
};
[[nodiscard]] std::vector<InverseCdf> inverses_of(
    std::int64_t count, const std::function<NamedDensity(std::int64_t)>& density,
    const InversionOptions& options, Workers& workers);
// Tables of cubic pieces of all curves [F,C], where the same points serve all curves of a feature.
[[nodiscard]] std::vector<InverseCdf> tabulated_inverses(const EnergyValues& values,
                                                         std::int64_t intervals, Workers& workers);

}  // namespace logpx
