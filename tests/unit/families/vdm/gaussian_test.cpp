// Scores of diffusion models of Gaussian data, where all of them have closed forms.
// [vdm/README 13]
#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/scoring/elbo_scoring.hpp"
#include "libcore/families/vdm/scoring/flow_scoring.hpp"
#include "libcore/families/vdm/scoring/trajectory_scoring.hpp"
#include "tests/support/gauss_closed_forms.hpp"
#include "tests/support/gauss_diffusion.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx::gaussian_test {

using namespace logpx::vdm;
using namespace logpx::gauss_diffusion;

namespace {

const double log_two_pi = std::log(2 * std::numbers::pi);

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

// `count` copies of a row, which get different noise.
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
      // over many rows, their stated errors are how they scatter
      REQUIRE(scores.mc_std_error.size() == scores.nats.size());
      double squares = 0;
      for (const double error : scores.mc_std_error) squares += error * error;
      const double said = std::sqrt(squares / 400), seen = mean_of_column(scores.nats).error * 20;
      CHECK(said >= 0.75 * seen);
      CHECK(said <= 1.35 * seen);
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
                                               {"timesteps=50", "samples=256"}, examples);
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
