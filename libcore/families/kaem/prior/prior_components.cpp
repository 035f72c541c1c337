#include "libcore/families/kaem/prior/prior_components.hpp"

#include "libcore/math/repeatable.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace logpx::kaem {
namespace {

constexpr std::int64_t cells_of_feature = 512;

// F_q = sum_p alpha_{q,p} F_{q,p}, on the cells that all p have in common.
std::vector<double> mixed_masses(const PriorValues& values, std::int64_t q,
                                 std::span<const double> masses) {
  std::vector<double> alpha(at(values.form.n_p));
  values.weights(q, alpha);
  std::vector<double> mixed(masses.size() / alpha.size());
  for (std::size_t p = 0; p < alpha.size(); ++p)
    for (std::size_t j = 0; j < mixed.size(); ++j)
      mixed[j] = mixed[j] + alpha[p] * masses[p * mixed.size() + j];
  return mixed;
}

}  // namespace

CodedPrior::CodedPrior(const PriorValues& values, Workers& workers) : form_(values.form) {
  std::vector<std::optional<CellQuantiles>> made(at(form_.features()));
  workers.run(form_.features(), [&](std::int64_t feature) {
    EnergyCells cells = energy_cells(values.energies, feature, cells_of_feature);
    if (form_.is_mixture()) cells.masses = mixed_masses(values, feature, cells.masses);
    made[at(feature)].emplace(std::move(cells.edges), cells.masses);
  });
  for (std::optional<CellQuantiles>& feature : made) features_.push_back(std::move(*feature));
}

double CodedPrior::sum_of(std::size_t q, std::span<const double> u) const {
  if (form_.is_mixture()) return features_[q](0, u[q]);
  double sum = 0;
  for (std::size_t p = 0; p < features_.size(); ++p)
    sum = sum + features_[p](q, u[form_.is_shared() ? p : q * features_.size() + p]);
  return sum;
}

void CodedPrior::sums(std::span<const double> u, std::span<float> s) const {
  const std::size_t dims = at(form_.score_dims()), latents = at(form_.n_q);
  for (std::size_t i = 0; i < s.size(); ++i)
    s[i] = static_cast<float>(sum_of(i % latents, u.subspan(i / latents * dims, dims)));
}

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

namespace {

std::vector<InverseCdf> by_latent(const PriorForm& form, std::vector<InverseCdf> by_feature) {
  std::vector<InverseCdf> inverses;
  for (std::int64_t number = 0; number < form.z_dims(); ++number) {
    const Component c{number / form.n_p, number % form.n_p};
    inverses.push_back(std::move(
        by_feature[at(form.feature_of(c) * form.energies.curves_each + form.curve_of(c))]));
  }
  return inverses;
}

}  // namespace

std::vector<InverseCdf> latent_inverses(const PriorValues& values, const InversionOptions& options,
                                        Workers& workers) {
  const PriorForm& form = values.form;
  const bool mixture = form.is_mixture();
  if (!mixture && options.method == Inversion::hermite)
    return by_latent(form, tabulated_inverses(values.energies, options.nodes, workers));
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
