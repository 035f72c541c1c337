// The ordinary differential equation with the same marginals as the diffusion:
//
//   dz/dgamma = (d ln alpha / d gamma) z + (sigma / 2) eps_hat(z, gamma)
//
// and the density that it gives z_0.   [vdm/README 11.3]
#pragma once

#include "libcore/families/vdm/denoiser.hpp"
#include "libcore/families/vdm/schedule/noise_schedule.hpp"
#include "libcore/math/row_ode.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace logpx::vdm {

// How the trace of the slope is found: from one random direction for each row, or from all axes.
enum class Trace { hutchinson, exact };
inline constexpr std::int64_t most_exact_dims = 64;

struct FlowSteps {
  std::int64_t count = 100;
  double tolerance = 0;  // above 0: adaptive steps instead
};

class ProbabilityFlow {
 public:
  ProbabilityFlow(const Denoiser& denoiser, const Endpoints& ends)
      : denoiser_(denoiser), ends_(ends) {}

  // z_1 [rows, D] becomes z_0, and back.
  void to_data(std::span<double> z, std::span<const std::int32_t> labels,
               const FlowSteps& steps) const {
    follow(z, labels, steps, {ends_.last, ends_.first});
  }
  void to_noise(std::span<double> z, std::span<const std::int32_t> labels,
                const FlowSteps& steps) const {
    follow(z, labels, steps, {ends_.first, ends_.last});
  }
  // ln p(z_0) of each row. The trace is estimated along `directions` [rows, D] of signs, or exact.
  struct Rows {
    std::span<const double> z;
    std::span<const std::int32_t> labels = {};
    std::span<const double> directions = {};
  };
  [[nodiscard]] std::vector<double> log_density(const Rows& rows, const FlowSteps& steps) const;

 private:
  void follow(std::span<double> z, std::span<const std::int32_t> labels, const FlowSteps& steps,
              std::pair<double, double> range) const;
  [[nodiscard]] RowOde with_density(const Rows& rows) const;
  const Denoiser& denoiser_;
  Endpoints ends_;
};

}  // namespace logpx::vdm
