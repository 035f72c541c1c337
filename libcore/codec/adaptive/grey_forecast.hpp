// A pixel of a grey raster foretold in three ways: by two sums that least squares keep fitting to
// the pixels that came, of the nearest neighbours and a short memory, and of more and a long one;
// and by the mean of both, in which each counts by how far it was off around here.
#pragma once

#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/adaptive/linear_forecasts.hpp"
#include "libcore/codec/adaptive/past.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace logpx::codec::adaptive {

class GreyForecast {
 public:
  static constexpr int ways = 3;
  static constexpr std::size_t mean = 2;  // the number of the last way

  explicit GreyForecast(const Form& form);

  // Foretells the pixel that comes next.
  void foretell(const Past& past);
  // The pixel that was foretold; one that was not is passed over.
  void learn(std::uint8_t pixel);
  void pass() {
    if (++column_ == above_.size()) column_ = 0;
  }

  [[nodiscard]] double value(std::size_t way) const { return values_[way]; }  // 0 to 255
  [[nodiscard]] int rounded(std::size_t way) const { return static_cast<int>(values_[way] + 0.5); }
  [[nodiscard]] double error(std::size_t way) const { return expected_errors_[way]; }

 private:
  static constexpr std::size_t near = 12, wide = 20;
  using Errors = std::array<float, ways>;

  void expect_errors();
  [[nodiscard]] double weighted_mean() const;

  std::size_t row_;
  RecursiveSquares<near> near_{{.keep = 0.998, .ridge = 1, .every = 16}};
  RecursiveSquares<wide> wide_{{.keep = 0.9995, .ridge = 1, .every = 16}};
  std::array<double, ways> values_ = {}, expected_errors_ = {};
  Errors left_ = {8, 8, 8};    // errors of pixels to the left, of which the last counts most
  std::vector<Errors> above_;  // of those above, where each row counts twice the one above it
  std::size_t column_ = 0;
};

}  // namespace logpx::codec::adaptive
