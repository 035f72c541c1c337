// The pathwise gradient of a mixture, z_q = F_q^-1(u) with F_q = sum_p alpha_qp F_qp: what moves z
// at fixed u.   [kaem/README 5.3]
//
//   dz/dtheta_p = alpha_p (F_p(z) E_p[d log G] - E_p[1{Z <= z} d log G]) / p_q(z)
//   dz/dlogit_p = alpha_p (F_q(z) - F_p(z)) / p_q(z)
#pragma once

#include "libcore/energy/energy_tables.hpp"
#include "libcore/families/kaem/prior/prior_values.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::kaem {

// n points of one latent: z, dz/du = 1 / p_q(z), and the gradient by z of what is maximised.
struct MixturePoints {
  std::span<const double> z, slopes, dz;
};

// Memory of one thread.
struct MixturePathSpace {
  std::vector<double> alpha, below, z, slopes, dz;
};

// gradient += sum_s dz_s . dz_s/dtheta, logits included. Rebuilds the tables.
template <typename T>
void add_mixture_path(const PriorValues& values, EnergyTablesOf<T>& tables,
                      const MixturePoints& points, PriorGradient& gradient,
                      MixturePathSpace& space);

}  // namespace logpx::kaem
