#include "libcore/math/gaussian_mixture.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/math/mixture_fit.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace logpx::gaussian_mixture_test {
namespace {

using Numbers = std::vector<double>;

struct Parts {
  MixtureForm form;
  std::vector<float> weights, means, factors;
  [[nodiscard]] MixtureNumbers<const float> numbers() const { return {weights, means, factors}; }
  [[nodiscard]] GaussianMixture mixture() const { return {form, numbers()}; }
  // L_ij of component k.
  [[nodiscard]] double factor(std::int64_t k, std::int64_t i, std::int64_t j) const {
    if (form.covariance == Covariance::full)
      return static_cast<double>(factors[at(k * form.scales() + i * form.dims + j)]);
    return i == j ? static_cast<double>(factors[at(k * form.dims + i)]) : 0;
  }
  [[nodiscard]] double mean(std::int64_t k, std::int64_t j) const {
    return static_cast<double>(means[at(k * form.dims + j)]);
  }
};

Parts some_parts(Covariance covariance) {
  Parts parts{{.components = 4, .dims = 5, .covariance = covariance},
              {0.125F, 0.5F, 0, 0.375F},
              random_values<float>(1, 20),
              {}};
  parts.factors = random_values<float>(2, at(4 * parts.form.scales()));
  for (std::int64_t e = 0; e < std::ssize(parts.factors); ++e) {
    float& value = parts.factors[at(e)];
    const std::int64_t i = e % parts.form.scales() / parts.form.dims, j = e % parts.form.dims;
    if (covariance == Covariance::diagonal || i == j) value = 0.3F + std::abs(value);
    else if (j > i) value = 0;
  }
  return parts;
}

// log w_k N(z; m_k, L_k L_k^T) by solving L y = z - m.
double log_part(const Parts& parts, std::int64_t k, std::span<const double> z) {
  double nats = std::log(static_cast<double>(parts.weights[at(k)]));
  Numbers y;
  for (std::int64_t i = 0; i < parts.form.dims; ++i) {
    double rest = z[at(i)] - parts.mean(k, i);
    for (std::int64_t j = 0; j < i; ++j) rest -= parts.factor(k, i, j) * y[at(j)];
    const double deviation = parts.factor(k, i, i);
    y.push_back(rest / deviation);
    nats -= y.back() * y.back() / 2 + std::log(deviation) + std::log(2 * std::numbers::pi) / 2;
  }
  return nats;
}

double log_sum(const Parts& parts, std::span<const double> z) {
  double sum = 0;
  for (const std::int64_t k : {0, 1, 3}) sum += std::exp(log_part(parts, k, z));
  return std::log(sum);
}

constexpr Covariance both[] = {Covariance::full, Covariance::diagonal};

}  // namespace

TEST_CASE("gaussian mixture: log p is the sum over its components, of any number of points") {
  for (const Covariance covariance : both) {
    const Parts parts = some_parts(covariance);
    const GaussianMixture mixture = parts.mixture();
    const Numbers z = random_values<double>(3, 5 * 150);
    Numbers nats(150), joint(150 * 4);
    mixture.log_density(z, nats);
    mixture.log_joint(z, joint);
    for (std::size_t i = 0; i < nats.size(); ++i) {
      const std::span<const double> point = std::span(z).subspan(i * 5, 5);
      CHECK(nats[i] == doctest::Approx(log_sum(parts, point)).epsilon(1e-10));
      CHECK(joint[i * 4 + 1] == doctest::Approx(log_part(parts, 1, point)).epsilon(1e-10));
      CHECK(joint[i * 4 + 2] == -std::numeric_limits<double>::infinity());
    }
  }
}

TEST_CASE("gaussian mixture: slopes are those of differences") {
  for (const Covariance covariance : both) {
    const Parts parts = some_parts(covariance);
    const GaussianMixture mixture = parts.mixture();
    Numbers z = random_values<double>(4, 5 * 70), nats(70), slopes(z.size());
    mixture.log_density(z, nats, slopes);
    for (std::size_t e = 0; e < z.size(); e += 13) {
      constexpr double h = 1e-5;
      const std::size_t row = e / 5 * 5;
      Numbers low(z.begin() + static_cast<std::ptrdiff_t>(row),
                  z.begin() + static_cast<std::ptrdiff_t>(row + 5));
      Numbers high = low;
      low[e % 5] -= h;
      high[e % 5] += h;
      const double slope = (log_sum(parts, high) - log_sum(parts, low)) / (2 * h);
      CHECK(slopes[e] == doctest::Approx(slope).epsilon(1e-6));
    }
  }
}

TEST_CASE("gaussian mixture: a latent after the other gives the density of a component") {
  for (const Covariance covariance : both) {
    const Parts parts = some_parts(covariance);
    const GaussianMixture mixture = parts.mixture();
    const Numbers z = random_values<double>(5, 5);
    double nats = std::log(0.375);
    for (std::size_t j = 0; j < 5; ++j) {
      const GaussianMixture::Normal normal = mixture.next(3, std::span(z).first(j));
      const double off = (z[j] - normal.mean) / normal.deviation;
      nats -= off * off / 2 + std::log(normal.deviation) + std::log(2 * std::numbers::pi) / 2;
    }
    CHECK(nats == doctest::Approx(log_part(parts, 3, z)).epsilon(1e-10));
  }
}

TEST_CASE("gaussian mixture: draws have its means and deviations") {
  constexpr std::size_t count = 100'000;
  for (const Covariance covariance : both) {
    const GaussianMixture mixture = some_parts(covariance).mixture();
    DrawCursor draws(Rng(3).stream(Stream::test, 1));
    Numbers sums(5), squares(5), z(5);
    for (std::size_t i = 0; i < count; ++i) {
      const double u = draws.uniform();
      for (double& value : z) value = draws.normal();
      mixture.draw(u, z, z);
      for (std::size_t j = 0; j < 5; ++j) {
        sums[j] += z[j];
        squares[j] += z[j] * z[j];
      }
    }
    for (std::size_t j = 0; j < 5; ++j) {
      const GaussianMixture::Normal normal = mixture.marginal(static_cast<std::int64_t>(j));
      const double mean = sums[j] / count, variance = squares[j] / count - mean * mean;
      CHECK(std::abs(mean - normal.mean) < 4 * normal.deviation / std::sqrt(count));
      CHECK(std::sqrt(variance) == doctest::Approx(normal.deviation).epsilon(0.02));
    }
  }
}

TEST_CASE("gaussian mixture: what is wrong with numbers is said") {
  const auto fault = [](auto change) {
    Parts parts = some_parts(Covariance::full);
    change(parts);
    return mixture_fault(parts.form, parts.numbers());
  };
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(fault([](Parts&) {}).empty());
  CHECK(fault([&](Parts& p) { p.means[10] = infinity; }).empty());  // of a weight of 0
  CHECK(fault([&](Parts& p) { p.means[5] = infinity; }) ==
        "has a mean that is not a usable number");
  CHECK(fault([&](Parts& p) { p.factors[0] = NAN; }) == "has a factor that is not a usable number");
  CHECK(fault([&](Parts& p) { p.factors[6] = 0; }) == "has a deviation below 1e-6");
  CHECK(fault([&](Parts& p) { p.factors[1] = 1; }) == "has a factor that is no lower triangle");
  CHECK(fault([&](Parts& p) { p.weights[0] = -1; }) == "has a weight that is not between 0 and 1");
  CHECK(fault([&](Parts& p) { p.weights[0] = 0.25F; }) == "has weights that do not sum to 1");
}

TEST_CASE("mixture fit: every pass makes the points more probable, and finds what they follow") {
  for (const Covariance covariance : both) {
    const Parts truth = some_parts(covariance);
    const GaussianMixture source = truth.mixture();
    DrawCursor draws(Rng(5).stream(Stream::test, 2));
    constexpr std::size_t count = 4000;
    Numbers z(count * 5), nats(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::span point = std::span(z).subspan(i * 5, 5);
      const double u = draws.uniform();
      for (double& value : point) value = draws.normal();
      source.draw(u, point, point);
    }
    source.log_density(z, nats);
    double best = 0;
    for (const double value : nats) best += value / count;

    Parts fitted = truth;
    const std::vector<float> places(z.begin(), z.begin() + 20);
    const Numbers deviations(5, 1.5);
    const MixtureNumbers<float> numbers{fitted.weights, fitted.means, fitted.factors};
    start_mixture(fitted.form, places, deviations, numbers);
    double before = -1e9;
    for (int pass = 0; pass < 60; ++pass) {
      Numbers sums(at(mixture_statistics(fitted.form)));
      const double now = add_statistics(fitted.mixture(), z, sums) / count;
      CHECK(now > before - 1e-5);
      before = now;
      maximise_mixture(fitted.form, {}, sums, numbers);
      REQUIRE(mixture_fault(fitted.form, fitted.numbers()).empty());
    }
    CHECK(before > best - 0.05);
  }
}

TEST_CASE("mixture fit: a component without rows is given up for good") {
  Parts parts{{.components = 2, .dims = 1, .covariance = Covariance::full}, {0, 0}, {0, 0}, {0, 0}};
  const MixtureNumbers<float> numbers{parts.weights, parts.means, parts.factors};
  const std::vector<float> places = {0, 1000};
  const Numbers deviations = {1}, z = random_values<double>(6, 100);
  start_mixture(parts.form, places, deviations, numbers);
  for (int pass = 0; pass < 3; ++pass) {
    Numbers sums(at(mixture_statistics(parts.form)));
    static_cast<void>(add_statistics(parts.mixture(), z, sums));
    maximise_mixture(parts.form, {}, sums, numbers);
    CHECK(parts.weights == std::vector<float>{1, 0});
  }
  double mean = 0;
  for (const double value : z) mean += value / 100;
  CHECK(parts.means[0] == doctest::Approx(mean).epsilon(1e-5));
}

}  // namespace logpx::gaussian_mixture_test
