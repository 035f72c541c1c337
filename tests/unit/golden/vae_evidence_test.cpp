// Evidence, chains, gradients of integrals and diagnostics against tests/golden/vae.json.
#include "libcore/det/draws.hpp"
#include "libcore/eval/evidence.hpp"
#include "libcore/eval/gap.hpp"
#include "libcore/eval/gradient_study.hpp"
#include "libcore/eval/log_weights.hpp"
#include "libcore/eval/reciprocal.hpp"
#include "libcore/math/hmc.hpp"
#include "libcore/math/quadrature.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/latent_models.hpp"
#include "tests/support/plans.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace logpx::vae_evidence_test {

using testing::numbers;

namespace {

doctest::Approx near(const Json& value, double relative = 1e-10) {
  return doctest::Approx(golden::real(value)).epsilon(relative);
}

// log p(x_0, z) under the decoder of wake_sleep, in floats.
ChainDensity first_posterior(const testing::TinyBernoulli& model, const Rows& rows) {
  const std::vector<double> x = model.example(rows, 0);
  return [&model, x](std::span<const float> z, std::span<double> log_density,
                     std::span<float> gradient) {
    const auto dims = static_cast<std::size_t>(model.dims());
    for (std::size_t c = 0; c < log_density.size(); ++c) {
      std::vector<double> own, slope(dims);
      for (std::size_t d = 0; d < dims; ++d) own.push_back(static_cast<double>(z[c * dims + d]));
      log_density[c] = model.log_likelihood(x, own, slope);
      for (std::size_t d = 0; d < dims; ++d) {
        log_density[c] -= (std::log(2 * std::numbers::pi) + own[d] * own[d]) / 2;
        gradient[c * dims + d] = static_cast<float>(slope[d] - own[d]);
      }
    }
  };
}

std::vector<float> floats(const Json& nested) {
  const std::vector<double> values = numbers(nested);
  return {values.begin(), values.end()};
}

// Over the examples, since each has only two halves.
double error_of(const Scores& scores) {
  double squares = 0;
  for (const double error : scores.mc_std_error)
    squares += error * error / static_cast<double>(scores.mc_std_error.size());
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("golden/vae/iwae") {
  const Json* item = golden::field("vae", "iwae");
  if (!item) return;
  const auto& rows = item->at("log_weights").items();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> row = numbers(rows[i]);
    LogWeights weights;
    HalvedWeights halves(std::ssize(row));
    for (const double weight : row) {
      weights.add(weight);
      halves.add(weight);
    }
    CHECK(weights.log_mean() == near(item->at("iwae").at(i)));
    CHECK(halves.all().log_mean() == near(item->at("iwae").at(i)));
    CHECK(weights.mean_log() == near(item->at("elbo").at(i)));
    CHECK(weights.sample_size() == near(item->at("ess").at(i)));
    for (std::size_t k = 0; k < row.size(); ++k)
      CHECK(weights.share(row[k]) == near(item->at("normalized_weights").at(i).at(k)));
  }
}

TEST_CASE("golden/vae/hmc") {
  const Json* item = golden::field("vae", "hmc");
  const Json* tiny = golden::field("vae", "wake_sleep");
  if (!item || !tiny) return;
  const testing::TinyBernoulli model(tiny->at("params"));
  const ChainDensity density =
      first_posterior(model, testing::rows_of(model.info().data, tiny->at("x")));
  const double step = golden::real(item->at("step"));
  const std::vector<double> steps(item->at("z0").size(), step);
  const Trajectory trajectory{static_cast<int>(item->at("leapfrog_steps").integer()), steps};

  const ChainStates start = start_chains(floats(item->at("z0")), model.dims(), density);
  CHECK(start.log_density[0] == near(item->at("log_joint_0"), 2e-5));
  const std::vector<double> gradient = numbers(item->at("grad_log_joint_0"));
  for (std::size_t d = 0; d < gradient.size(); ++d)
    CHECK(static_cast<double>(start.gradient[d]) == doctest::Approx(gradient[d]).epsilon(2e-4));
  ChainStates states = start;
  std::vector<float> v = floats(item->at("v0"));
  leapfrog(states, v, density, trajectory);
  const std::vector<double> z1 = numbers(item->at("z1")), v1 = numbers(item->at("v1"));
  for (std::size_t e = 0; e < z1.size(); ++e) {
    CHECK(static_cast<double>(states.z[e]) == doctest::Approx(z1[e]).epsilon(2e-5));
    CHECK(static_cast<double>(v[e]) == doctest::Approx(v1[e]).epsilon(2e-5));
  }
  CHECK(states.log_density[0] == near(item->at("log_joint_1"), 2e-5));
  double delta = states.log_density[0] - start.log_density[0];
  const std::vector<double> v0 = numbers(item->at("v0"));
  for (std::size_t e = 0; e < v0.size(); ++e)
    delta += (v0[e] * v0[e] - static_cast<double>(v[e]) * static_cast<double>(v[e])) / 2;
  CHECK(std::abs(delta - golden::real(item->at("delta"))) < 1e-5);
  CHECK(std::abs(std::min(0.0, delta) - golden::real(item->at("log_accept"))) < 1e-5);

  // Reversible: the same number of steps with -v leads back.
  for (float& x : v) x = -x;
  leapfrog(states, v, density, trajectory);
  for (std::size_t e = 0; e < z1.size(); ++e) CHECK(std::abs(states.z[e] - start.z[e]) < 1e-4);
}

TEST_CASE("golden/vae/tiny_evidence_quadrature") {
  const Json* item = golden::field("vae", "tiny_evidence_quadrature");
  const Json* tiny = golden::field("vae", "wake_sleep");
  if (!item || !tiny) return;
  const testing::TinyBernoulli model(tiny->at("params"));
  const Rows rows = testing::rows_of(model.info().data, item->at("x"));
  const Examples examples{model.info().data, rows};
  const LatentBlock block{model, examples, Rng(1)};
  const std::vector<double> truth = numbers(item->at("log_evidence"));

  SUBCASE("quadrature") {
    const Scores scores = quadrature(block, {.nodes = 160});
    for (std::size_t i = 0; i < truth.size(); ++i) {
      CHECK(scores.nats[i] == doctest::Approx(truth[i]).epsilon(2e-5));
      CHECK(scores.facts[0].second[i] < 1e-6);
    }
    const Scores few = quadrature(block, {.nodes = 24, .chunk = 7});
    for (std::size_t i = 0; i < truth.size(); ++i) CHECK(std::abs(few.nats[i] - truth[i]) < 1e-4);
  }
  SUBCASE("annealed importance sampling from the prior") {
    const Scores scores = ais(block, {.steps = 100, .chains = 64});
    for (std::size_t i = 0; i < truth.size(); ++i) {
      CHECK(std::abs(scores.nats[i] - truth[i]) < 4 * error_of(scores) + 0.02);
      CHECK(scores.facts[1].second[i] > 0.5);
    }
    CHECK(scores.kind == Bound::stochastic_lower_bound);
  }
  SUBCASE("the reciprocal estimator") {
    const Scores scores = reciprocal(block, {.fit_samples = 400, .samples = 400, .repeats = 8});
    for (std::size_t i = 0; i < truth.size(); ++i)
      CHECK(std::abs(scores.nats[i] - truth[i]) < 4 * error_of(scores) + 0.02);
  }
}

TEST_CASE("golden/vae/reciprocal_evidence") {
  const Json* item = golden::field("vae", "reciprocal_evidence");
  if (!item) return;
  const auto& samples = item->at("fit_samples").items();
  const std::vector<double> points = numbers(item->at("fit_samples"));
  const std::int64_t dims = std::ssize(points) / std::ssize(samples);
  const FittedDensity fit(points, dims, {.kind = FitKind::diag, .ridge = 0, .shrink = 1});
  const std::vector<double> mean = numbers(item->at("fit_mean"));
  for (std::size_t d = 0; d < mean.size(); ++d) CHECK(fit.mean()[d] == doctest::Approx(mean[d]));
  std::vector<double> log_q;
  for (const Json& z : item->at("eval_samples").items())
    log_q.push_back(fit.log_density(numbers(z)));
  for (std::size_t l = 0; l < log_q.size(); ++l) CHECK(log_q[l] == near(item->at("log_q").at(l)));
  CHECK(reciprocal_estimate(log_q, numbers(item->at("log_joint"))) ==
        near(item->at("log_evidence_estimate")));
}

TEST_CASE("golden/vae/ppca") {
  const Json* item = golden::field("vae", "ppca");
  if (!item) return;
  const Json& w = item->at("W");
  const std::int64_t dims = std::ssize(w.items().front().items());
  const testing::LinearGaussian model(
      {numbers(w), numbers(item->at("b")), golden::real(item->at("sigma2"))}, dims);
  const Rows rows = testing::rows_of(model.info().data, item->at("x"));
  const Examples examples{model.info().data, rows};
  const LatentBlock block{model, examples, Rng(3)};
  const Scores exact = testing::score_with(abilities(model), examples, Rng(1));
  const Posterior q = model.encode(examples);
  const std::vector<double> mean = numbers(item->at("posterior_mean")),
                            variance = numbers(item->at("best_diagonal_q_var"));
  for (std::size_t e = 0; e < mean.size(); ++e) {
    CHECK(static_cast<double>(q.mean[e]) == doctest::Approx(mean[e]).epsilon(1e-5));
    CHECK(std::exp(static_cast<double>(q.log_var[e])) ==
          doctest::Approx(variance[e % variance.size()]).epsilon(1e-5));
  }
  const std::vector<double> elbo = elbo_of(block, q, 4000);
  const Scores around = quadrature(block, {.around = Proposal::posterior});
  const Scores bound = iwae(block, {.samples = 2000});
  const Scores annealed = ais(block, {.steps = 60, .chains = 16, .from = Proposal::posterior});
  for (std::size_t i = 0; i < exact.nats.size(); ++i) {
    CHECK(exact.nats[i] == near(item->at("log_evidence").at(i), 1e-6));
    CHECK(around.nats[i] == near(item->at("log_evidence").at(i), 1e-5));
    // Single draws of log p(x,z) - log q have variance 2 * elbo_gap at most here: 4 errors.
    CHECK(std::abs(elbo[i] - golden::real(item->at("best_diagonal_elbo").at(i))) < 0.03);
    CHECK(std::abs(bound.nats[i] - exact.nats[i]) < 4 * error_of(bound) + 0.02);
    CHECK(std::abs(annealed.nats[i] - exact.nats[i]) < 4 * error_of(annealed) + 0.02);
  }
}

TEST_CASE("golden/vae/gradient_estimators_quadratic") {
  const Json* cases = golden::field("vae", "gradient_estimators_quadratic");
  if (!cases) return;
  for (const Json& item : cases->items()) {
    const ToyStudy toy{.mu = golden::real(item.at("mu")),
                       .sigma = golden::real(item.at("sigma")),
                       .a = golden::real(item.at("a")),
                       .offset = 0,
                       .num = 20,
                       .repeats = 3'000'000};
    const auto studied = study_toy(toy, Rng(7));
    REQUIRE(studied.size() == 4);
    for (const ToyEstimator& e : studied) {
      CAPTURE(e.estimator);
      CAPTURE(e.parameter);
      CHECK(e.truth == near(item.at("true_d" + e.parameter)));
      CHECK(e.exact_variance == near(item.at("var_" + e.estimator + "_d" + e.parameter)));
      // The score's fourth moments are large: at 10^5 draws 5 % would be about one standard error.
      CHECK(e.variance == doctest::Approx(e.exact_variance).epsilon(0.05));
      const double error = std::sqrt(e.variance / static_cast<double>(toy.repeats));
      CHECK(std::abs(e.mean - e.truth) < 4 * error);
    }
    double value = 0;
    const Integrand f = quadratic(toy);
    const NormalQuadrature rule = normal_quadrature(3);
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      value += std::exp(rule.log_weights[i]) * f.value(toy.mu + toy.sigma * rule.nodes[i]);
    CHECK(value == near(item.at("value")));
  }
}

TEST_CASE("golden/vae/bernoulli_1d_quadrature") {
  const Json* cases = golden::field("vae", "bernoulli_1d_quadrature");
  if (!cases) return;
  for (const Json& item : cases->items()) {
    const double mu = golden::real(item.at("mu")), sigma = golden::real(item.at("sigma")),
                 w = golden::real(item.at("w")), b = golden::real(item.at("b")),
                 x = golden::real(item.at("x"));
    const Integrand f{[=](double z) {
                        const double o = w * z + b;
                        return x * o - std::max(o, 0.0) - std::log1p(std::exp(-std::abs(o)));
                      },
                      [=](double z) { return w * (x - 1 / (1 + std::exp(-(w * z + b)))); }};
    const NormalQuadrature rule = normal_quadrature(100);
    double value = 0, to_mu = 0, to_sigma = 0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      const GradientDraw draw = draw_gradient(f, mu, sigma, rule.nodes[i]);
      const double weight = std::exp(rule.log_weights[i]);
      value += weight * f.value(mu + sigma * rule.nodes[i]);
      to_mu += weight * draw.pathwise_mu;
      to_sigma += weight * draw.pathwise_sigma;
    }
    CHECK(value == near(item.at("expected_logp")));
    CHECK(to_mu == near(item.at("d_dmu")));
    CHECK(to_sigma == near(item.at("d_dsigma")));

    std::vector<double> draws[4];
    const Substream noise = Rng(5).stream(Stream::evaluation);
    for (std::uint64_t r = 0; r < 20'000; ++r) {
      const GradientDraw draw = draw_gradient(f, mu, sigma, normal_at(noise, r));
      draws[0].push_back(draw.pathwise_mu);
      draws[1].push_back(draw.pathwise_sigma);
      draws[2].push_back(draw.score_mu);
      draws[3].push_back(draw.score_sigma);
    }
    for (std::size_t e = 0; e < 4; ++e) {
      const Estimate mean = mean_of(draws[e], Bound::estimate);
      CHECK(std::abs(mean.value - (e % 2 == 0 ? to_mu : to_sigma)) < 4 * *mean.std_error);
    }
  }
}

TEST_CASE("golden/vae/active_units") {
  const Json* item = golden::field("vae", "active_units");
  if (!item) return;
  const auto& means = item->at("posterior_means").items();
  Posterior q{.count = std::ssize(means),
              .dims = std::ssize(means.front().items()),
              .mean = floats(item->at("posterior_means"))};
  q.log_var.resize(q.mean.size(), -3);
  const LatentFacts facts = latent_facts(q, Rng(1));
  for (std::size_t d = 0; d < facts.activity.size(); ++d)
    CHECK(facts.activity[d] == near(item->at("variances").at(d), 1e-6));
  CHECK(facts.active == item->at("active").integer());
}

TEST_CASE("golden/vae/bits_per_dim") {
  const Json* item = golden::field("vae", "bits_per_dim");
  if (!item) return;
  const Estimate nats{.value = golden::real(item->at("logp_nats")), .kind = Bound::lower_bound};
  const Estimate bits = bits_per_dim(nats, item->at("dims").integer(), 0);
  CHECK(bits.value == near(item->at("bpd")));
  CHECK(bits.unit == "bits/dim");
}

}  // namespace logpx::vae_evidence_test
