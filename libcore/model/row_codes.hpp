// Rows as points of a space in which what lies between two of them means something, and back:
// posterior means of models with latents, and what a family without latents has for them.
//
//   if (can.codes) { const Posterior q = can.codes->encode(examples); }
#pragma once

#include "libcore/model/latents.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx {

class RowCodes {
 public:
  virtual ~RowCodes() = default;
  [[nodiscard]] virtual std::int64_t dims() const = 0;
  // Codes as means; without log-variances where there is no doubt about them.
  [[nodiscard]] virtual Posterior encode(const Examples& examples) const = 0;
  // The mean of x for codes z [n, dims]: [n, dims of x], in order and units of info().samples.
  [[nodiscard]] virtual std::vector<float> mean(std::span<const float> z) const = 0;
};

// Those that a model has by its latents.
[[nodiscard]] std::unique_ptr<RowCodes> codes_by(std::shared_ptr<const ModelLatents> latents);

}  // namespace logpx
