// The prior of a KAEM as a source of samples by inverse transform.   [kaem/README 4.3]
#include "libcore/eval/prior_source.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/kaem_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::prior_source_test {

using namespace logpx::kaem;

TEST_CASE("kaem prior: samples by the inverse of each component are those that the model draws") {
  Config shared = small_config();
  shared.coupling = CouplingChoice::shared;
  Workers workers(2);
  for (const Config& config : {shared, small_config(), mixture_config()}) {
    const auto model = drawn_model(config);
    const auto prior = abilities(*model).prior;
    const PriorSource source(*prior, {}, workers);
    const auto points = random_points(source.uniforms(), Rng(5));
    InverseSampler sampler(source, *points, workers);
    const InverseSamples samples = sampler.draw(100, 400);
    const std::vector<double> drawn = prior->draw(100, 300, Rng(5));
    REQUIRE(samples.z.size() == drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) CHECK(std::abs(samples.z[i] - drawn[i]) < 1e-9);
    CHECK(source.u_error(samples.u, samples.z) < 1e-10);
    const auto [low, high] = source.domain();
    CHECK(std::ranges::all_of(samples.z, [&](double z) { return z >= low && z <= high; }));
  }
}

TEST_CASE("kaem prior: the u-error sees samples that another component made") {
  Workers workers(1);
  const auto model = drawn_model(small_config());
  const auto prior = abilities(*model).prior;
  const PriorSource source(*prior, {}, workers);
  const auto points = random_points(source.uniforms(), Rng(5));
  InverseSampler sampler(source, *points, workers);
  const InverseSamples samples = sampler.draw(0, 50);
  std::vector<double> turned(samples.z.begin(), samples.z.end());
  std::ranges::rotate(turned, turned.begin() + 1);
  CHECK(source.u_error(samples.u, turned) > 0.01);
}

TEST_CASE("kaem prior: a mixture tells which components its samples are of") {
  Workers workers(1);
  const auto model = drawn_model(mixture_config());
  const auto prior = abilities(*model).prior;
  const PriorSource source(*prior, {}, workers);
  const std::int64_t n = 20'000, latents = prior->shape().latents;
  std::vector<double> u(at(n * source.uniforms()));
  random_points(source.uniforms(), Rng(6))->fill(0, u);
  const std::vector<std::int32_t> chosen = source.components(u);
  REQUIRE(std::ssize(chosen) == n * latents);
  for_each_component(prior->shape(), [&](std::int64_t q, std::int64_t p) {
    double count = 0;
    for (std::int64_t i = 0; i < n; ++i) count += chosen[at(i * latents + q)] == p ? 1 : 0;
    const double alpha = prior->component(q, p).weight, draws = static_cast<double>(n);
    CHECK(std::abs(count / draws - alpha) <= 5 * std::sqrt(alpha * (1 - alpha) / draws) + 1e-12);
  });
}

TEST_CASE("kaem prior: samples decode alike however many are asked for, noise included") {
  Workers workers(2);
  const auto model = drawn_model(small_config());
  const auto prior = abilities(*model).prior;
  const PriorSource source(*prior, {}, workers);
  const auto points = random_points(source.uniforms(), Rng(5));
  InverseSampler sampler(source, *points, workers);
  const ModelPrior::Noise noise{.rng = Rng(5), .sd = 0.3};
  const std::vector<float> all = decoded(*prior, sampler.draw(0, 200), noise, workers);
  const std::vector<float> some = decoded(*prior, sampler.draw(70, 100), noise, workers);
  const std::vector<float> plain = decoded(*prior, sampler.draw(70, 100), {}, workers);
  const std::size_t dims = all.size() / 200;
  CHECK(std::equal(some.begin(), some.end(), all.begin() + static_cast<std::ptrdiff_t>(70 * dims)));
  CHECK(some != plain);
}

}  // namespace logpx::prior_source_test
