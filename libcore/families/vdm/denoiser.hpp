// A network with its process. Its answer may be changed: x_hat clipped to the range of x, or the
// answer for a label pushed away from that without one.
// [vdm/README 3.3]
#pragma once

#include "libcore/families/vdm/diffusion_model.hpp"
#include "libcore/families/vdm/process.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace logpx::vdm {

class Denoiser {
 public:
  Denoiser(const NoisePredictor& network, const Process& process)
      : network_(network), process_(process) {}
  // x_hat is kept within [-limit, limit].
  Denoiser& clip_to(std::optional<double> limit) { return limit_ = limit, *this; }
  // eps_hat = (1 + weight) eps_hat(z|label) - weight eps_hat(z|no label)
  Denoiser& guide_by(double weight) { return guidance_ = weight, *this; }

  [[nodiscard]] std::int64_t dims() const { return network_.dims(); }
  [[nodiscard]] const Process& process() const { return process_; }

  // Rows of z of the process, each at its own noise level; labels as in NoisyRows.
  struct Rows {
    std::span<const double> z;
    std::span<const NoiseLevel> levels;
    std::span<const std::int32_t> labels = {};
  };
  void noise(const Rows& rows, std::span<double> noise) const;
  // direction^T (d eps_hat / d z), beside eps_hat; x_hat is not clipped here.
  void noise_with_slope(const Rows& rows, std::span<const double> direction,
                        std::span<double> noise, std::span<double> slope) const;

 private:
  void predict(const NoisyRows& rows, std::span<double> noise) const;
  void clip(const Rows& rows, std::span<double> noise) const;

  const NoisePredictor& network_;
  Process process_;
  std::optional<double> limit_;
  double guidance_ = 0;
};

}  // namespace logpx::vdm
