// From z_1 to z_0, step by step.   [VDM app. A; vdm/README 10]
//
//   const Sampler sampler(denoiser, gammas, SamplerKind::dpm2m);
//   sampler.run(rows, draw_normals);   // rows.z holds z_1, then z_0
#pragma once

#include "libcore/families/vdm/denoiser.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx::vdm {

// ancestral  draws z_s ~ p(z_s|z_t)
// ddim       follows the probability flow, first order    [DDIM]
// dpm2m      the same, second order, with x_hat of the step before   [DPM-Solver++]
// ode        the same, fourth order, four evaluations a step
enum class SamplerKind { ancestral, ddim, dpm2m, ode };

class Sampler {
 public:
  // Steps stop at `gammas`, which rise.
  Sampler(const Denoiser& denoiser, std::vector<double> gammas, SamplerKind kind)
      : denoiser_(denoiser), gammas_(std::move(gammas)), kind_(kind) {}

  struct Rows {
    std::span<double> z;  // [rows, D]
    std::span<const std::int32_t> labels = {};
  };
  // Fills the normals of step i for all rows, [rows, D]; only `ancestral` asks for them.
  using Draw = std::function<void(std::int64_t step, std::span<double> normals)>;
  // Sees x_hat [rows, D] at step i of T .. 1.
  using Watch = std::function<void(std::int64_t step, std::span<const double> x_hat)>;
  void run(const Rows& rows, const Draw& draw, const Watch& watch = {}) const;

  [[nodiscard]] std::int64_t steps() const { return std::ssize(gammas_) - 1; }

 private:
  const Denoiser& denoiser_;
  std::vector<double> gammas_;
  SamplerKind kind_;
};

}  // namespace logpx::vdm
