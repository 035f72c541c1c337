// What scores, samples and codes need to know of a model of this family.
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
  // By the parameters as they are now, as are the predictors.
  [[nodiscard]] virtual NoiseSchedule schedule() const = 0;
  [[nodiscard]] virtual const NoisePredictor& predictor() const = 0;
  // The same network by numbers that are equal on every machine, for a coder.
  [[nodiscard]] virtual std::unique_ptr<const NoisePredictor> repeatable_predictor() const = 0;

  [[nodiscard]] virtual std::int64_t timesteps() const = 0;  // of its training; 0: continuous time
  // The mean of SNR ||x - x_hat||^2 at 65 equally spaced gammas, measured; or none.
  [[nodiscard]] virtual std::span<const double> mse_curve() const = 0;
  // It works without a label: some were dropped while it was trained.
  [[nodiscard]] virtual bool knows_no_label() const = 0;
};

}  // namespace logpx::vdm
