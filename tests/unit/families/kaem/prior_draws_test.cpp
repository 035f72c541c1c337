// Samples of priors and normal scores.   [kaem/README 4]
#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/kaem/prior/prior_components.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/model/prior.hpp"
#include "tests/support/energy_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace logpx::prior_draws_test {

using namespace logpx::kaem;

namespace {

PriorValues random_prior(PriorKind kind, Coupling coupling, double size = 0.8) {
  PriorForm form(kind, 3, 5);
  form.coupling = coupling;
  form.energies.curves.intervals = 8;
  PriorValues values(form);
  randomise(values, size);
  return values;
}

PriorDraws drawn(const PriorValues& values, Inversion method, std::int64_t first,
                 std::int64_t count, Workers& workers) {
  PriorDraws draws;
  resize_draws(values.form, count, draws);
  prior_uniforms(values.form, Rng(4).stream(Stream::prior_samples), first, draws.u);
  workers.run(values.form.features(), [&](std::int64_t feature) {
    EnergyTablesOf<double> tables(values.energies, feature, method);
    DrawSpace space;
    draw_feature(values, tables, draws, space);
  });
  return draws;
}

// sqrt(n) max |F_n - F|: above 2.2253 with probability 1e-4.
double deviation(const PanelCdf& target, std::vector<double> z) {
  std::ranges::sort(z);
  const auto n = static_cast<double>(z.size());
  double largest = 0;
  for (std::size_t i = 0; i < z.size(); i += 50) {  // F of every fiftieth
    const double f = target.cdf(z[i]), rank = static_cast<double>(i);
    largest = std::max({largest, std::fabs(rank / n - f), std::fabs((rank + 1) / n - f)});
  }
  return largest * std::sqrt(n);
}

std::vector<double> row(const PriorDraws& draws, std::size_t number) {
  const auto n = static_cast<std::ptrdiff_t>(draws.count);
  const auto begin = draws.z.begin() + static_cast<std::ptrdiff_t>(number) * n;
  return {begin, begin + n};
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

std::vector<std::size_t> ranks(const std::vector<double>& z) {
  std::vector<std::size_t> order(z.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return z[i]; });
  return order;
}

}  // namespace

TEST_CASE("kaem 14.1: samples of five components follow their densities") {
  Workers workers(2);
  const PriorValues values = random_prior(PriorKind::univariate, Coupling::independent);
  for (const Inversion method : {Inversion::exact, Inversion::hermite}) {
    const PriorDraws draws = drawn(values, method, 0, 100000, workers);
    for (std::int64_t q = 0; q < 5; ++q) {
      const Component c{q, q % 3};
      const PanelCdf target(component_density(values, c));
      CHECK(deviation(target, row(draws, at(c.p * 5 + c.q))) < 2.2253);
    }
  }
}

TEST_CASE("kaem 14.1: shared uniforms give one order to all q, independent ones no correlation") {
  Workers workers(2);
  const PriorDraws shared = drawn(random_prior(PriorKind::univariate, Coupling::shared),
                                  Inversion::hermite, 0, 10000, workers);
  const PriorDraws independent = drawn(random_prior(PriorKind::univariate, Coupling::independent),
                                       Inversion::hermite, 0, 10000, workers);
  for (std::size_t p = 0; p < 3; ++p) {
    CHECK(ranks(row(shared, p * 5)) == ranks(row(shared, p * 5 + 1)));
    CHECK(std::fabs(correlation(row(independent, p * 5), row(independent, p * 5 + 1))) <
          5 / std::sqrt(10000.0));
  }
  CHECK(std::fabs(correlation(row(shared, 0), row(shared, 5))) < 5 / std::sqrt(10000.0));
}

TEST_CASE("kaem: a mixture draws components by their weights, and follows their sum") {
  Workers workers(2);
  const PriorValues values = random_prior(PriorKind::mixture, Coupling::independent);
  const PriorDraws draws = drawn(values, Inversion::hermite, 0, 100000, workers);
  const std::vector<double> log_z = log_normalisers(values.energies, workers);
  for (std::int64_t q = 0; q < 5; ++q) {
    std::vector<double> alpha(3);
    values.weights(q, alpha);
    for (std::int32_t p = 0; p < 3; ++p) {
      const auto begin = draws.component.begin() + q * 100000;
      const auto hits = static_cast<double>(std::count(begin, begin + 100000, p));
      const double weight = alpha[at(p)];
      CHECK(std::fabs(hits - 1e5 * weight) < 5 * std::sqrt(1e5 * weight * (1 - weight)));
    }
    const PanelCdf target(mixture_density(values, q, log_z));
    CHECK(std::fabs(target.log_total()) < 1e-10);
    CHECK(deviation(target, row(draws, at(q))) < 2.2253);
  }
}

TEST_CASE("kaem: a removed component is never chosen, and the others share its weight") {
  Workers workers(1);
  PriorValues values = random_prior(PriorKind::mixture, Coupling::independent);
  values.energies.mask[1] = CurveMask::removed;
  std::vector<double> alpha(3);
  values.weights(0, alpha);
  CHECK(alpha[1] == 0);
  CHECK(alpha[0] + alpha[2] == doctest::Approx(1).epsilon(1e-15));
  const PriorDraws draws = drawn(values, Inversion::hermite, 0, 1000, workers);
  CHECK(std::count(draws.component.begin(), draws.component.begin() + 1000, 1) == 0);
  CHECK(choose_component(std::vector<double>{0, 0.5, 0.5, 0}, 0) == 1);
  CHECK(choose_component(std::vector<double>{0, 0.5, 0.5, 0}, 1) == 2);
}

TEST_CASE("kaem 14.14: a sample depends on its number, not on range or threads") {
  for (const PriorKind kind : {PriorKind::univariate, PriorKind::mixture}) {
    const PriorValues values = random_prior(kind, Coupling::independent);
    Workers one(1), three(3);
    const PriorDraws whole = drawn(values, Inversion::hermite, 0, 100, one);
    const PriorDraws part = drawn(values, Inversion::hermite, 37, 20, three);
    std::vector<double> rows(whole.z.size()), some(part.z.size());
    latent_rows(values.form, whole, rows);
    latent_rows(values.form, part, some);
    const auto begin = rows.begin() + 37 * values.form.z_dims();
    CHECK(std::equal(some.begin(), some.end(), begin));
  }
}

TEST_CASE("kaem: latents of the generator are sums over p, of a mixture z itself") {
  Workers workers(1);
  for (const PriorKind kind : {PriorKind::univariate, PriorKind::mixture}) {
    const PriorValues values = random_prior(kind, Coupling::shared);
    const PriorDraws draws = drawn(values, Inversion::hermite, 0, 9, workers);
    std::vector<double> rows(draws.z.size());
    std::vector<float> sums(9 * 5);
    latent_rows(values.form, draws, rows);
    latent_sums(values.form, draws, sums);
    const std::size_t parts = rows.size() / sums.size();
    for (std::size_t k = 0; k < sums.size(); ++k) {
      double sum = 0;
      for (std::size_t p = 0; p < parts; ++p) sum += rows[k * parts + p];
      CHECK(sums[k] == doctest::Approx(sum).epsilon(1e-6));
    }
  }
}

TEST_CASE("kaem 14.2: normalisers by fixed nodes are those of adaptive panels, kinks and all") {
  Workers workers(1);
  for (const Activation activation :
       {Activation::none, Activation::relu, Activation::leaky_relu, Activation::elu,
        Activation::tanh, Activation::sigmoid, Activation::silu, Activation::gelu_erf}) {
    CAPTURE(static_cast<int>(activation));
    PriorForm form(PriorKind::univariate, 1, 3);
    form.energies.base = BaseMeasure::none;
    form.energies.activation = activation;
    form.energies.low = -1;
    form.energies.high = 2;
    PriorValues values(form);
    randomise(values, 0.8);
    const std::vector<double> log_z = log_normalisers(values.energies, workers);
    for (std::int64_t q = 0; q < 3; ++q)
      CHECK(std::fabs(log_z[at(q)] - PanelCdf(component_density(values, {q, 0})).log_total()) <
            1e-10);
  }
}

TEST_CASE("kaem 5.6: normal scores are Phi^-1(F(z)), with dz/dv = phi(v)/p(z)") {
  Workers workers(2);
  for (const Coupling coupling : {Coupling::shared, Coupling::independent})
    for (const PriorKind kind : {PriorKind::univariate, PriorKind::mixture}) {
      const PriorValues values = random_prior(kind, coupling);
      const NormalScores scores = normal_scores(values, workers);
      REQUIRE(scores.dims() == values.form.score_dims());
      const std::size_t dims = at(scores.dims()), width = at(scores.z_dims());
      std::vector<float> v(2 * dims), back(2 * dims);
      DrawCursor draws(Rng(2).stream(Stream::test, 1));
      for (float& x : v) x = static_cast<float>(2 * draws.normal());
      std::vector<double> z(2 * width), slopes(2 * width);
      scores.to_z(v, z, slopes);
      const std::vector<double> log_z = log_normalisers(values.energies, workers);
      for (std::size_t k = 0; k < width; ++k) {
        const auto number = static_cast<std::int64_t>(k);
        const PanelCdf target(kind == PriorKind::mixture
                                  ? mixture_density(values, number, log_z)
                                  : component_density(values, {number / 3, number % 3}));
        const double score = static_cast<double>(v[k % dims]);
        CHECK(std::fabs(target.cdf(z[k]) - det_ndtr(score)) < 1e-10);
        const double slope = std::exp(-score * score / 2 - target.log_density(z[k])) /
                             std::sqrt(2 * std::numbers::pi);
        CHECK(slopes[k] == doctest::Approx(slope).epsilon(1e-5));
      }
      scores.from_z(z, back);
      for (std::size_t k = 0; k < v.size(); ++k)
        CHECK(back[k] == doctest::Approx(v[k]).epsilon(1e-5));
      // sum of a z over all numbers, by v
      const std::vector<double> a = {1.0, -0.5, 2.0};
      std::vector<double> dz(2 * width);
      for (std::size_t k = 0; k < dz.size(); ++k) dz[k] = a[k % 3];
      std::vector<float> dv(2 * dims);
      scores.pull_back(dz, slopes, dv);
      for (std::size_t d = 0; d < dims; ++d) {
        double sum = 0;
        for (std::size_t k = d; k < width; k += dims) sum += slopes[k] * dz[k];
        CHECK(dv[d] == doctest::Approx(sum).epsilon(1e-6));
      }
    }
}

TEST_CASE("kaem: tables that curves of a feature make together are those that each makes alone") {
  Workers workers(2);
  for (const std::int64_t intervals : {10, 11}) {
    const PriorValues values = random_prior(PriorKind::univariate, Coupling::shared);
    const InversionOptions options{.method = Inversion::hermite, .nodes = intervals};
    const std::vector<InverseCdf> together = latent_inverses(values, options, workers);
    const PriorComponents alone(values, options, workers);
    const std::vector<double> u = {0, 0.01, 0.3, 0.5, 0.8, 1};
    std::vector<double> z(u.size()), slopes(u.size());
    for (std::size_t k = 0; k < together.size(); ++k) {
      const auto number = static_cast<std::int64_t>(k);
      const InverseCdf& other = alone.inverse({number / 3, number % 3});
      CHECK(together[k].log_total() == other.log_total());
      together[k].quantiles(u, z);
      together[k].slopes(u, z, slopes);
      for (std::size_t i = 0; i < u.size(); ++i) {
        CHECK(z[i] == other.quantile(u[i]));
        CHECK(slopes[i] == doctest::Approx(other.slope(u[i])).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("kaem 5.6: normal scores keep rising in both tails") {
  Workers workers(1);
  const PriorValues values = random_prior(PriorKind::univariate, Coupling::shared, 0);
  const NormalScores scores = normal_scores(values, workers);
  std::vector<double> low(15), high(15);
  for (float v = 4; v < 5.5F; v += 0.01F) {
    const std::vector<float> below(3, -v), above(3, v), next(3, v + 0.01F);
    std::vector<double> later(15);
    scores.to_z(below, low, {});
    scores.to_z(above, high, {});
    scores.to_z(next, later, {});
    for (std::size_t k = 0; k < 15; ++k) CHECK(later[k] > high[k]);
  }
}

TEST_CASE("kaem: normalisers shift with their energies, by a thousand and back") {
  Workers workers(1);
  PriorValues values = random_prior(PriorKind::univariate, Coupling::shared, 0.3);
  const std::vector<double> before = log_normalisers(values.energies, workers);
  // silu has no constant: wide bumps together make one
  values.energies.rho = 3;
  for (double& x : values.energies.w_spline) x = 1;
  for (double& x : values.energies.coef) x = 0;
  const std::vector<double> flat = log_normalisers(values.energies, workers);
  for (double& x : values.energies.coef) x = 110;
  const std::vector<double> high = log_normalisers(values.energies, workers);
  for (std::size_t k = 0; k < before.size(); ++k) {
    CHECK(std::isfinite(before[k]));
    CHECK(high[k] - flat[k] > 500);
    const Component c{static_cast<std::int64_t>(k) % 5, static_cast<std::int64_t>(k) / 5};
    const PanelCdf exact(component_density(values, c));
    CHECK(exact.log_total() == doctest::Approx(high[k]).epsilon(1e-10));
  }
}

TEST_CASE("kaem: an energy that rises too far is a numeric error of its component") {
  PriorValues values = random_prior(PriorKind::univariate, Coupling::shared);
  values.energies.coef[at((1 * 5 + 2) * 9) + 3] = 1e6;  // feature 1, curve 2
  EnergyTablesOf<double> tables(values.energies, 1, Inversion::hermite);
  EnergyMomentsOf<double> moments(values.energies, 1);
  Workers workers(1);
  const auto says = [](auto run) {
    try {
      run();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::numeric);
      return error.subject();
    }
    return std::string();
  };
  const std::string name = "the prior's component (2,1)";
  CHECK(says([&] { tables.rebuild(); }) == name);
  CHECK(says([&] { moments.rebuild(); }) == name);
  CHECK(says([&] { PriorComponents(values, {}, workers); }) == name);
  values.energies.coef[at((1 * 5 + 2) * 9) + 3] = NAN;
  CHECK(says([&] { moments.rebuild(); }) == name);
}

TEST_CASE("kaem: parameters go into doubles and gradients come back in their layout") {
  PriorForm form(PriorKind::mixture, 2, 3);
  form.energies.base = BaseMeasure::learnable_gaussian;
  form.weights = MixtureWeights::learned;
  form.energies.curves.intervals = 4;
  ParamSet params;
  Initialisers initialisers;
  const PriorTensors tensors(Site(params, initialisers) / "prior", form);
  PriorConstants constants(form);
  for (std::size_t i = 0; i < params.block().size(); ++i)
    params.block()[i] = static_cast<float>(i) / 64;
  constants.mask[4] = static_cast<std::uint8_t>(CurveMask::flat);
  PriorValues values(form);
  values.take(tensors, {params, params.block()}, constants);
  CHECK(params.find("prior/alpha_logits") == *tensors.alpha_logits);
  CHECK(values.energies.coef[7] == static_cast<double>(params.view(tensors.coef)[7]));
  CHECK(values.alpha_logits[5] == static_cast<double>(params.view(*tensors.alpha_logits)[5]));
  CHECK(values.energies.mask[4] == CurveMask::flat);
  PriorGradient gradient(form);
  gradient.energies.base_mean = {1, 2, 30, 40, 500, 600};  // [Q,P]
  gradient.energies.rho = {1, 10, 100};
  gradient.energies.coef[7] = 3;
  std::vector<float> block(params.block().size());
  gradient.add_to(tensors, params, -2, block);
  CHECK(params.view(*tensors.base_mean, std::span(block))[0] == -2 * 531);
  CHECK(params.view(*tensors.base_mean, std::span(block))[1] == -2 * 642);
  CHECK(params.view(*tensors.rho, std::span(block))[0] == -222);
  CHECK(params.view(tensors.coef, std::span(block))[7] == -6);
}

}  // namespace logpx::prior_draws_test
