#include "libcore/families/kaem/prior/prior_components.hpp"

#include "libcore/math/repeatable.hpp"

#include <cmath>
#include <utility>

namespace logpx::kaem {
namespace {

NamedDensity named_component(const PriorValues& values, std::int64_t number) {
  const Component c{number / values.form.n_p, number % values.form.n_p};
  return {component_density(values, c), "the prior's " + component_name(c)};
}

}  // namespace

IntervalDensity component_density(const PriorValues& values, Component c) {
  return energy_density(values.energies, values.form.feature_of(c), values.form.curve_of(c));
}

IntervalDensity component_base(const PriorValues& values, Component c) {
  EnergyValues part = values.energies.part(values.form.feature_of(c), values.form.curve_of(c), 1);
  part.mask = {CurveMask::flat};
  return energy_density(part, 0, 0);
}

IntervalDensity mixture_density(const PriorValues& values, std::int64_t q,
                                std::span<const double> log_z) {
  const std::size_t count = at(values.form.n_p);
  std::vector<double> log_weights(count);
  values.weights(q, log_weights);
  for (std::size_t p = 0; p < count; ++p)
    log_weights[p] = repeatable_log(log_weights[p]) - log_z[at(q) * count + p];
  return mixed_density(values.energies, q, std::move(log_weights));
}

PriorComponents::PriorComponents(const PriorValues& values, const InversionOptions& options,
                                 Workers& workers)
    : form_(values.form),
      inverses_(inverses_of(
          form_.n_q * form_.n_p,
          [&](std::int64_t number) { return named_component(values, number); }, options, workers)),
      weights_(form_.is_mixture() ? inverses_.size() : 0) {
  for (std::int64_t q = 0; form_.is_mixture() && q < form_.n_q; ++q)
    values.weights(q, std::span(weights_).subspan(at(q * form_.n_p), at(form_.n_p)));
}

std::vector<InverseCdf> latent_inverses(const PriorValues& values, const InversionOptions& options,
                                        Workers& workers) {
  const PriorForm& form = values.form;
  const bool mixture = form.is_mixture();
  const std::vector<double> log_z =
      mixture ? log_normalisers(values.energies, workers) : std::vector<double>{};
  const auto density = [&](std::int64_t number) -> NamedDensity {
    if (!mixture) return named_component(values, number);
    return {mixture_density(values, number, log_z), "the prior of z " + std::to_string(number)};
  };
  return inverses_of(form.z_dims(), density, options, workers);
}

NormalScores normal_scores(const PriorValues& values, Workers& workers) {
  return {latent_inverses(values, {}, workers), values.form.score_dims()};
}

}  // namespace logpx::kaem
