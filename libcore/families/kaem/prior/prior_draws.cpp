#include "libcore/families/kaem/prior/prior_draws.hpp"

#include "libcore/base/error.hpp"
#include "libcore/model/prior.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

// The uniforms of one feature in draws.u [n]: of a curve, or a mixture's {component, z}.
void gather_uniforms(const PriorForm& form, const PriorDraws& draws, std::int64_t slot,
                     std::span<double> u) {
  const std::size_t step = at(form.uniforms());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = draws.u[i * step + at(slot)];
}

// draw(curve, u, z, slopes) for every curve of a feature.
template <typename Draw>
void draw_univariate(const PriorForm& form, std::int64_t p, PriorDraws& draws, DrawSpace& space,
                     Draw draw) {
  const std::size_t n = at(draws.count);
  std::vector<double>& u = space.u;
  u.resize(n);
  if (form.is_shared()) gather_uniforms(form, draws, p, u);
  for (std::int64_t q = 0; q < form.n_q; ++q) {
    if (!form.is_shared()) gather_uniforms(form, draws, q * form.n_p + p, u);
    const std::size_t first = at(p * form.n_q + q) * n;
    draw(q, std::span<const double>(u), std::span(draws.z).subspan(first, n),
         std::span(draws.slopes).subspan(first, n));
  }
}

// The chosen samples of every component, together. space.alpha are the component's weights.
template <typename Draw>
void draw_mixture(const PriorForm& form, std::int64_t q, PriorDraws& draws, DrawSpace& space,
                  Draw draw) {
  const std::size_t n = at(draws.count), first = at(q) * n;
  space.choice.resize(n);
  space.all.resize(n);
  gather_uniforms(form, draws, 2 * q, space.choice);
  gather_uniforms(form, draws, 2 * q + 1, space.all);
  for (std::size_t i = 0; i < n; ++i)
    draws.component[first + i] =
        static_cast<std::int32_t>(choose_component(space.alpha, space.choice[i]));
  for (std::int64_t p = 0; p < form.n_p; ++p) {
    space.places.clear();
    space.u.clear();
    for (std::size_t i = 0; i < n; ++i) {
      if (draws.component[first + i] != p) continue;
      space.places.push_back(i);
      space.u.push_back(space.all[i]);
    }
    if (space.places.empty()) continue;
    space.z.resize(space.u.size());
    space.slopes.resize(space.u.size());
    draw(p, std::span<const double>(space.u), std::span(space.z), std::span(space.slopes));
    for (std::size_t i = 0; i < space.places.size(); ++i) {
      draws.z[first + space.places[i]] = space.z[i];
      draws.slopes[first + space.places[i]] = space.slopes[i];
    }
  }
}

// visit(place among draws, place among rows) for every number of n samples.
template <typename Visit>
void each_latent(const PriorForm& form, std::int64_t count, Visit visit) {
  const std::size_t n = at(count), width = at(form.n_q);
  const std::size_t parts = form.is_mixture() ? 1 : at(form.n_p);
  for (std::size_t q = 0; q < width; ++q)
    for (std::size_t p = 0; p < parts; ++p)
      for (std::size_t i = 0; i < n; ++i)
        visit((p * width + q) * n + i, (i * width + q) * parts + p);
}

}  // namespace

void prior_uniforms(const PriorForm& form, const Substream& stream, std::int64_t first,
                    std::span<double> u) {
  const std::uint64_t start =
      static_cast<std::uint64_t>(first) * static_cast<std::uint64_t>(form.uniforms());
  for (std::size_t i = 0; i < u.size();) {
    const std::uint64_t element = start + i;
    const Words4 words = stream.block(element / 2);
    if (element % 2 == 0) u[i++] = uniform53_of(words[0], words[1]);
    if (i < u.size()) u[i++] = uniform53_of(words[2], words[3]);
  }
}

void resize_draws(const PriorForm& form, std::int64_t count, PriorDraws& draws) {
  draws.count = count;
  draws.u.resize(at(count * form.uniforms()));
  draws.z.resize(at(count * form.z_dims()));
  draws.slopes.resize(draws.z.size());
  draws.component.resize(form.is_mixture() ? draws.z.size() : 0);
}

template <typename T>
void draw_feature(const PriorValues& values, EnergyTablesOf<T>& tables, PriorDraws& draws,
                  DrawSpace& space) {
  const std::int64_t feature = tables.curves().feature();
  tables.rebuild();
  const auto draw = [&](std::int64_t curve, std::span<const double> u, std::span<double> z,
                        std::span<double> slopes) { tables.draw(curve, u, z, slopes); };
  if (!values.form.is_mixture()) return draw_univariate(values.form, feature, draws, space, draw);
  space.alpha.resize(at(values.form.n_p));
  values.weights(feature, space.alpha);
  draw_mixture(values.form, feature, draws, space, draw);
}
template void draw_feature(const PriorValues&, EnergyTablesOf<float>&, PriorDraws&, DrawSpace&);
template void draw_feature(const PriorValues&, EnergyTablesOf<double>&, PriorDraws&, DrawSpace&);

void draw_feature(const PriorComponents& components, std::int64_t feature, PriorDraws& draws,
                  DrawSpace& space) {
  const PriorForm& form = components.form();
  const auto draw = [&](std::int64_t curve, std::span<const double> u, std::span<double> z,
                        std::span<double>) {
    components.inverse(form.component(feature, curve)).quantiles(u, z);
  };
  if (!form.is_mixture()) return draw_univariate(form, feature, draws, space, draw);
  const std::span<const double> alpha = components.weights(feature);
  space.alpha.assign(alpha.begin(), alpha.end());
  draw_mixture(form, feature, draws, space, draw);
}

std::vector<double> draw_rows(const PriorComponents& components, std::int64_t first,
                              std::int64_t count, Rng rng) {
  const PriorForm& form = components.form();
  PriorDraws draws;
  resize_draws(form, count, draws);
  prior_uniforms(form, rng.stream(Stream::prior_samples), first, draws.u);
  DrawSpace space;
  for (std::int64_t f = 0; f < form.features(); ++f) draw_feature(components, f, draws, space);
  std::vector<double> z(at(count * form.z_dims()));
  latent_rows(form, draws, z);
  return z;
}

void sum_rows(const PriorForm& form, std::span<const double> z, std::span<float> s) {
  const std::size_t parts = form.is_mixture() ? 1 : at(form.n_p);
  for (std::size_t i = 0; i < s.size(); ++i) {
    double sum = 0;
    for (std::size_t p = 0; p < parts; ++p) sum += z[i * parts + p];
    s[i] = static_cast<float>(sum);
  }
}

void latent_sums(const PriorForm& form, const PriorDraws& draws, std::span<float> s) {
  const std::size_t n = at(draws.count), width = at(form.n_q);
  const std::size_t parts = form.is_mixture() ? 1 : at(form.n_p);
  for (std::size_t q = 0; q < width; ++q)
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t p = 0; p < parts; ++p) sum += draws.z[(p * width + q) * n + i];
      s[i * width + q] = static_cast<float>(sum);
    }
}

void latent_rows(const PriorForm& form, const PriorDraws& draws, std::span<double> rows) {
  each_latent(form, draws.count,
              [&](std::size_t place, std::size_t row_place) { rows[row_place] = draws.z[place]; });
}

void take_rows(const PriorForm& form, std::span<const double> rows, PriorDraws& draws) {
  each_latent(form, draws.count,
              [&](std::size_t place, std::size_t row_place) { draws.z[place] = rows[row_place]; });
}

}  // namespace logpx::kaem
