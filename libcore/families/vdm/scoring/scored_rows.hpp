// Rows to be scored, and the error of the network at any noise.
// [VDM sec. 3.3, 4.1; vdm/README 11]
#pragma once

#include "libcore/families/vdm/denoiser.hpp"
#include "libcore/families/vdm/diffusion_model.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::vdm {

enum class Labels { used, ignored };

struct ScoredRows {
  std::int64_t count = 0, dims = 0;
  std::int64_t first = 0;            // number of the first in its dataset: addresses their noise
  std::vector<double> x;             // [count, dims]
  std::vector<std::int32_t> labels;  // [count], or none

  [[nodiscard]] std::span<const double> row(std::int64_t i) const;
  [[nodiscard]] std::uint32_t number(std::int64_t i) const {
    return static_cast<std::uint32_t>(first + i);
  }
};
// A data error if the model has classes and the rows have no labels.
[[nodiscard]] ScoredRows take_rows(const DiffusionModel& model, const Examples& examples,
                                   Labels labels);

// Draw number `draw` of a row, eps [dims]: for the diffusion term, and for z_0.
void draw_noise(const Rng& rng, std::uint32_t row, std::uint64_t draw, std::span<double> eps);
void draw_first_noise(const Rng& rng, std::uint32_t row, std::uint64_t draw, std::span<double> eps);

struct NoisyPlace {
  std::int64_t row = 0;
  double gamma = 0;
  std::uint64_t draw = 0;
};
// ||eps - eps_hat(z, gamma)||^2 of each place.
[[nodiscard]] std::vector<double> denoising_errors(const Denoiser& denoiser, const ScoredRows& rows,
                                                   std::span<const NoisyPlace> places,
                                                   const Rng& rng);

// Terms without a network: ln p(x|z_0) for r = z_0 / alpha_0 = x + e^(gamma_0 / 2) eps, and the KL
// of z_1.
[[nodiscard]] double log_reconstruction(std::int64_t levels, double gamma_0,
                                        std::span<const double> x, std::span<const double> r);
[[nodiscard]] double prior_term(double gamma_1, std::span<const double> x);

}  // namespace logpx::vdm
