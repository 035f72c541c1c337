// Rows of which samples keep a part.
#pragma once

#include "libcore/families/vdm/diffusion_model.hpp"
#include "libcore/model/completion.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::vdm {

class GivenRows {
 public:
  GivenRows(const DiffusionModel& model, KnownRows given);

  // The row that a sample completes, [D], as networks read it:
  [[nodiscard]] std::span<const double> x(std::int64_t item) const;
  [[nodiscard]] std::span<const std::uint8_t> known(std::int64_t item) const;
  // Puts what is known into a row as networks read it, or as likelihoods do: levels, real numbers.
  void keep(std::int64_t item, std::span<double> x) const;
  void keep_values(std::int64_t item, std::span<float> x) const;
  // Puts real numbers into row `to` bit for bit, which scaling them may have rounded.
  void keep_stored(std::int64_t item, std::int64_t to, Rows& rows) const;

 private:
  [[nodiscard]] std::int64_t row_of(std::int64_t item) const;
  std::int64_t levels_, dims_;
  KnownRows given_;
  std::vector<double> x_;
  std::vector<std::uint8_t> known_;  // [D], or of each row
};

}  // namespace logpx::vdm
