// One latent on a coil, x = (sin 5z, z) + noise: given x it sits in one of several narrow modes of
// different height, with hills between them that no chain crosses. log p(x) is a sum over a grid.
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/data/real_vectors.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/eval/log_weights.hpp"
#include "tests/support/latent_models.hpp"

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace logpx::testing {

class CoiledLatent final : public LatentFixture {
 public:
  CoiledLatent() {
    dims_ = 1;
    info_ = {.family = "coil", .data = real_vectors(2), .block = 64};
    info_.samples = info_.data;
    info_.measure = Measure::lebesgue;
  }
  [[nodiscard]] bool has_posterior() const override { return false; }
  [[nodiscard]] Posterior encode(const Examples&) const override {
    fail(ErrorKind::usage, info_.family, "has no encoder");
  }
  [[nodiscard]] std::vector<float> mean(std::span<const float> z) const override {
    std::vector<float> x;
    for (const float one : z) {
      x.push_back(std::sin(static_cast<float>(turns) * one));
      x.push_back(one);
    }
    return x;
  }
  void sample(std::span<const float> z, Rows& out, std::int64_t first, Rng rng) const override {
    std::vector<float> x = mean(z), noise(x.size());
    fill_normals(rng.stream(Stream::sample_model), static_cast<std::uint64_t>(2 * first), noise);
    for (std::size_t e = 0; e < x.size(); ++e) x[e] += static_cast<float>(deviation) * noise[e];
    const auto bytes = std::as_bytes(std::span(x));
    out.x.assign(bytes.begin(), bytes.end());
  }
  [[nodiscard]] double log_likelihood(std::span<const double> x, std::span<const double> z,
                                      std::span<double> gradient) const override {
    const double off[] = {x[0] - std::sin(turns * z[0]), x[1] - z[0]};
    const double variance = deviation * deviation;
    gradient[0] += (off[0] * turns * std::cos(turns * z[0]) + off[1]) / variance;
    return -(off[0] * off[0] + off[1] * off[1]) / (2 * variance) -
           std::log(2 * std::numbers::pi * variance);
  }
  [[nodiscard]] std::vector<double> log_evidence(const Rows& rows) const {
    constexpr double step = 0.002, end = 7;
    std::vector<double> nats;
    for (std::int64_t i = 0; i < rows.count; ++i) {
      const std::vector<double> x = example(rows, static_cast<std::size_t>(i));
      LogWeights sum;
      std::vector<double> slope(1);
      for (double z = -end; z < end; z += step)
        sum.add(log_likelihood(x, std::span(&z, 1), slope) - z * z / 2);
      nats.push_back(sum.log_mean() + std::log(static_cast<double>(sum.count()) * step) -
                     std::log(2 * std::numbers::pi) / 2);
    }
    return nats;
  }

 private:
  static constexpr double turns = 5, deviation = 0.2;
};

}  // namespace logpx::testing
