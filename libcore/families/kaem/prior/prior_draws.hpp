// Samples of the prior by their numbers: uniforms first, which may also be given, then z.
// [kaem/README 4.2]
//
//   resize_draws(form, count, draws);
//   prior_uniforms(form, rng.stream(Stream::prior_samples), first, draws.u);
//   for (std::int64_t i = 0; i < form.features(); ++i) draw_feature(components, i, draws, space);
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/energy/energy_tables.hpp"
#include "libcore/families/kaem/prior/prior_components.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::kaem {

// Uniforms of samples first, first + 1 ..: u [n, form.uniforms()], of 53 bits. Their order is that
// of p, of (q,p), or, for a mixture, of (q, {component, z}).
void prior_uniforms(const PriorForm& form, const Substream& stream, std::int64_t first,
                    std::span<double> u);

// n samples, feature by feature.
struct PriorDraws {
  std::int64_t count = 0;
  std::vector<double> u;                // [n, uniforms]
  std::vector<double> z;                // [P,Q,n], of a mixture [Q,n]
  std::vector<double> slopes;           // dz/du in the order of z; in training only
  std::vector<std::int32_t> component;  // [Q,n] of a mixture
};
// Makes room: u is to be filled next.
void resize_draws(const PriorForm& form, std::int64_t count, PriorDraws& draws);
// Memory of one thread.
struct DrawSpace {
  std::vector<double> u, choice, all, z, slopes, alpha;
  std::vector<std::size_t> places;
};
// Fills in one feature from draws.u. Several threads, a feature each. Tables are rebuilt first, and
// only they give slopes.
template <typename T>
void draw_feature(const PriorValues& values, EnergyTablesOf<T>& tables, PriorDraws& draws,
                  DrawSpace& space);
void draw_feature(const PriorComponents& components, std::int64_t feature, PriorDraws& draws,
                  DrawSpace& space);

// z [n,Q,P], of a mixture [n,Q], of samples first, first + 1 ..: those of sample-its and
// sample-model.
[[nodiscard]] std::vector<double> draw_rows(const PriorComponents& components, std::int64_t first,
                                            std::int64_t count, Rng rng);

// s [n,Q] of z in the order of files: sums over p, or z itself.
void sum_rows(const PriorForm& form, std::span<const double> z, std::span<float> s);
// s_q = sum_p z_{q,p}, of a mixture z_q: [n,Q].
void latent_sums(const PriorForm& form, const PriorDraws& draws, std::span<float> s);
// To z in the order of files, [n,Q,P] or [n,Q] of a mixture, and back to the order of draws.
void latent_rows(const PriorForm& form, const PriorDraws& draws, std::span<double> rows);
void take_rows(const PriorForm& form, std::span<const double> rows, PriorDraws& draws);

}  // namespace logpx::kaem
