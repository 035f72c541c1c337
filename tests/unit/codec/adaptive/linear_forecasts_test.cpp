#include "libcore/codec/adaptive/linear_forecasts.hpp"

#include "libcore/base/rng.hpp"
#include "libcore/det/isa.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace logpx::linear_forecasts_test {

using namespace logpx::codec::adaptive;

namespace {

using Numbers = std::vector<double>;

Numbers random_numbers(std::size_t count, std::uint32_t number) {
  Cursor random(Rng(12).stream(Stream::test, 540 + number));
  Numbers numbers(count);
  for (double& x : numbers) x = static_cast<double>(random.below(20001)) - 10000;
  return numbers;
}

// What the kernels make of moments that they followed for some steps.
Numbers all_that_kernels_give(const ForecastKernels& kernels, long n) {
  const auto size = static_cast<std::size_t>(n);
  Numbers squares(size * size), products(size), weights(size), given;
  const FitMoments moments{squares.data(), products.data()};
  for (std::uint32_t step = 0; step < 50; ++step) {
    const Numbers x = random_numbers(size, step);
    kernels.follow(moments, x.data(), x[0] / 3 - x[1], 0.97, n);
    if (step % 7 == 6) kernels.solve(moments, 0.5, weights.data(), n);
    kernels.add_scaled(weights.data(), x.data(), 1e-9 / 3, n);
    given.push_back(kernels.dot(weights.data(), x.data(), n));
  }
  given.insert(given.end(), squares.begin(), squares.end());
  given.insert(given.end(), weights.begin(), weights.end());
  return given;
}

}  // namespace

TEST_CASE("linear forecasts: every instruction set gives the same doubles") {
  for (const long n : {4L, 12L, 20L, 32L}) {
    const Numbers plain = all_that_kernels_give(baseline::forecast_kernels, n);
#if defined(__x86_64__)
    if (isa_available(Isa::v3)) CHECK(all_that_kernels_give(v3::forecast_kernels, n) == plain);
    if (isa_available(Isa::v4)) CHECK(all_that_kernels_give(v4::forecast_kernels, n) == plain);
#endif
    CHECK(std::isfinite(plain.back()));
  }
}

TEST_CASE("linear forecasts: what is solved is the system of the moments") {
  constexpr std::size_t n = 12;
  Numbers squares(n * n), products(n), w(n), plain(n * n), right(n);
  const FitMoments moments{squares.data(), products.data()};
  const ForecastKernels& kernels = active_forecast_kernels();
  for (std::uint32_t step = 0; step < 40; ++step) {
    const Numbers x = random_numbers(n, step);
    const double y = x[3] - x[7] / 4 + x[2] * x[2] / 1e4;
    kernels.follow(moments, x.data(), y, 0.9, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        plain[i * n + j] = 0.9 * plain[i * n + j] + 0.1 * x[i] * x[j];
      right[i] = 0.9 * right[i] + 0.1 * y * x[i];
    }
  }
  kernels.solve(moments, 1000, w.data(), n);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 1000 * w[i];
    for (std::size_t j = 0; j < n; ++j) sum += plain[i * n + j] * w[j];
    CHECK(sum == doctest::Approx(right[i]).epsilon(1e-7).scale(1e7));
  }
}

TEST_CASE("linear forecasts: a system without a solution leaves the weights as they were") {
  constexpr std::size_t n = 4;
  Numbers squares(n * n), products(n, 1), w = {1, 2, 3, 4};
  const Numbers before = w;
  active_forecast_kernels().solve({squares.data(), products.data()}, 0, w.data(), n);
  CHECK(w == before);
}

TEST_CASE("linear forecasts: least squares find the recurrence that numbers follow") {
  // Two waves: each number is a sum of the four before it.
  RecursiveSquares<4> fit({.keep = 0.99, .ridge = 1e-6, .every = 1});
  Numbers x(400);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto t = static_cast<double>(i);
    x[i] = 300 * std::sin(0.3 * t) + 200 * std::cos(1.1 * t);
    if (i < 4) continue;
    for (std::size_t k = 0; k < 4; ++k) fit.around()[k] = x[i - 1 - k];
    if (i > 50) CHECK(std::abs(fit.forecast() - x[i]) < 0.01);
    fit.learn(x[i]);
  }
}

TEST_CASE("linear forecasts: filters follow a wave, by errors and by their signs") {
  FollowingFilter<16, StepBy::error> by_error(0.05);
  FollowingFilter<16, StepBy::sign> by_sign(0.002);
  double off_by_error = 0, off_by_sign = 0;
  constexpr int steps = 4000, last = 1000;
  for (int i = 0; i < steps; ++i) {
    const double x = 100 * std::sin(0.2 * i), error = x - by_error.forecast(),
                 same = x - by_sign.forecast();
    if (i >= steps - last) off_by_error += std::abs(error), off_by_sign += std::abs(same);
    by_error.learn(x);
    by_sign.learn(x);
  }
  CHECK(off_by_error / last < 5);  // of a mean size of 64
  CHECK(off_by_sign / last < 5);
}

TEST_CASE("linear forecasts: the last numbers are the newest first, however many came") {
  LastNumbers<4> last;
  for (int i = 1; i <= 100; ++i) {
    last.add(i);
    for (int k = 0; k < 4; ++k) REQUIRE(last.data()[k] == std::max(0, i - k));
  }
}

TEST_CASE("linear forecasts: numbers that fade never become denormal") {
  RecursiveSquares<8> fit({.keep = 0.5, .ridge = 1, .every = 3});
  fit.around().fill(1000);
  fit.learn(1000);
  for (int i = 0; i < 3000; ++i) {
    fit.around().fill(whisper);
    fit.learn(whisper);
  }
  CHECK(std::isnormal(fit.forecast()));
}

}  // namespace logpx::linear_forecasts_test
