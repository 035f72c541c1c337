// The prior of KAEMs against tests/golden/kaem.json.
#include "libcore/families/kaem/prior/prior_components.hpp"
#include "libcore/families/kaem/prior/prior_density.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/families/kaem/prior/prior_signals.hpp"
#include "libcore/model/prior.hpp"
#include "tests/support/energy_values.hpp"

#include <doctest/doctest.h>

namespace logpx::kaem_prior_test {

using namespace logpx::kaem;

namespace {

void close_to(double computed, const Json& expected, double tolerance = 1e-9) {
  const double wanted = golden::real(expected);
  CAPTURE(computed);
  CAPTURE(wanted);
  CHECK(std::fabs(computed - wanted) <= tolerance * (1 + std::fabs(wanted)));
}

std::vector<double> numbers(const Json& json) { return golden_layer::tensor(json).data; }

PriorValues one_component(const Json& item) {
  return golden_prior(PriorKind::univariate, {{GoldenEnergy(item)}});
}

PriorValues golden_mixture(const Json& item) {
  std::vector<GoldenEnergy> components;
  for (const Json& component : item.at("components").items()) components.emplace_back(component);
  PriorValues values = golden_prior(PriorKind::mixture, {components});
  values.alpha_logits = numbers(item.at("logits"));
  return values;
}

template <typename Check>
void for_each_energy(Check check) {
  const Json* energies = golden::field("kaem", "energies");
  if (!energies) return;
  int number = 0;
  for (const Json& item : energies->items()) {
    CAPTURE(number);
    PriorValues values = one_component(item);
    check(item, values);
    ++number;
  }
}

bool in_a_tail(double u) { return u <= 1e-6 || u >= 1 - 1e-6; }

}  // namespace

TEST_CASE("golden/kaem/energies: curves, slopes, densities and normalisers of a prior") {
  Workers workers(2);
  for_each_energy([&](const Json& item, const PriorValues& values) {
    const std::vector<double> z = numbers(item.at("z"));
    const FeatureCurves<double> curves(values.energies, 0);
    CurvePoints<double> points;
    std::vector<double> f(z.size()), slopes(z.size());
    curves.set_points(z, With::slopes, points);
    curves.energies(points, Points::common, f);
    const PanelCdf target(component_density(values, {0, 0}));
    close_to(target.log_total(), item.at("log_Z"));
    close_to(log_normalisers(values.energies, workers)[0], item.at("log_Z"));
    const std::vector<double> log_z = {target.log_total()};
    PriorDensity density(values, log_z);
    std::vector<double> log_p(z.size());
    density(z, log_p, slopes);
    const GoldenEnergy energy(item);
    for (std::size_t i = 0; i < z.size(); ++i) {
      close_to(f[i], item.at("f").at(i));
      close_to(log_p[i], item.at("log_density").at(i));
      close_to(target.cdf(z[i]), item.at("cdf").at(i));
      double base_slope = 0;
      if (energy.base == "gaussian") base_slope = -z[i];
      if (energy.base == "lognormal") base_slope = -(1 + std::log(z[i])) / z[i];
      close_to(slopes[i] - base_slope, item.at("df_dz").at(i));
    }
  });
}

TEST_CASE("golden/kaem/energies: quantiles of the kept samplers") {
  Workers workers(2);
  for_each_energy([&](const Json& item, const PriorValues& values) {
    const PanelCdf target(component_density(values, {0, 0}));
    const PriorComponents exact(values, {}, workers);
    const PriorComponents cells(values, {.method = Inversion::cells}, workers);
    const PriorComponents nodes(values, {.method = Inversion::nodes}, workers);
    close_to(exact.log_z({0, 0}), item.at("log_Z"));
    close_to(cells.log_z({0, 0}), item.at("gl200_log_Z"));
    const std::vector<double> u = numbers(item.at("u"));
    for (std::size_t i = 0; i < u.size(); ++i) {
      const auto quantile = [&](const PriorComponents& of) {
        return of.inverse({0, 0}).quantile(u[i]);
      };
      const double z = quantile(exact);
      // An error of 1e-11 in u is one of z that grows where p is small.
      const double slack = 1e-11 * std::exp(-target.log_density(z));
      if (in_a_tail(u[i])) CHECK(std::fabs(target.cdf(z) - u[i]) <= 1e-10);
      else close_to(z, item.at("quantile_exact").at(i), 1e-9 + slack);
      close_to(quantile(cells), item.at("quantile_cells_200").at(i));
      close_to(quantile(nodes), item.at("quantile_nodes_200").at(i));
    }
  });
}

TEST_CASE("golden/kaem/energies: expectations of the gradient are those of basis and activation") {
  for_each_energy([](const Json& item, PriorValues& values) {
    values.energies.form.nodes = 2000;
    EnergyMomentsOf<double> moments(values.energies, 0);
    moments.rebuild();
    close_to(moments.log_z()[0], item.at("log_Z"));
    PriorGradient gradient(values.form);
    moments.add_expectation(std::vector<double>{1}, gradient.energies);
    for (std::size_t k = 0; k < values.energies.coef.size(); ++k)
      close_to(gradient.energies.coef[k] / values.energies.w_spline[0], item.at("E_basis").at(k));
    if (values.energies.form.has_w_base())
      close_to(gradient.energies.w_base[0], item.at("E_activation"));
  });
}

TEST_CASE("golden/kaem/pathwise: the gradient of a quantile by the coefficients") {
  const Json* item = golden::field("kaem", "pathwise");
  if (!item) return;
  PriorValues values = one_component(*item);
  values.energies.form.nodes = 20000;
  EnergyTablesOf<double> tables(values.energies, 0, Inversion::hermite);
  const std::vector<double> u = numbers(item->at("u"));
  for (std::size_t i = 0; i < u.size(); ++i) {
    tables.rebuild();
    double z = 0, slope = 0;
    tables.draw(0, {&u[i], 1}, {&z, 1}, {&slope, 1});
    close_to(z, item->at("z").at(i));
    close_to(slope, item->at("dz_du").at(i));
    const double one = 1;
    EnergyGradient gradient(values.form.energies);
    tables.add_pathwise_gradient({&u[i], 1}, {&z, 1}, {&slope, 1}, {&one, 1}, gradient);
    for (std::size_t k = 0; k < gradient.coef.size(); ++k)
      close_to(gradient.coef[k], item->at("dz_dcoef").at(i).at(k));
  }
}

TEST_CASE("golden/kaem/mixture: density, score and gradients of its mean log density") {
  const Json* item = golden::field("kaem", "mixture");
  if (!item) return;
  PriorValues values = golden_mixture(*item);
  values.energies.form.nodes = 1000;
  const std::vector<double> z = numbers(item->at("z"));
  EnergyMomentsOf<double> moments(values.energies, 0);
  moments.rebuild();
  const std::size_t components = moments.log_z().size();
  for (std::size_t p = 0; p < components; ++p)
    close_to(moments.log_z()[p], item->at("components").at(p).at("log_Z"));
  PriorDensity density(values, moments.log_z());
  std::vector<double> log_p(z.size()), slopes(z.size());
  density(z, log_p, slopes);
  for (std::size_t i = 0; i < z.size(); ++i) {
    close_to(log_p[i], item->at("log_density").at(i));
    close_to(slopes[i], item->at("score_dlogp_dz").at(i));
  }
  PriorGradient gradient(values.form);
  SignalSpaceOf<double> space;
  const std::vector<double> mean(z.size(), 1 / static_cast<double>(z.size()));
  add_score_gradient(values, moments, {z, mean}, gradient, space);
  const std::size_t k = gradient.energies.coef.size() / components;
  std::vector<double> alpha(components);
  values.weights(0, alpha);
  for (std::size_t p = 0; p < components; ++p) {
    close_to(alpha[p], item->at("alpha").at(p));
    close_to(gradient.alpha_logits[p], item->at("grad_mean_logp_wrt_logits").at(p));
    for (std::size_t j = 0; j < k; ++j)
      close_to(gradient.energies.coef[p * k + j], item->at("grad_mean_logp_wrt_coef").at(p).at(j));
    for (std::size_t i = 0; i < z.size(); ++i)
      close_to(space.weights[p * z.size() + i] / mean[i], item->at("responsibilities").at(i).at(p));
  }
}

TEST_CASE("golden/kaem/mixture: components chosen and samples from given uniforms") {
  const Json* item = golden::field("kaem", "mixture");
  if (!item) return;
  const std::vector<double> alpha = numbers(item->at("exact_alpha")),
                            ties = numbers(item->at("exact_u"));
  for (std::size_t i = 0; i < ties.size(); ++i)
    CHECK(choose_component(alpha, ties[i]) == item->at("exact_selected").at(i).integer());
  const PriorValues values = golden_mixture(*item);
  Workers workers(1);
  const PriorComponents components(values, {}, workers);
  const std::vector<double> u_mix = numbers(item->at("u_mix")), u = numbers(item->at("u"));
  PriorDraws draws;
  DrawSpace space;
  resize_draws(values.form, std::ssize(u), draws);
  for (std::size_t i = 0; i < u.size(); ++i) {
    draws.u[2 * i] = u_mix[i];
    draws.u[2 * i + 1] = u[i];
  }
  draw_feature(components, 0, draws, space);
  for (std::size_t i = 0; i < u.size(); ++i) {
    CHECK(draws.component[i] == item->at("selected").at(i).integer());
    close_to(draws.z[i], item->at("sample_exact").at(i));
  }
}

}  // namespace logpx::kaem_prior_test
