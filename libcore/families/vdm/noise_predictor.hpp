// The learned function: how much of z is noise. Scoring, sampling and coding know a network through
// this interface alone.   [VDM sec. 3.3; vdm/README 8.1]
#pragma once

#include <cstdint>
#include <span>

namespace logpx::vdm {

inline constexpr std::int32_t no_label = -1;

// Rows of z of the variance-preserving process, each at its own gamma, for one pass. What comes out
// for a row does not depend on the others beyond rounding.
struct NoisyRows {
  std::span<const double> z;                  // [rows, D]
  std::span<const double> gamma;              // [rows]
  std::span<const std::int32_t> labels = {};  // [rows], no_label for none; empty: none at all
};

class NoisePredictor {
 public:
  virtual ~NoisePredictor() = default;
  [[nodiscard]] virtual std::int64_t dims() const = 0;
  [[nodiscard]] virtual std::int64_t classes() const { return 0; }  // labels are below this
  // eps_hat(z, gamma) [rows, D]. Both may be called from several threads at once.
  virtual void predict(const NoisyRows& rows, std::span<double> noise) const = 0;
  // Also gives the slope along `direction` [rows, D]: direction^T (d eps_hat / d z), [rows, D].
  virtual void predict_with_slope(const NoisyRows& rows, std::span<const double> direction,
                                  std::span<double> noise, std::span<double> slope) const = 0;
};

}  // namespace logpx::vdm
