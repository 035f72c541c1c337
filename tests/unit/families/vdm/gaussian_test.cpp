// Scores of diffusion models of Gaussian data, where all of them have closed forms.
// [spec/vdm.md section 12 B to D]
#include "libcore/families/vdm/flow/probability_flow.hpp"
#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/families/vdm/reconstruction.hpp"
#include "libcore/families/vdm/scoring/elbo_scoring.hpp"
#include "libcore/families/vdm/scoring/flow_scoring.hpp"
#include "libcore/families/vdm/scoring/time_points.hpp"
#include "libcore/families/vdm/scoring/trajectory_scoring.hpp"
#include "tests/support/gauss_diffusion.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace logpx::gaussian_test {

using namespace logpx::vdm;
using gauss_diffusion::GaussDiffusion;

namespace {

const double log_two_pi = std::log(2 * std::numbers::pi);

std::vector<double> numbers(const Json& list) { return golden_layer::tensor(list).data; }

bool agree(double computed, double expected, double tolerance = 1e-9) {
  return std::abs(computed - expected) <= tolerance * std::abs(expected) + 1e-12;
}

NoiseSchedule schedule_of(CurveKind kind, Endpoints ends) {
  return {make_curve({.kind = kind}, {}), ends};
}

// E ||eps - eps_hat||^2 of one component given x; eps - eps_hat is normal with these.
struct ErrorAt {
  double mean2, variance;
  ErrorAt(double lambda, double x, double gamma) {
    const double v = std::exp(-gamma), whole = 1 + v * lambda;
    mean2 = v * x * x / (whole * whole);
    variance = v * lambda / whole * (v * lambda / whole);
  }
  [[nodiscard]] double first() const { return mean2 + variance; }
  [[nodiscard]] double second() const {
    return mean2 * mean2 + 6 * mean2 * variance + 3 * variance * variance;
  }
};

// By the midpoint rule, in u = t^(1/4) to reach into steep beginnings and, mirrored, ends.
double quadrature(const std::function<double(double)>& f) {
  constexpr int nodes = 20000;
  double sum = 0;
  for (int i = 0; i < nodes; ++i) {
    const double u = (i + 0.5) / nodes;
    sum += f(u);
  }
  return sum / nodes;
}

double discrete_term(const TimeIntegral& steps, double lambda, double x) {
  double sum = 0;
  for (std::int64_t i = 1; i <= steps.steps(); ++i) {
    const TimePoint point = steps.step(i);
    sum += point.weight * ErrorAt(lambda, x, point.gamma).first();
  }
  return sum / static_cast<double>(steps.steps());
}

// The variance of z_0 under the model of these steps.
double variance_of_first(std::span<const double> gammas, double lambda) {
  const Process process;
  double variance = 1;
  for (std::size_t i = gammas.size() - 1; i > 0; --i) {
    const Transition step = transition(process.at(gammas[i - 1]), process.at(gammas[i]));
    const double factor =
        step.mean_by_noise(1, step.t.sigma / (step.t.alpha2 * lambda + step.t.sigma2));
    variance = factor * factor * variance + step.deviation * step.deviation;
  }
  return variance;
}

double normal_nats(double x, double variance) {
  return 0.5 * (log_two_pi + std::log(variance) + x * x / variance);
}

struct Golden {
  std::vector<double> lambda, x;
  Endpoints ends;
  explicit Golden(const Json& item)
      : lambda(numbers(item.at("lambda_"))),
        x(numbers(item.at("x"))),
        ends{golden::real(item.at("gamma_0")), golden::real(item.at("gamma_1"))} {}
};

void check_steps(const Golden& given, const Json& item, CurveKind kind, std::int64_t steps) {
  const NoiseSchedule schedule = schedule_of(kind, given.ends);
  const std::vector<double> gammas = uniform_grid(schedule, steps);
  const TimeIntegral integral(schedule, gammas);
  const Process process;
  double total = 0, exact = 0, exact_mean = 0, bound_mean = 0;
  for (std::size_t d = 0; d < given.lambda.size(); ++d) {
    CAPTURE(d);
    const double lambda = given.lambda[d], x = given.x[d];
    const double term = discrete_term(integral, lambda, x);
    CHECK(agree(term, golden::real(item.at("L_T_x").at(d)), 1e-8));
    const double mean_term = discrete_term(integral, lambda, std::sqrt(lambda));
    CHECK(agree(mean_term, golden::real(item.at("E_L_T").at(d)), 1e-8));
    const double variance = variance_of_first(gammas, lambda);
    CHECK(agree(variance, golden::real(item.at("model_var_z0").at(d))));
    const double of_x = variance / process.at(given.ends.first).alpha2 + std::exp(given.ends.first);
    total += term + Process::prior_nats(given.ends.last, x) + expected_real_nats(given.ends.first);
    bound_mean += mean_term + Process::prior_nats(given.ends.last, std::sqrt(lambda)) +
                  expected_real_nats(given.ends.first);
    exact += normal_nats(x, of_x);
    exact_mean += normal_nats(std::sqrt(lambda), of_x);
  }
  CHECK(agree(total, golden::real(item.at("neg_vlb_x")), 1e-8));
  CHECK(agree(bound_mean, golden::real(item.at("E_neg_vlb")), 1e-8));
  CHECK(agree(exact, golden::real(item.at("exact_nll_x"))));
  CHECK(agree(exact_mean, golden::real(item.at("E_exact_nll"))));
}

void check_flow(const Golden& given, const Json& item) {
  const std::vector<double> first = numbers(item.at("z_0")), last = numbers(item.at("z_1"));
  const gauss_diffusion::GaussPredictor predictor(given.lambda);
  const Denoiser denoiser(predictor, {});
  const ProbabilityFlow flow(denoiser, given.ends);
  for (const FlowSteps& steps : {FlowSteps{.count = 100}, FlowSteps{.tolerance = 1e-7}}) {
    CAPTURE(steps.tolerance);
    std::vector<double> z = last;
    flow.to_data(z, {}, steps);
    for (std::size_t d = 0; d < z.size(); ++d) CHECK(std::abs(z[d] - first[d]) <= 1e-4);
    const double expected = golden::real(item.at("log_p_ode_z0"));
    CHECK(std::abs(flow.log_density({.z = first}, steps)[0] - expected) <= 1e-4);
    // a slope without mixed terms has the same trace in every direction
    const std::vector<double> signs = {1, -1, -1, 1};
    CHECK(std::abs(flow.log_density({.z = first, .directions = signs}, steps)[0] - expected) <=
          1e-4);
  }
}

struct Mean {
  double value = 0, error = 0;
};
Mean mean_of_column(const std::vector<double>& values) {
  Mean mean;
  for (const double value : values) mean.value += value / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean.value) * (value - mean.value);
  const auto n = static_cast<double>(values.size());
  mean.error = std::sqrt(squares / (n - 1) / n);
  return mean;
}

// So many copies of a row, which differ in their noise.
std::vector<double> copies(const std::vector<double>& x, int count) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.insert(all.end(), x.begin(), x.end());
  return all;
}

void check_mean(const std::vector<double>& values, double expected) {
  const Mean mean = mean_of_column(values);
  CAPTURE(mean.value);
  CAPTURE(expected);
  CHECK(std::abs(mean.value - expected) <= 4 * mean.error + 1e-6 * std::abs(expected));
}

}  // namespace

TEST_CASE("golden/vdm/gaussian") {
  const Json* const item = golden::field("vdm", "gaussian");
  if (!item) return;
  const Golden given(*item);
  for (const Json& one : item->at("by_T").items()) {
    const std::int64_t steps = one.at("T").integer();
    CAPTURE(steps);
    check_steps(given, one.at("logsnr_linear"), CurveKind::linear, steps);
    check_steps(given, one.at("beta_linear"), CurveKind::beta_linear, steps);
  }
  check_flow(given, item->at("pf_ode"));
  double rest = 0;
  for (std::size_t d = 0; d < given.lambda.size(); ++d) {
    const double lambda = given.lambda[d];
    const auto u = [&](double gamma) { return 1 + lambda * std::exp(-gamma); };
    const double u0 = u(given.ends.first), u1 = u(given.ends.last);
    const double term =
        0.5 * (std::log(u0 / u1) + (given.x[d] * given.x[d] / lambda - 1) * (1 / u1 - 1 / u0));
    CHECK(agree(term, golden::real(item->at("L_inf_x").at(d))));
    CHECK(agree(0.5 * std::log(u0 / u1), golden::real(item->at("E_L_inf").at(d))));
    rest += term + Process::prior_nats(given.ends.last, given.x[d]);
    CHECK(
        agree(expected_real_nats(given.ends.first), golden::real(item->at("recon_nats_per_dim"))));
  }
  const auto dims = static_cast<double>(given.lambda.size());
  CHECK(agree(rest + dims * expected_real_nats(given.ends.first),
              golden::real(item->at("neg_vlb_x_inf"))));
}

TEST_CASE("golden/vdm/schedule_variance") {
  const Json* const item = golden::field("vdm", "schedule_variance");
  if (!item) return;
  const double lambda = golden::real(item->at("lambda_")), x = golden::real(item->at("x"));
  const Endpoints ends{golden::real(item->at("gamma_0")), golden::real(item->at("gamma_1"))};
  const auto root = [&](double gamma) { return std::sqrt(ErrorAt(lambda, x, gamma).second()); };
  const double whole = quadrature([&](double s) { return root(ends.first + ends.gap() * s); });
  const std::vector<double> gammas = numbers(item->at("optimal_density_gamma"));
  for (std::size_t i = 0; i < gammas.size(); ++i)
    CHECK(agree(root(gammas[i]) / (whole * ends.gap()),
                golden::real(item->at("optimal_density").at(i)), 1e-5));
  for (const Json& one : item->at("per_x").items()) {
    const std::string name = one.at("schedule").string();
    CAPTURE(name);
    const double mean_given = golden::real(one.at("mean_nats"));
    const double variance_given = golden::real(one.at("var_nats2"));
    if (name != "logsnr_linear" && name != "beta_linear" && name != "alpha_cosine") {
      const double half = 0.5 * whole * ends.gap();
      CHECK(agree(half * half - mean_given * mean_given, variance_given, 1e-5));
      continue;
    }
    const TimeIntegral integral(schedule_of(name == "logsnr_linear" ? CurveKind::linear
                                            : name == "beta_linear" ? CurveKind::beta_linear
                                                                    : CurveKind::alpha_cosine,
                                            ends));
    // both ends are met gently: t = u^2 (3 - 2 u)
    const auto over_time = [&](auto f) {
      return quadrature(
          [&](double u) { return 6 * u * (1 - u) * f(integral.at(u * u * (3 - 2 * u))); });
    };
    const double mean = over_time([&](const TimePoint& point) {
      return point.weight * ErrorAt(lambda, x, point.gamma).first();
    });
    const double square = over_time([&](const TimePoint& point) {
      return point.weight * point.weight * ErrorAt(lambda, x, point.gamma).second();
    });
    CHECK(agree(mean, mean_given, 1e-5));
    CHECK(agree(mean, golden::real(item->at("L_x")), 1e-5));
    CHECK(agree(square - mean * mean, variance_given, 1e-5));
  }
}

TEST_CASE("vdm: the bound of Gaussian data is its closed form within its error") {
  const std::vector<double> lambda = {0.9, 0.2}, x = {0.55, -0.3};
  const GaussDiffusion model({.lambda = lambda});
  const Rows rows = model.rows_of(copies(x, 400));
  const Examples examples{model.model_info().data, rows};
  for (const std::int64_t steps : {0, 3, 20, 200}) {
    CAPTURE(steps);
    const NoiseSchedule schedule = model.schedule();
    double term = 0, prior = 0;
    for (std::size_t d = 0; d < x.size(); ++d) {
      const double u0 = 1 + lambda[d] * std::exp(13.3), u1 = 1 + lambda[d] * std::exp(-5);
      term += steps > 0
                  ? discrete_term({schedule, uniform_grid(schedule, steps)}, lambda[d], x[d])
                  : 0.5 * (std::log(u0 / u1) + (x[d] * x[d] / lambda[d] - 1) * (1 / u1 - 1 / u0));
      prior += Process::prior_nats(5, x[d]);
    }
    const std::string timesteps = "timesteps=" + std::to_string(steps);
    for (const auto& words :
         {std::vector<std::string>{timesteps}, std::vector<std::string>{timesteps, "samples=6"}}) {
      const auto plan = make_elbo_scoring(model);
      const Scores scores = gauss_diffusion::score(*plan, words, examples);
      CHECK(scores.kind == Bound::stochastic_lower_bound);
      check_mean(scores.terms[1].second, term);
      CHECK(std::abs(scores.terms[2].second[0] - prior) <= 1e-6);
      CHECK(scores.terms[0].second[0] == doctest::Approx(-2 * expected_real_nats(-13.3)));
      for (std::size_t i = 0; i < scores.nats.size(); ++i)
        CHECK(scores.nats[i] ==
              doctest::Approx(scores.terms[0].second[i] - scores.terms[1].second[i] -
                              scores.terms[2].second[i]));
      // what a row says about its noise is, over many, how they scatter
      REQUIRE(scores.mc_std_error.size() == scores.nats.size());
      double squares = 0;
      for (const double error : scores.mc_std_error) squares += error * error;
      const double said = std::sqrt(squares / 400), seen = mean_of_column(scores.nats).error * 20;
      CHECK(said >= 0.75 * seen);
      if (steps != 3) CHECK(said <= 1.35 * seen);
    }
  }
}

TEST_CASE("vdm: the bound does not change with the schedule, its variance does") {
  const GaussDiffusion model({.lambda = std::vector<double>(64, 0.9)});
  std::vector<double> x(64);
  for (std::size_t d = 0; d < x.size(); ++d) x[d] = std::sin(static_cast<double>(d + 1)) * 1.3;
  const Rows rows = model.rows_of(copies(x, 64));
  const Examples examples{model.model_info().data, rows};
  std::vector<Mean> means;
  std::vector<double> variances;
  for (const char* word : {"linear", "beta-linear", "alpha-cosine"}) {
    const auto plan = make_elbo_scoring(model);
    const Scores scores =
        gauss_diffusion::score(*plan, {std::string("schedule=") + word, "variance=40"}, examples);
    means.push_back(mean_of_column(scores.nats));
    variances.push_back(mean_of_column(scores.facts[0].second).value);
    // spread over the rows of a batch, the times of a smooth schedule leave little
    if (means.size() == 1) CHECK(mean_of_column(scores.facts[1].second).value < 0.2 * variances[0]);
  }
  for (std::size_t i = 1; i < 3; ++i)
    CHECK(std::abs(means[i].value - means[0].value) <=
          4 * std::hypot(means[i].error, means[0].error));
  CHECK(variances[0] < variances[1] / 4);
  CHECK(variances[0] < variances[2] / 3);
}

TEST_CASE("vdm: both processes give every draw the same bound") {
  const std::vector<double> x = {0.8, -0.4, 0.1, 0.6, -0.9, 0.2};
  std::vector<Scores> both;
  for (const Variance variance : {Variance::preserving, Variance::exploding}) {
    const GaussDiffusion model({.lambda = {0.9, 0.2}, .levels = 256, .variance = variance});
    const Rows rows = model.rows_of(x);
    for (const char* words : {"timesteps=0", "timesteps=7"})
      both.push_back(gauss_diffusion::score(*make_elbo_scoring(model), {words},
                                            {model.model_info().data, rows}));
    both.push_back(gauss_diffusion::score(*make_trajectory_scoring(model),
                                          {"timesteps=30", "samples=8"},
                                          {model.model_info().data, rows}));
    both.push_back(gauss_diffusion::score(*make_flow_scoring(model), {"ode_steps=200"},
                                          {model.model_info().data, rows}));
  }
  for (std::size_t way = 0; way < 4; ++way)
    for (std::size_t i = 0; i < 3; ++i) {
      CAPTURE(way);
      CHECK(both[way].nats[i] == doctest::Approx(both[way + 4].nats[i]).epsilon(1e-6));
    }
}

TEST_CASE("vdm: clipping tightens the bound of every row") {
  const GaussDiffusion model({.lambda = {0.9, 0.9, 0.9}, .levels = 16});
  const std::vector<double> x = {0.99, -0.99, 0.5, 0.99, 0.99, 0.99, -0.2, 0.1, 0.0};
  const Rows rows = model.rows_of(x);
  const Examples examples{model.model_info().data, rows};
  for (const char* steps : {"timesteps=0", "timesteps=1", "timesteps=10"}) {
    const Scores open =
        gauss_diffusion::score(*make_elbo_scoring(model), {steps, "clip_x=none"}, examples);
    const Scores clipped =
        gauss_diffusion::score(*make_elbo_scoring(model), {steps, "clip_x=range"}, examples);
    if (steps != std::string("timesteps=1")) CHECK(clipped.nats[0] > open.nats[0]);
    for (std::size_t i = 0; i < 3; ++i) CHECK(clipped.nats[i] >= open.nats[i]);
  }
}

TEST_CASE("vdm: weighed trajectories lie between the bound and the model's exact likelihood") {
  const GaussDiffusion model({.lambda = {0.9}});
  std::vector<double> x;
  for (int i = 0; i < 64; ++i) x.push_back(std::sqrt(0.9) * quantile(2 * i + 1, 7));
  const Rows rows = model.rows_of(x);
  const Examples examples{model.model_info().data, rows};
  const Scores scores = gauss_diffusion::score(*make_trajectory_scoring(model),
                                               {"timesteps=50", "samples=512"}, examples);
  const Scores bound =
      gauss_diffusion::score(*make_elbo_scoring(model), {"timesteps=50"}, examples);
  const double variance =
      variance_of_first(uniform_grid(model.schedule(), 50), 0.9) / Process{}.at(-13.3).alpha2 +
      std::exp(-13.3);
  double exact = 0, iwae = 0, elbo = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    exact -= normal_nats(static_cast<double>(static_cast<float>(x[i])), variance) / 64;
    iwae += scores.nats[i] / 64;
    elbo += bound.nats[i] / 64;
  }
  CAPTURE(exact);
  CAPTURE(iwae);
  CAPTURE(elbo);
  CHECK(iwae > elbo + 0.5);
  CHECK(iwae < exact + 0.02);
  CHECK(iwae > exact - 0.05);
  // on one set of draws, a larger K is better on average
  for (std::size_t k = 2; k < scores.facts.size(); ++k)
    CHECK(mean_of_column(scores.facts[k].second).value >
          mean_of_column(scores.facts[k - 1].second).value - 1e-9);
  // and K = 1 is the bound
  const Mean single = mean_of_column(scores.facts[1].second);
  CHECK(std::abs(single.value - elbo) <= 4 * std::hypot(single.error, 0.05));
}

TEST_CASE("vdm: log p(x) by the flow is that of its exact marginal") {
  const std::vector<double> lambda = {0.9, 0.05};
  const GaussDiffusion model({.lambda = lambda});
  const std::vector<double> x = {0.4, 0.1, -1.2, -0.3};
  const Rows rows = model.rows_of(x);
  for (const auto& words : {std::vector<std::string>{}, std::vector<std::string>{"ode_trace=exact"},
                            std::vector<std::string>{"ode_tol=1e-6"}}) {
    const Scores scores =
        gauss_diffusion::score(*make_flow_scoring(model), words, {model.model_info().data, rows});
    CHECK(scores.kind == Bound::estimate);
    for (std::size_t i = 0; i < 2; ++i) {
      double expected = 0;
      for (std::size_t d = 0; d < 2; ++d) {
        const NoiseLevel first = Process{}.at(-13.3), last = Process{}.at(5);
        const double v0 = first.alpha2 * lambda[d] + first.sigma2,
                     v1 = last.alpha2 * lambda[d] + last.sigma2;
        const double z = first.alpha * x[2 * i + d];
        expected += 0.5 * (std::log(v1 / v0) - log_two_pi - z * z * v1 / v0 + first.log_alpha2);
      }
      CHECK(std::abs(scores.nats[i] - expected) <= 1e-4);
      CHECK(scores.facts[0].second[i] < 1e-3);
    }
  }
}

}  // namespace logpx::gaussian_test
