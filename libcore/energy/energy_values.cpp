#include "libcore/energy/energy_values.hpp"

#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

template <typename T>
std::vector<T> run_of(const std::vector<T>& from, std::int64_t first, std::int64_t count) {
  const auto begin = from.begin() + first;
  return {begin, begin + count};
}

}  // namespace

std::string density_name(std::int64_t feature, std::int64_t curve) {
  return "density " + std::to_string(curve) + " of feature " + std::to_string(feature);
}

bool EnergyForm::has_w_base() const {
  return curves.basis != CurveBasis::chebyshev && activation != Activation::none;
}
bool EnergyForm::has_w_spline() const { return curves.basis != CurveBasis::chebyshev; }
bool EnergyForm::has_rho() const { return tau == TauKind::trainable && has_tau(curves.basis); }

EnergyValues::EnergyValues(const EnergyForm& of)
    : form(of),
      functions(basis_size(of.curves)),
      coef(of.edges() * at(functions)),
      w_base(of.edges()),
      w_spline(of.edges(), 1),
      rho(det_log(of.start_tau)),
      base_mean(of.owners()),
      base_log_sd(of.owners()),
      grid(at(of.features * grid_size(of.curves))),
      mask(of.edges(), CurveMask::live) {
  for (std::int64_t i = 0; i < of.features; ++i) domain.insert(domain.end(), {of.low, of.high});
}

EnergyValues EnergyValues::part(std::int64_t feature, std::int64_t first,
                                std::int64_t count) const {
  EnergyForm smaller = form;
  smaller.features = 1;
  smaller.curves_each = count;
  smaller.name = [name = form.name, feature, first](std::int64_t, std::int64_t curve) {
    return name(feature, first + curve);
  };
  EnergyValues part(smaller);
  const std::int64_t edge = feature * form.curves_each + first, size = grid_size(form.curves);
  part.coef = run_of(coef, edge * functions, count * functions);
  part.w_base = run_of(w_base, edge, count);
  part.w_spline = run_of(w_spline, edge, count);
  part.mask = run_of(mask, edge, count);
  if (!formulas.empty()) part.formulas = run_of(formulas, edge, count);
  part.rho = rho;
  const bool by_feature = form.owner == BaseOwner::feature;
  part.base_mean = run_of(base_mean, by_feature ? feature : first, by_feature ? 1 : count);
  part.base_log_sd = run_of(base_log_sd, by_feature ? feature : first, by_feature ? 1 : count);
  part.grid = run_of(grid, feature * size, size);
  part.domain = run_of(domain, 2 * feature, 2);
  return part;
}

EnergyGradient::EnergyGradient(const EnergyForm& of)
    : form(of),
      coef(form.edges() * at(basis_size(form.curves))),
      w_base(form.edges()),
      w_spline(form.edges()),
      rho(at(form.features)),
      base_mean(form.edges()),
      base_log_sd(form.edges()) {}

void EnergyGradient::clear() {
  for (auto* part : {&coef, &w_base, &w_spline, &rho, &base_mean, &base_log_sd})
    std::ranges::fill(*part, 0);
}

}  // namespace logpx
