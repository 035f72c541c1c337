#include "libcore/eval/gradient_study.hpp"

#include "libcore/det/draws.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::gradient_study_test {
namespace {

// Gradients that are N(k, (k+1)^2) in element k, from two estimators of which one is noiseless.
class NoisyGradients final : public ModelGradients {
 public:
  [[nodiscard]] std::vector<std::string> estimators() const override { return {"noisy", "exact"}; }
  [[nodiscard]] std::vector<Part> parts() const override { return {{"a", 1}, {"b", 2}}; }
  void draw(const Examples&, const std::string& estimator, std::uint32_t repeat, Rng rng,
            std::span<float> out) const override {
    for (std::size_t k = 0; k < 3; ++k) {
      const double noise =
          estimator == "exact" ? 0 : normal_at(rng.stream(Stream::evaluation, repeat), k);
      out[k] = static_cast<float>(static_cast<double>(k) + static_cast<double>(k + 1) * noise);
    }
  }
};

}  // namespace

TEST_CASE("gradient study: the offset leaves the pathwise estimator alone and raises the score's") {
  const ToyStudy plain{.mu = 0.5, .sigma = 0.7, .a = 2, .offset = 0, .num = 30, .repeats = 400'000};
  ToyStudy lifted = plain;
  lifted.offset = 50;
  const auto a = study_toy(plain, Rng(1)), b = study_toy(lifted, Rng(1));
  for (std::size_t e = 0; e < 2; ++e) {
    CHECK(a[e].estimator == "pathwise");
    CHECK(a[e].variance == b[e].variance);
    CHECK(a[e].exact_variance == b[e].exact_variance);
  }
  for (std::size_t e = 2; e < 4; ++e) {
    CHECK(b[e].exact_variance > 10 * a[e].exact_variance);
    CHECK(b[e].variance == doctest::Approx(b[e].exact_variance).epsilon(0.05));
    CHECK(b[e].truth == a[e].truth);
  }
  // About c^2 / sigma^2.
  CHECK(b[2].exact_variance == doctest::Approx(2500 / 0.49).epsilon(0.2));
}

TEST_CASE("gradient study: single draws and their running mean") {
  const auto studied = study_toy({.num = 50, .repeats = 50}, Rng(1));
  for (const ToyEstimator& e : studied) {
    REQUIRE(e.draws.size() == 50);
    CHECK(e.running_mean.front() == e.draws.front());
    CHECK(e.running_mean.back() == doctest::Approx(e.mean));
  }
}

TEST_CASE("gradient study: variance per tensor of a model's estimators for any threads") {
  const NoisyGradients model;
  const DatasetInfo info;
  const Rows rows;
  std::vector<std::vector<EstimatorVariance>> all;
  for (const int threads : {1, 3}) {
    Workers workers(threads);
    all.push_back(study_gradients(model, {info, rows}, 4000, Rng(1), workers));
  }
  REQUIRE(all[0].size() == 2);
  const EstimatorVariance &noisy = all[0][0], &exact = all[0][1];
  CHECK(noisy.parts[0].name == "a");
  CHECK(noisy.parts[0].variance == doctest::Approx(1).epsilon(0.1));
  CHECK(noisy.parts[1].variance == doctest::Approx((4 + 9) / 2.0).epsilon(0.1));
  CHECK(noisy.parts[1].mean_square == doctest::Approx((1 + 4) / 2.0).epsilon(0.2));
  CHECK(exact.parts[1].variance == 0);
  CHECK(all[0][0].parts[1].variance == all[1][0].parts[1].variance);
}

}  // namespace logpx::gradient_study_test
