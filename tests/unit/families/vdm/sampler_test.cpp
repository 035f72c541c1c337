// Samplers of diffusion models of Gaussian data, whose variances are recursions of numbers.
// [vdm/README 10]
#include "libcore/base/index.hpp"
#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/families/vdm/sampling/sampler.hpp"
#include "libcore/families/vdm/sampling/sampling_plan.hpp"
#include "tests/support/gauss_diffusion.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::sampler_test {

using namespace logpx::vdm;
using gauss_diffusion::GaussDiffusion;
using gauss_diffusion::GaussPredictor;

namespace {

std::vector<double> numbers(const Json& list) { return golden_layer::tensor(list).data; }

// z_0 / z_1 of each component.
std::vector<double> factors(const GaussPredictor& predictor, Endpoints ends, std::int64_t steps,
                            SamplerKind kind) {
  const Denoiser denoiser(predictor, {});
  const NoiseSchedule schedule(make_curve({}, {}), ends);
  std::vector<double> z(at(predictor.dims()), 1.0);
  Sampler(denoiser, uniform_grid(schedule, steps), kind).run({z}, {});
  return z;
}

SampleChunk draw(const GaussDiffusion& model, const std::vector<std::string>& settings,
                 std::int64_t count) {
  const auto plan = make_sampling(model);
  Fields fields;
  plan->describe(fields);
  for (const std::string& setting : settings) fields.set(setting, Origin::option);
  plan->settle();
  return plan->make(0, count, Rng(3));
}

double variance_of(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("golden/vdm/samplers") {
  const Json* const item = golden::field("vdm", "samplers");
  if (!item) return;
  const GaussPredictor predictor(numbers(item->at("lambda_")));
  const Endpoints ends{golden::real(item->at("gamma_0")), golden::real(item->at("gamma_1"))};
  const std::vector<double> exact = numbers(item->at("ode"));
  for (std::size_t i = 0; i < item->at("T").size(); ++i) {
    const std::int64_t steps = item->at("T").at(i).integer();
    CAPTURE(steps);
    for (const bool second : {false, true}) {
      const std::vector<double> expected = numbers(item->at(second ? "dpm2m" : "ddim").at(i));
      const std::vector<double> found =
          factors(predictor, ends, steps, second ? SamplerKind::dpm2m : SamplerKind::ddim);
      for (std::size_t d = 0; d < found.size(); ++d)
        CHECK(std::abs(found[d] - expected[d]) <= 1e-9 * expected[d]);
    }
    const std::vector<double> found = factors(predictor, ends, 4 * steps, SamplerKind::ode);
    for (std::size_t d = 0; d < found.size(); ++d)
      CHECK(std::abs(found[d] - exact[d]) <= 1e-3 * exact[d]);
  }
}

TEST_CASE("vdm: errors of ddim fall with the steps, those of dpm2m with their square") {
  const GaussPredictor predictor({0.9});
  const Endpoints ends;
  const double exact = factors(predictor, ends, 2000, SamplerKind::ode)[0];
  const auto error = [&](std::int64_t steps, SamplerKind kind) {
    const double ratio = factors(predictor, ends, steps, kind)[0] / exact;
    return std::abs(ratio * ratio - 1);
  };
  for (const auto& [kind, slope] :
       {std::pair(SamplerKind::ddim, -1.0), std::pair(SamplerKind::dpm2m, -2.0)})
    CHECK(std::log(error(80, kind) / error(20, kind)) / std::log(4.0) ==
          doctest::Approx(slope).epsilon(0.2 / -slope));
  CHECK(error(20, SamplerKind::ddim) == doctest::Approx(0.203).epsilon(0.01));
  CHECK(error(40, SamplerKind::dpm2m) == doctest::Approx(0.00627).epsilon(0.01));
}

TEST_CASE("vdm: samples have the variance that their steps give them") {
  const std::int64_t items = 400, dims = 20;
  const std::vector<double> lambda(at(dims), 0.9);
  for (const Variance process : {Variance::preserving, Variance::exploding}) {
    const GaussDiffusion model({.lambda = lambda, .variance = process});
    const double noise = std::exp(-13.3), alpha2 = Process{}.at(-13.3).alpha2;
    const auto check = [&](const std::vector<std::string>& settings, double expected) {
      CAPTURE(settings[0]);
      const SampleChunk chunk = draw(model, settings, items);
      const double error = expected * std::sqrt(2.0 / static_cast<double>(items * dims));
      CHECK(std::abs(variance_of(chunk.rows.values<float>()) - expected) <= 4 * error);
    };
    const std::vector<double> gammas = uniform_grid(model.schedule(), 10);
    double variance = 1;
    for (std::size_t i = 10; i > 0; --i) {
      const Transition step = transition(Process{}.at(gammas[i - 1]), Process{}.at(gammas[i]));
      const double a = step.mean_by_noise(1, step.t.sigma / (step.t.alpha2 * 0.9 + step.t.sigma2));
      variance = a * a * variance + step.deviation * step.deviation;
    }
    check({"sampler=ancestral", "timesteps=10"}, variance / alpha2 + noise);
    const GaussPredictor predictor({0.9});
    for (const auto& [word, kind] : {std::pair("sampler=ddim", SamplerKind::ddim),
                                     std::pair("sampler=dpm2m", SamplerKind::dpm2m),
                                     std::pair("sampler=ode", SamplerKind::ode)}) {
      const double factor = factors(predictor, {}, 10, kind)[0];
      check({word, "timesteps=10"}, factor * factor / alpha2 + noise);
    }
  }
}

TEST_CASE("vdm: a sample depends on its number alone, and clipped ones stay in range") {
  const GaussDiffusion model({.lambda = {4.0, 0.1, 0.1}, .levels = 32});
  const auto plan = make_sampling(model);
  plan->settle();
  const SampleChunk all = plan->make(0, 7, Rng(1)), later = plan->make(4, 7, Rng(1));
  CHECK(std::equal(later.rows.x.begin(), later.rows.x.end(), all.rows.x.begin() + 4 * 3));
  const SampleChunk means = draw(model, {"mean=true"}, 4);
  for (const float value : means.rows.values<float>()) CHECK((value >= 0 && value <= 31));
}

TEST_CASE("vdm: a trajectory shows x as it is predicted, from noise to data") {
  const GaussDiffusion model({.lambda = {0.9}});
  for (const std::int64_t frames : {1, 2, 5, 20}) {
    const auto plan = make_sampling(model);
    Fields fields;
    plan->describe(fields);
    fields.set("timesteps=20", Origin::option);
    fields.set("trajectory=" + std::to_string(frames), Origin::option);
    plan->settle();
    CHECK(plan->rows_per_item() == frames);
    const SampleChunk chunk = plan->make(0, 40, Rng(1));
    REQUIRE(chunk.rows.count == 40 * frames);
    const auto shown = chunk.rows.values<float>();
    std::vector<float> first, last;
    for (std::size_t i = 0; i < 40; ++i) {
      first.push_back(shown[i * at(frames)]);
      last.push_back(shown[(i + 1) * at(frames) - 1]);
    }
    CHECK(variance_of(last) > 0.4);
    if (frames > 1) CHECK(variance_of(first) < 0.05);
  }
}

}  // namespace logpx::sampler_test
