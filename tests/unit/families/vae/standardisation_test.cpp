#include "libcore/data/row_values.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/plans.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::standardisation_test {

using namespace logpx::vae;

namespace {

// Two columns far from 0 and 1: metres of a year, and grams.
DatasetInfo measured(bool standardised) {
  DatasetInfo info = vectors_of(2, 0);
  if (standardised) info.standardisation = {{2000, -3}, {40, 0.125}};
  return info;
}

Rows rows_of_reals(const std::vector<float>& x) {
  Rows rows;
  rows.count = std::ssize(x) / 2;
  const auto bytes = std::as_bytes(std::span(x));
  rows.x.assign(bytes.begin(), bytes.end());
  return rows;
}

Config gaussian() {
  Config config;
  config.likelihood = "gaussian";
  config.latent = 1;
  config.hidden = {3};
  return config;
}

}  // namespace

TEST_CASE("vae: log p of a standardised table is a density of the original units") {
  VaeModel original(gaussian(), measured(true)), standard(gaussian(), measured(false));
  original.initialise(Rng(3));
  standard.initialise(Rng(3));
  const Rows x = rows_of_reals({2040, -3, 1990, -2.75F}), z = rows_of_reals({1, 0, -0.25F, 2});
  // A file of the same columns without means and deviations is read by those of the model.
  for (const bool own : {true, false}) {
    const DatasetInfo info = measured(own), plain = measured(false);
    const Scores a = testing::score_with(abilities(original), {info, x, 0}, Rng(1));
    const Scores b = testing::score_with(abilities(standard), {plain, z, 0}, Rng(1));
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(a.nats[i] == doctest::Approx(b.nats[i] - std::log(40 * 0.125)).epsilon(1e-6));
  }
}

TEST_CASE("vae: samples and means of a standardised table come in original units") {
  VaeModel original(gaussian(), measured(true)), standard(gaussian(), measured(false));
  original.initialise(Rng(3));
  standard.initialise(Rng(3));
  const Rows x = testing::sample_rows(abilities(original), 0, 4, Rng(2));
  const Rows z = testing::sample_rows(abilities(standard), 0, 4, Rng(2));
  const std::vector<float> code = {0.5F};
  const std::vector<float> mean = abilities(original).latents->mean(code),
                           standard_mean = abilities(standard).latents->mean(code);
  const double centre[] = {2000, -3}, deviation[] = {40, 0.125};
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(static_cast<double>(x.values<float>()[i]) ==
          doctest::Approx(centre[i % 2] +
                          deviation[i % 2] * static_cast<double>(z.values<float>()[i])));
  for (std::size_t d = 0; d < 2; ++d)
    CHECK(static_cast<double>(mean[d]) ==
          doctest::Approx(centre[d] + deviation[d] * static_cast<double>(standard_mean[d])));
  const Rows rows = rows_of_reals({2040, -2.75F});
  const DatasetInfo info = measured(true);
  CHECK(abilities(original).latents->observed({info, rows, 0}) == std::vector<float>{2040, -2.75F});
}

}  // namespace logpx::standardisation_test
