// Coding through levels of noise: lattices, round trips, lengths.
// [vdm/README 12]
#include "libcore/base/index.hpp"
#include "libcore/families/vdm/coding/codec.hpp"
#include "libcore/families/vdm/coding/level_coding.hpp"
#include "libcore/families/vdm/grids/expected_bound.hpp"
#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/model/codec.hpp"
#include "tests/support/gauss_diffusion.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/scheme_check.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::level_coding_test {

using namespace logpx::vdm;
using gauss_diffusion::GaussDiffusion;

namespace {

std::unique_ptr<codec::Scheme> scheme_of(const ModelCodec& codec,
                                         const std::vector<std::string>& settings) {
  const auto plan = codec.plan();
  Fields fields;
  plan->describe(fields);
  for (const std::string& setting : settings) fields.set(setting, Origin::option);
  Workers workers(1);
  plan->settle({}, workers);
  return plan->scheme(workers);
}

// Levels of normal numbers of deviation `deviation`.
std::vector<std::uint8_t> normal_items(std::size_t count, double deviation, std::int64_t levels) {
  std::vector<std::uint8_t> items;
  const Substream substream = Rng(5).stream(Stream::test, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = std::fmin(std::fmax(deviation * normal_at(substream, i), -0.999), 0.999);
    items.push_back(static_cast<std::uint8_t>((x + 1) / 2 * static_cast<double>(levels)));
  }
  return items;
}

std::vector<double> measured_curve() {
  std::vector<double> curve;
  for (int i = 0; i < 65; ++i) {
    const double gamma = -13.3 + 18.3 * i / 64;
    curve.push_back(4 / (1 + std::exp(gamma) / 0.09));
  }
  return curve;
}

}  // namespace

TEST_CASE("golden/vdm/lattice") {
  const Json* const item = golden::field("vdm", "lattice");
  if (!item) return;
  const NoiseSchedule schedule(
      make_curve({}, {}), {golden::real(item->at("gamma_0")), golden::real(item->at("gamma_1"))});
  const std::vector<double> spacings = lattice_spacings(
      uniform_grid(schedule, item->at("T").integer()), static_cast<int>(item->at("r").integer()));
  const std::vector<double> expected = golden_layer::tensor(item->at("spacing")).data;
  REQUIRE(spacings.size() == expected.size());
  for (std::size_t i = 0; i < spacings.size(); ++i)
    CHECK(std::abs(spacings[i] - expected[i]) <= 1e-9 * expected[i]);
}

TEST_CASE("vdm: windows of a lattice hold sixteen deviations of whatever is coded there") {
  const NoiseSchedule schedule(make_curve({}, {}), {});
  for (const std::int64_t steps : {1, 2, 10, 100, 1000}) {
    const LevelGrid grid(uniform_grid(schedule, steps));
    for (std::size_t i = 0; i < grid.levels.size(); ++i) {
      const double under_p = i < grid.top() ? grid.steps[i].deviation : 1;
      const double under_q = i > 0 ? grid.steps[i - 1].diffusion : grid.levels[0].sigma;
      const codec::Lattice& lattice = grid.lattices[i];
      CHECK(lattice.cells.h * lattice.window >= 16 * std::max(under_p, under_q));
      CHECK(lattice.cells.h <= std::min(under_p, under_q) / 16 * (1 + 1e-12));
      CHECK(lattice.cells.edge(lattice.cells.n) >= grid.levels[i].alpha + 6 * grid.levels[i].sigma);
    }
  }
}

TEST_CASE("vdm: what is coded comes back, in both orders, for any steps, grid and clipping") {
  const GaussDiffusion model(
      {.lambda = {0.09, 0.09, 0.09, 0.09}, .levels = 64, .mse_curve = measured_curve()});
  const auto codec = make_codec(model);
  std::vector<std::uint8_t> items = normal_items(12, 0.3, 64);
  items.insert(items.end(), {0, 0, 0, 0, 63, 63, 63, 63, 0, 63, 17, 40});
  for (const char* order : {"order=bitswap", "order=bb-ans"})
    for (const char* steps : {"timesteps=1", "timesteps=2", "timesteps=10", "timesteps=50"})
      for (const char* grid : {"grid=uniform", "grid=fitted"})
        for (const char* clip : {"clip_x=none", "clip_x=range"}) {
          CAPTURE(order);
          CAPTURE(steps);
          check_inverse(*scheme_of(*codec, {order, steps, grid, clip}), items);
        }
}

TEST_CASE("vdm: items take as many bits as the bound of the same steps says") {
  const GaussDiffusion model(
      {.lambda = std::vector<double>(8, 0.09), .levels = 64, .mse_curve = measured_curve()});
  const auto codec = make_codec(model);
  const std::vector<std::uint8_t> items = normal_items(8 * 60, 0.3, 64);
  check_length(*scheme_of(*codec, {"timesteps=10"}), items, 0.01);
  check_length(*scheme_of(*codec, {"timesteps=50", "grid=uniform"}), items, 0.01);
  check_length(*scheme_of(*codec, {"timesteps=50", "order=bb-ans"}), items, 0.01);
}

TEST_CASE("vdm: bit-swap order starts with few bits, whatever the number of levels") {
  const GaussDiffusion model({.lambda = std::vector<double>(8, 0.09), .levels = 64});
  const auto codec = make_codec(model);
  const std::vector<std::uint8_t> item = normal_items(8, 0.3, 64);
  const auto borrowed = [&](const char* order) {
    codec::Message message(1);
    codec::Costs costs;
    scheme_of(*codec, {order, "timesteps=100"})->encode(message, item, 0, costs);
    return static_cast<double>(message.borrowed());
  };
  CHECK(borrowed("order=bitswap") * 10 <= borrowed("order=bb-ans"));
}

TEST_CASE("vdm: steps too uneven for a lattice are refused before anything is coded") {
  const std::vector<double> gammas = {-10, -1, -0.999999, 5};
  CHECK_THROWS_AS(LevelGrid{gammas}, Error);
}

TEST_CASE("vdm: what T levels are expected to cost is what they cost of normal data") {
  constexpr double lambda = 0.09, recon = 4 * 0.01041 * 0.693147;  // of 256 levels at -13.3
  const std::vector<double> lambdas(4, lambda);
  const GaussDiffusion model({.lambda = lambdas, .levels = 256, .mse_curve = measured_curve()});
  const double endless = 2 * std::log((1 + lambda * std::exp(13.3)) / (1 + lambda * std::exp(-5)));
  for (const std::int64_t steps : {5, 20, 100}) {
    const std::vector<double> gammas = uniform_grid(model.schedule(), steps);
    double sum = 0;
    for (std::size_t i = 1; i < gammas.size(); ++i) {
      const double v = std::exp(-gammas[i]);
      sum += 2 * (std::exp(-gammas[i - 1]) - v) * lambda / (1 + v * lambda);
    }
    CAPTURE(steps);
    CHECK(expected_excess(model, gammas) ==
          doctest::Approx((sum - endless) / (recon + endless)).epsilon(0.01));
  }
  CHECK(expected_excess(GaussDiffusion({.lambda = lambdas, .levels = 256}),
                        uniform_grid(model.schedule(), 5)) == 0);
}

TEST_CASE("vdm: settings of coding that nothing reads are usage errors") {
  const GaussDiffusion model({.lambda = {0.5}, .levels = 4});
  const auto codec = make_codec(model);
  CHECK_THROWS_AS(scheme_of(*codec, {"latent_bits=8"}), Error);
  CHECK_THROWS_AS(scheme_of(*codec, {"grid=fitted"}), Error);
  CHECK_THROWS_AS(scheme_of(*codec, {"order=bb-ans", "latent_bits=17"}), Error);
}

}  // namespace logpx::level_coding_test
