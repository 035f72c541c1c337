// What scoring, sampling and coding need to know of a diffusion model.
#pragma once

#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/schedule/noise_schedule.hpp"
#include "libcore/model/data_reading.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace logpx::vdm {

// The learned function: how much of z is noise. Scoring, sampling and coding know a network through
// this interface alone.   [VDM sec. 3.3; vdm/README 8.1]
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

class DiffusionModel {
 public:
  virtual ~DiffusionModel() = default;
  [[nodiscard]] virtual const ModelInfo& model_info() const = 0;
  [[nodiscard]] virtual const RowReader& reader() const = 0;
  [[nodiscard]] virtual const Likelihood& support() const = 0;  // what x may be
  [[nodiscard]] virtual std::int64_t levels() const = 0;  // of x as it is read; 0: real numbers
  [[nodiscard]] virtual Process process() const = 0;
  // By the current parameters, as are the predictors.
  [[nodiscard]] virtual NoiseSchedule schedule() const = 0;
  [[nodiscard]] virtual const NoisePredictor& predictor() const = 0;
  // The same network, computed bit for bit alike on every machine: for coding.
  [[nodiscard]] virtual std::unique_ptr<const NoisePredictor> repeatable_predictor() const = 0;

  [[nodiscard]] virtual std::int64_t timesteps() const = 0;  // of training; 0: continuous time
  // Measured means of SNR ||x - x_hat||^2 at 65 equally spaced gammas; may be empty.
  [[nodiscard]] virtual std::span<const double> mse_curve() const = 0;
  // The network works without a label, too: some were dropped in training.
  [[nodiscard]] virtual bool knows_no_label() const = 0;
};

}  // namespace logpx::vdm
