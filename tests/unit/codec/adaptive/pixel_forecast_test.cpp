#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/pixel_forecast.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::pixel_forecast_test {

using namespace logpx::codec::adaptive;

namespace {

double chance_of_one(PixelForecast& forecast, unsigned whole, int bit_number) {
  return (forecast.chance(whole, bit_number) >> 10) / 4194304.0;
}

// The product of the chances of its bits.
double chance_of_sample(PixelForecast& forecast, unsigned sample) {
  double all = 1;
  unsigned whole = 1;
  for (int i = 0; i < 8; ++i) {
    const unsigned bit = sample >> (7 - i) & 1;
    const double one = chance_of_one(forecast, whole, i);
    all *= bit != 0 ? one : 1 - one;
    whole = 2 * whole + bit;
  }
  return all;
}

}  // namespace

TEST_CASE("pixel forecast: its weights come to what the samples are made by") {
  // x = m + 3/4 of the first difference - 1/2 of the fifth; the others are noise.
  Cursor random(Rng(9).stream(Stream::test, 514));
  PixelForecast forecast(60);
  int off = 0;
  for (int i = 0; i < 6000; ++i) {
    PixelForecast::Taps around;
    for (std::int32_t& v : around) v = static_cast<std::int32_t>(random.below(41)) - 20;
    const int sample = 128 + (3 * around[0] - 2 * around[5]) / 4;
    forecast.foretell(i % 3, 128, around);
    if (i >= 5000) off += std::abs(forecast.value() - sample);
    forecast.learn(static_cast<std::uint8_t>(sample));
  }
  CHECK(off < 700);  // of 1000 samples; 6.5 a sample at first
  CHECK(forecast.spread() <= 3);
}

TEST_CASE("pixel forecast: the bits of all samples have the chances of one distribution") {
  PixelForecast forecast(12);
  forecast.foretell(1, 100, {});
  for (int i = 0; i < 40; ++i) {
    forecast.learn(static_cast<std::uint8_t>(i % 2 == 0 ? 92 : 108));
    forecast.foretell(1, 100, {});
  }
  double sum = 0, mean = 0, error = 0;
  for (unsigned sample = 0; sample < 256; ++sample) {
    const double chance = chance_of_sample(forecast, sample);
    sum += chance;
    mean += chance * sample;
    error += chance * std::abs(static_cast<double>(sample) - 100);
  }
  CHECK(sum == doctest::Approx(1).epsilon(1e-9));
  // Samples that nothing foretells keep a sixteenth of all.
  CHECK((mean - 128 / 16.0) / (15 / 16.0) == doctest::Approx(100).epsilon(0.01));
  CHECK(error == doctest::Approx(15 / 16.0 * 8 + 70.0 / 16).epsilon(0.1));
  CHECK(chance_of_sample(forecast, 100) > chance_of_sample(forecast, 110));
}

TEST_CASE("pixel forecast: no samples make weights or spreads leave their range") {
  Cursor random(Rng(9).stream(Stream::test, 515));
  PixelForecast forecast(2);
  for (int i = 0; i < 100'000; ++i) {
    PixelForecast::Taps around;
    const std::int32_t size = i % 7 == 0 ? 1 : 255;
    for (std::int32_t& v : around) v = random.below(2) == 0 ? size : -size;
    forecast.foretell(i % 3, static_cast<int>(random.below(256)), around);
    REQUIRE(forecast.value() >= 0);
    REQUIRE(forecast.value() <= 255);
    REQUIRE(forecast.spread() < PixelForecast::spreads);
    const double one = chance_of_one(forecast, 1, 0);
    REQUIRE(one > 0);
    REQUIRE(one < 1);
    forecast.learn(static_cast<std::uint8_t>(around[0] > 0 ? 255 : 0));
  }
}

}  // namespace logpx::pixel_forecast_test
