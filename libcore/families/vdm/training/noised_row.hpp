// What is known of a row before any network: x as networks read it, and the terms of the bound at
// both ends, with their slopes.   [vdm/README 2, 6]
#pragma once

#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/reconstruction.hpp"

#include <cstdint>
#include <span>

namespace logpx::vdm {

// Levels 0 .. V-1 to (-1, 1), in place; real numbers stay.
void to_network_values(std::int64_t levels, std::span<float> x);

// Nats of all components, and their slope with respect to the endpoint.
struct EndTerm {
  double nats = 0, slope = 0;
};
[[nodiscard]] EndTerm prior_end_term(double gamma_1, std::span<const float> x);

// -log p(x|z_0), x as networks read it, with z_0 / alpha_0 = x + e^(gamma_0 / 2) noise; for real
// numbers its expectation.
class ReconTerm {
 public:
  ReconTerm(std::int64_t levels, double gamma_0);
  [[nodiscard]] double nats(std::span<const float> x, std::span<const float> noise) const;
  [[nodiscard]] EndTerm with_slope(std::span<const float> x, std::span<const float> noise) const;

 private:
  [[nodiscard]] std::int64_t level_of(float x) const;
  [[nodiscard]] EndTerm of_reals(std::size_t dims) const;
  std::int64_t levels_;
  double gamma_0_, deviation_;
  LevelDecoder decoder_;
};

// z = alpha x + sigma noise of the variance-preserving process.
void mix_noise(const NoiseLevel& level, std::span<const float> x, std::span<const float> noise,
               std::span<float> z);
// <dm/dz, dz/dgamma>
[[nodiscard]] double slope_along(const NoiseLevel& level, std::span<const float> x,
                                 std::span<const float> noise, std::span<const float> by_z);

}  // namespace logpx::vdm
