#include "libcore/families/kaem/prior/prior_values.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/math/curve_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace logpx::kaem {

std::string component_name(Component c) {
  return "component (" + std::to_string(c.q) + "," + std::to_string(c.p) + ")";
}

PriorForm::PriorForm(PriorKind of, std::int64_t p, std::int64_t q) : kind(of), n_p(p), n_q(q) {
  const bool mixture = kind == PriorKind::mixture;
  energies.features = mixture ? n_q : n_p;
  energies.curves_each = mixture ? n_p : n_q;
  energies.owner = mixture ? BaseOwner::curve : BaseOwner::feature;
  energies.name = [mixture](std::int64_t feature, std::int64_t curve) {
    const Component c = mixture ? Component{feature, curve} : Component{curve, feature};
    return "the prior's " + component_name(c);
  };
}

namespace {

Shape edges(const PriorForm& form) { return {form.energies.features, form.energies.curves_each}; }
std::size_t mixture_count(const PriorForm& form) {
  return form.is_mixture() ? form.energies.edges() : 0;
}

void widen(const PriorValues::Weights& weights, const std::optional<int>& tensor,
           std::vector<double>& to) {
  if (!tensor) return;
  const std::span<const float> from = weights.params.view(*tensor, weights.block).span();
  LOGPX_ASSERT(from.size() == to.size());
  std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

PriorTensors::PriorTensors(const Site& site, const PriorForm& form) {
  const EnergyForm& energies = form.energies;
  const CurveStart start{.form = energies.curves,
                         .fans = {energies.features, energies.curves_each},
                         .scales = form.scales,
                         .low = energies.low,
                         .high = energies.high,
                         .tau = energies.start_tau};
  coef = site.tensor("coef", {energies.features, energies.curves_each, basis_size(energies.curves)},
                     initial_coef(start));
  if (energies.has_w_base()) w_base = site.tensor("w_base", edges(form), initial_w_base(start));
  if (energies.has_w_spline())
    w_spline = site.tensor("w_spline", edges(form), initial_w_spline(start));
  if (energies.has_rho()) rho = site.tensor("rho", {}, Init::constant(det_log(energies.start_tau)));
  if (energies.base == BaseMeasure::learnable_gaussian) {
    base_mean = site.tensor("base_mean", {form.n_p}, Init::zeros());
    base_log_sd = site.tensor("base_log_sd", {form.n_p}, Init::zeros());
  }
  if (form.is_mixture() && form.weights == MixtureWeights::learned)
    alpha_logits = site.tensor("alpha_logits", {form.n_q, form.n_p}, Init::zeros());
}

PriorConstants::PriorConstants(const PriorForm& form)
    : grid({form.features(), grid_size(form.energies.curves)}),
      domain({form.features(), 2}),
      mask(edges(form)),
      log_z({form.n_q, form.n_p}) {
  const EnergyForm& energies = form.energies;
  const std::vector<double> points = grid_of(
      energies.curves, uniform_grid(energies.low, energies.high, energies.curves.intervals));
  for (std::int64_t i = 0; i < form.features(); ++i) {
    std::copy(points.begin(), points.end(), grid.data() + i * std::ssize(points));
    domain[2 * i] = energies.low;
    domain[2 * i + 1] = energies.high;
  }
  std::ranges::fill(mask.span(), static_cast<std::uint8_t>(CurveMask::live));
}

void PriorConstants::add_formulas() {
  if (formula.size() > 0) return;
  formula = Tensor<std::int32_t>(mask.shape());
  formula_numbers = Tensor<double>({mask.shape()[0], mask.shape()[1], 4});
  std::ranges::fill(formula.span(), -1);
}

void PriorConstants::set_formula(std::int64_t edge, const Formula& given) {
  formula[edge] = static_cast<std::int32_t>(given.function);
  const std::array numbers = {given.a, given.b, given.c, given.d};
  std::ranges::copy(numbers, formula_numbers.data() + 4 * edge);
}

void PriorConstants::clear_formula(std::int64_t edge) {
  if (formula.size() == 0) return;
  formula[edge] = -1;
  std::fill_n(formula_numbers.data() + 4 * edge, 4, 0.0);
  if (std::ranges::any_of(formula.span(), [](std::int32_t place) { return place >= 0; })) return;
  formula = {};
  formula_numbers = {};
}

std::optional<Formula> PriorConstants::formula_of(std::int64_t edge) const {
  if (formula.size() == 0 || formula[edge] < 0) return {};
  const double* const numbers = formula_numbers.data() + 4 * edge;
  return Formula{formula[edge], numbers[0], numbers[1], numbers[2], numbers[3]};
}

void PriorConstants::check_formulas() const {
  const std::int64_t known = std::ssize(symbolic_functions());
  for (std::int64_t edge = 0; edge < formula.size(); ++edge) {
    const std::string element = "element " + std::to_string(edge);
    if (formula[edge] < -1 || formula[edge] >= known)
      fail(ErrorKind::data, "prior/formula",
           element + " is " + std::to_string(formula[edge]) + ", expected -1 to " +
               std::to_string(known - 1));
    const std::optional<Formula> given = formula_of(edge);
    if (!given) continue;
    const std::int64_t feature = edge / mask.shape()[1];
    const double low = domain[2 * feature], high = domain[2 * feature + 1];
    const auto finite = [](double number) { return std::isfinite(number); };
    if (std::ranges::all_of(std::array{given->a, given->b, given->c, given->d}, finite) &&
        is_finite_on(*given, low, high))
      continue;
    fail(ErrorKind::data, "prior/formula_numbers",
         element + " gives " + formula_text(*given) + ", which is not finite from " + to_text(low) +
             " to " + to_text(high));
  }
}

PriorValues::PriorValues(const PriorForm& of)
    : form(of), energies(of.energies), alpha_logits(mixture_count(of)) {
  std::ranges::copy(PriorConstants(of).grid.span(), energies.grid.begin());
}

void PriorValues::take(const PriorTensors& tensors, const Weights& weights,
                       const PriorConstants& constants) {
  widen(weights, tensors.coef, energies.coef);
  widen(weights, tensors.w_base, energies.w_base);
  widen(weights, tensors.w_spline, energies.w_spline);
  widen(weights, tensors.base_mean, energies.base_mean);
  widen(weights, tensors.base_log_sd, energies.base_log_sd);
  widen(weights, tensors.alpha_logits, alpha_logits);
  if (tensors.rho)
    energies.rho = static_cast<double>(weights.params.view(*tensors.rho, weights.block)[0]);
  std::ranges::copy(constants.grid.span(), energies.grid.begin());
  std::ranges::copy(constants.domain.span(), energies.domain.begin());
  std::ranges::transform(constants.mask.span(), energies.mask.begin(),
                         [](std::uint8_t value) { return static_cast<CurveMask>(value); });
  energies.formulas.clear();
  for (std::int64_t edge = 0; edge < constants.formula.size(); ++edge)
    energies.formulas.push_back(constants.formula_of(edge));
}

void PriorValues::weights(std::int64_t q, std::span<double> alpha) const {
  const std::size_t first = at(q * form.n_p);
  const auto removed = [&](std::size_t p) {
    return energies.mask[first + p] == CurveMask::removed;
  };
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t p = 0; p < alpha.size(); ++p)
    if (!removed(p)) largest = std::max(largest, alpha_logits[first + p]);
  for (std::size_t p = 0; p < alpha.size(); ++p)
    sum += alpha[p] = removed(p) ? 0 : det_exp(alpha_logits[first + p] - largest);
  for (double& value : alpha) value /= sum;
}

PriorGradient::PriorGradient(const PriorForm& form)
    : energies(form.energies), alpha_logits(mixture_count(form)) {}

void PriorGradient::clear() {
  energies.clear();
  std::ranges::fill(alpha_logits, 0);
}

void PriorGradient::add_to(const PriorTensors& tensors, const ParamSet& params, double scale,
                           std::span<float> block) const {
  // Element i gathers `count` numbers from from[i step] on, `stride` apart.
  const auto add = [&](const std::optional<int>& tensor, const std::vector<double>& from,
                       std::size_t step = 1, std::size_t stride = 1) {
    if (!tensor) return;
    const std::span<float> to = params.view(*tensor, block).span();
    const std::size_t count = from.size() / to.size();
    for (std::size_t i = 0; i < to.size(); ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < count; ++k) sum += from[i * step + k * stride];
      to[i] += static_cast<float>(scale * sum);
    }
  };
  add(tensors.coef, energies.coef);
  add(tensors.w_base, energies.w_base);
  add(tensors.w_spline, energies.w_spline);
  add(tensors.rho, energies.rho);
  add(tensors.alpha_logits, alpha_logits);
  // The numbers of p in [F,C]: all curves of feature p, or curve p of all features q
  const EnergyForm& form = energies.form;
  const bool by_feature = form.owner == BaseOwner::feature;
  const std::size_t step = by_feature ? at(form.curves_each) : 1;
  const std::size_t stride = by_feature ? 1 : at(form.curves_each);
  add(tensors.base_mean, energies.base_mean, step, stride);
  add(tensors.base_log_sd, energies.base_log_sd, step, stride);
}

void by_component(const PriorForm& form, std::span<const double> by_feature,
                  std::span<double> by_component) {
  for (std::int64_t i = 0; i < form.features(); ++i)
    for (std::int64_t c = 0; c < form.energies.curves_each; ++c)
      by_component[form.number_of(form.component(i, c))] =
          by_feature[at(i * form.energies.curves_each + c)];
}

}  // namespace logpx::kaem
