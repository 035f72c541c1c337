// Rows as points of a space in which what lies between two of them means something, and back:
// posterior means of models with latents, and what a family without latents has for them.
//
//   const std::shared_ptr<const RowCodes> codes = codes_of(can);
//   if (codes != nullptr) { const Posterior q = codes->encode(examples); }
#pragma once

#include "libcore/model/abilities.hpp"

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

// Those of its latents, or of a sampling plan that is RowCodes, too; null if it has neither.
[[nodiscard]] std::shared_ptr<const RowCodes> codes_of(const Abilities& can);

}  // namespace logpx
