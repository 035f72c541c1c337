// Completions by a diffusion model of normal data, whose conditionals are known in closed form.
// [vdm/README 10.1, 13]
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/real_vectors.hpp"
#include "libcore/families/vdm/grids/fitted_grid.hpp"
#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/families/vdm/model.hpp"
#include "libcore/families/vdm/sampling/sampling_plan.hpp"
#include "libcore/model/completion.hpp"
#include "tests/support/gauss_closed_forms.hpp"
#include "tests/support/gauss_diffusion.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace logpx::completion_test {

using namespace logpx::vdm;

namespace {

constexpr double along = 1.8, across = 0.2;  // variances along (1, 1) and (1, -1)

// Two numbers of variance 1 and covariance 0.8.
std::unique_ptr<VdmModel> correlated_pair() {
  Config config;
  config.net.kind = NetKind::linear_gauss;
  config.standardise = false;
  auto model = std::make_unique<VdmModel>(config, real_vectors(2), StoredShapes{});
  const std::vector<double> mean(2), covariance = {1, 0.8, 0.8, 1};
  model->take_moments(mean, covariance);
  model->initialise(Rng(1));
  std::vector<double> curve;
  for (std::size_t i = 0; i < at(curve_points); ++i) {
    const NoiseLevel level = Process{}.at(-13.3 + 18.3 * static_cast<double>(i) / 64);
    curve.push_back(0);
    for (const double lambda : {along, across})
      curve.back() += level.alpha2 * lambda / (level.alpha2 * lambda + level.sigma2);
  }
  model->take_mse_curve(curve);
  return model;
}

// The variance of x that the model's steps give a direction of variance lambda.
double variance_after_steps(const VdmModel& model, double lambda) {
  const std::vector<double> gammas = uniform_grid(model.schedule(), 20);
  return gauss_diffusion::variance_of_first(gammas, lambda) / Process{}.at(gammas[0]).alpha2 +
         std::exp(gammas[0]);
}

HeldRows rows_of(const std::vector<float>& x, std::int64_t dims) {
  HeldRows held{.info = real_vectors(dims), .rows = {}};
  held.rows.count = std::ssize(x) / dims;
  held.info.n = held.rows.count;
  held.rows.x.resize(x.size() * sizeof(float));
  std::ranges::copy(x, held.rows.values<float>().begin());
  return held;
}

struct Request {
  KnownRows given;
  std::vector<std::string> settings = {};
};

SampleChunk complete(const DiffusionModel& model, const Request& request) {
  const auto plan = make_sampling(model);
  REQUIRE(plan->completion() != nullptr);
  plan->completion()->start_from(request.given);
  Fields fields;
  plan->describe(fields);
  for (const std::string& setting : request.settings) fields.set(setting, Origin::option);
  plan->settle();
  return plan->make(0, request.given.rows.rows.count * request.given.draws, Rng(5));
}

struct Moments {
  double mean = 0, variance = 0;
};
Moments moments_of_second(std::span<const float> rows) {
  Moments found;
  const double count = static_cast<double>(rows.size()) / 2;
  for (std::size_t i = 1; i < rows.size(); i += 2)
    found.mean += static_cast<double>(rows[i]) / count;
  for (std::size_t i = 1; i < rows.size(); i += 2) {
    const double off = static_cast<double>(rows[i]) - found.mean;
    found.variance += off * off / count;
  }
  return found;
}

}  // namespace

TEST_CASE("vdm: completions by many particles have the moments of the conditional") {
  const auto model = correlated_pair();
  const double first = variance_after_steps(*model, along),
               second = variance_after_steps(*model, across);
  const double own = (first + second) / 2, shared = (first - second) / 2, x = 1.5;
  const double mean = x * shared / own, variance = own - shared * shared / own;
  const std::int64_t draws = 2000;
  Request request{{.rows = rows_of({1.5F, 0}, 2), .known = {1, 0}, .draws = draws},
                  {"timesteps=20", "grid=uniform", "particles=64"}};
  const SampleChunk chunk = complete(*model, request);
  const Moments found = moments_of_second(chunk.rows.values<float>());
  CAPTURE(found.mean);
  CAPTURE(mean);
  CAPTURE(found.variance);
  CAPTURE(variance);
  CHECK(std::abs(found.mean - mean) <= 4 * std::sqrt(variance / draws));
  CHECK(std::abs(found.variance - variance) <= 4 * variance * std::sqrt(2.0 / draws));
  REQUIRE(chunk.codes.size() == 1);
  const auto effective = chunk.codes[0].values<float>();
  CHECK(effective.size() == at(draws));
  CHECK(std::ranges::all_of(effective, [](float n) { return n >= 1 && n <= 64; }));
  // One alone goes the model's own way, which is another.
  request.settings.pop_back();
  const Moments alone = moments_of_second(complete(*model, request).rows.values<float>());
  CHECK(std::abs(alone.mean - mean) > 8 * std::sqrt(variance / draws));
}

TEST_CASE("vdm: what is known stays bit for bit, and each row has its own") {
  const auto model = correlated_pair();
  const std::vector<float> x = {0.1F, -0.7F, 1.3F, 1e-6F};
  const SampleChunk chunk = complete(
      *model,
      {{.rows = rows_of(x, 2), .known = {1, 0, 0, 1}, .draws = 3}, {"timesteps=5", "particles=2"}});
  const auto made = chunk.rows.values<float>();
  REQUIRE(made.size() == 12);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(made[2 * i] == 0.1F);
    CHECK(made[2 * i + 1] != -0.7F);
    CHECK(made[6 + 2 * i] != 1.3F);
    CHECK(made[6 + 2 * i + 1] == 1e-6F);
  }
}

TEST_CASE("vdm: levels that are known stay, in draws and in means") {
  const gauss_diffusion::GaussDiffusion model({.lambda = {0.3, 0.3, 0.3}, .levels = 32});
  const HeldRows held{.info = model.model_info().data,
                      .rows = model.rows_of(std::vector{0.9, 0.0, -0.9})};
  Request request{{.rows = held, .known = {1, 0, 1}, .draws = 4}, {"timesteps=8", "particles=3"}};
  const SampleChunk draws = complete(model, request);
  request.settings.push_back("mean=true");
  const SampleChunk means = complete(model, request);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto drawn = draws.rows.values<std::uint8_t>().subspan(3 * i, 3);
    const auto mean = means.rows.values<float>().subspan(3 * i, 3);
    CHECK((drawn[0] == 30 && drawn[2] == 1));
    CHECK((mean[0] == 30 && mean[2] == 1));
  }
}

TEST_CASE("vdm: a completion depends on its number alone") {
  const auto model = correlated_pair();
  const auto plan = make_sampling(*model);
  plan->completion()->start_from(
      {.rows = rows_of({1.5F, 0, -1, 0}, 2), .known = {1, 0}, .draws = 20});
  Fields fields;
  plan->describe(fields);
  fields.set("timesteps=6", Origin::option);
  fields.set("particles=9", Origin::option);
  plan->settle();
  const SampleChunk all = plan->make(0, 40, Rng(1)), later = plan->make(17, 40, Rng(1));
  CHECK(std::equal(later.rows.x.begin(), later.rows.x.end(), all.rows.x.begin() + 17 * 8));
}

}  // namespace logpx::completion_test
