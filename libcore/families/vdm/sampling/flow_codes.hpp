// Codes of rows by the probability flow: z_1, where a row is carried to without any noise, and
// back. Under the model they are standard normal.   [vdm/README 10.2]
#pragma once

#include "libcore/families/vdm/diffusion_model.hpp"
#include "libcore/model/latents.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::vdm {

class FlowCodes {
 public:
  explicit FlowCodes(const DiffusionModel& model) : model_(model) {}
  [[nodiscard]] std::int64_t dims() const { return model_.predictor().dims(); }
  // As RowCodes has them. A usage error if the model works with a class alone.
  [[nodiscard]] Posterior encode(const Examples& examples) const;
  [[nodiscard]] std::vector<float> mean(std::span<const float> z) const;

 private:
  [[nodiscard]] std::vector<std::int32_t> no_labels(std::size_t rows) const;
  const DiffusionModel& model_;
};

}  // namespace logpx::vdm
