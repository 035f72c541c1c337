// Whole numbers of any size: a gaussian's mass around each.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/leaf.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace logpx::whole_gaussian_test {

using namespace logpx::pc;

namespace {

const std::unique_ptr<Leaf> leaf = make_leaf(LeafKind::dgaussian, 0);

double nats_of(std::span<const double> q, double k) {
  double nats = 0;
  leaf->log_p(q, std::span(&k, 1), std::span(&nats, 1));
  return nats;
}

}  // namespace

TEST_CASE("pc: masses of a gaussian at all whole numbers sum to 1") {
  for (const auto& q : {std::array{0.3, 0.25}, std::array{-7.5, 2.0}, std::array{1e6, 40.0}}) {
    double sum = 0;
    for (double k = std::floor(q[0] - 12 * q[1]) - 1; k < q[0] + 12 * q[1] + 1; ++k)
      sum += std::exp(nats_of(q, k));
    CHECK(sum == doctest::Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("pc: masses far from a gaussian's mean are as small as the density says") {
  const std::array q = {0.0, 1.0};
  for (const double k : {-200.0, 200.0, 30.0}) {
    // The nearer end of the interval decides: -z^2/2 - log z - log sqrt(2 pi).
    const double z = std::abs(k) - 0.5;
    CHECK(nats_of(q, k) == doctest::Approx(-z * z / 2 - std::log(z) - 0.918939).epsilon(1e-4));
  }
  CHECK(nats_of(std::array{0.0, 1e6}, 3) == doctest::Approx(-std::log(1e6) - 0.918938533));
}

TEST_CASE("pc: masses of wide gaussians are those of their intervals, whichever way is taken") {
  const std::array q = {3.3, 8.5};
  const auto below = [&](double x) { return 0.5 * std::erfc(-(x - q[0]) / q[1] / std::sqrt(2)); };
  for (const double k : {3.0, -12.0, 20.0, 37.0, 38.0, -40.0})
    CHECK(std::exp(nats_of(q, k)) ==
          doctest::Approx(below(k + 0.5) - below(k - 0.5)).epsilon(1e-7));
}

TEST_CASE("pc: EM of whole numbers never lets the likelihood fall, and finds mean and deviation") {
  const std::vector<double> data = {-3, -1, -1, 0, 0, 0, 1, 2, 2, 5};
  std::vector<double> q = {4, 0.5};
  double before = -1e9;
  for (int step = 0; step < 200; ++step) {
    double now = 0;
    std::vector<double> sums(3);
    for (const double k : data) {
      now += nats_of(q, k);
      leaf->add_statistics(q, k, 1, sums);
    }
    CHECK(now >= before - 1e-9);
    before = now;
    leaf->maximise(sums, {}, q);
  }
  CHECK(q[0] == doctest::Approx(0.5).epsilon(0.02));
  CHECK(q[1] * q[1] == doctest::Approx(4.25 - 1.0 / 12).epsilon(0.02));
}

TEST_CASE("pc: draws and modes of whole numbers are whole") {
  const std::array q = {2.4, 3.0};
  CHECK(leaf->mode(q) == 2);
  for (const double deviations : {-1.3, 0.2, 2.7}) {
    const double value = leaf->value_at(q, deviations);
    CHECK(value == std::floor(value));
  }
}

}  // namespace logpx::whole_gaussian_test
