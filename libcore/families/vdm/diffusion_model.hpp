// What scoring, sampling and coding need to know of a diffusion model.
#pragma once

#include "libcore/families/vdm/noise_predictor.hpp"
#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/schedule/noise_schedule.hpp"
#include "libcore/model/data_reading.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace logpx::vdm {

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
