#include "libcore/families/kaem/prior/mixture_path.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

// The points once for every component, with slopes of its share alpha.
void repeat_points(const MixturePoints& points, MixturePathSpace& space) {
  const std::size_t n = points.z.size(), parts = space.alpha.size();
  space.z.resize(parts * n);
  space.dz.resize(parts * n);
  space.slopes.resize(parts * n);
  for (std::size_t p = 0; p < parts; ++p)
    for (std::size_t i = 0; i < n; ++i) {
      space.z[p * n + i] = points.z[i];
      space.dz[p * n + i] = points.dz[i];
      space.slopes[p * n + i] = space.alpha[p] * points.slopes[i];
    }
}

}  // namespace

template <typename T>
void add_mixture_path(const PriorValues& values, EnergyTablesOf<T>& tables,
                      const MixturePoints& points, PriorGradient& gradient,
                      MixturePathSpace& space) {
  const std::size_t n = points.z.size(), parts = at(values.form.n_p);
  const std::int64_t q = tables.curves().feature();
  space.alpha.resize(parts);
  space.below.resize(parts * n);
  values.weights(q, space.alpha);
  tables.rebuild();
  for (std::size_t p = 0; p < parts; ++p)
    tables.masses_below(static_cast<std::int64_t>(p), points.z,
                        std::span(space.below).subspan(p * n, n));
  repeat_points(points, space);
  tables.add_pathwise_gradient(space.below, space.z, space.slopes, space.dz, gradient.energies);
  if (values.form.weights == MixtureWeights::fixed) return;
  for (std::size_t i = 0; i < n; ++i) {
    double whole = 0;
    for (std::size_t p = 0; p < parts; ++p) whole += space.alpha[p] * space.below[p * n + i];
    for (std::size_t p = 0; p < parts; ++p)
      gradient.alpha_logits[at(q) * parts + p] +=
          points.dz[i] * points.slopes[i] * space.alpha[p] * (whole - space.below[p * n + i]);
  }
}
template void add_mixture_path(const PriorValues&, EnergyTablesOf<float>&, const MixturePoints&,
                               PriorGradient&, MixturePathSpace&);
template void add_mixture_path(const PriorValues&, EnergyTablesOf<double>&, const MixturePoints&,
                               PriorGradient&, MixturePathSpace&);

}  // namespace logpx::kaem
