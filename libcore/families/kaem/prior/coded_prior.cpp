#include "libcore/families/kaem/prior/coded_prior.hpp"

#include <optional>

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

}  // namespace logpx::kaem
