// Data read as their scores on a few principal axes, and the way back: what a model sees is then
// [rows,K], and its log p is a density of these scores.   [kaem/README 3.3]
//
//   AxisReading axes(784, 8, AxisScale::as_they_are);
//   axes.fit(rows);                        // [n,784]; or read from a file through tensors()
//   axes.scores(x, y);  axes.point(y, x);
#pragma once

#include "libcore/math/tensor_ref.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

enum class AxisScale { as_they_are, whitened };  // whitened: each score over its deviation

class AxisReading {
 public:
  AxisReading(std::int64_t dims, std::int64_t axes, AxisScale scale);

  // A usage error when there are too few rows for so many axes, a data error when x does not vary
  // along an axis whose scores are to be whitened.
  void fit(std::span<const double> rows);
  // Memory of fit(), the rows included.
  [[nodiscard]] std::int64_t bytes_to_fit(std::int64_t rows) const;
  void scores(std::span<const float> x, std::span<float> y) const;  // [D] to [K]
  void point(std::span<const float> y, std::span<float> x) const;   // mean + scores times axes

  [[nodiscard]] std::int64_t dims() const { return mean_.size(); }
  [[nodiscard]] std::int64_t axes() const { return variances_.size(); }
  // "8 principal axes", "8 whitened principal axes"
  [[nodiscard]] std::string text() const;
  // pca/mean [D], pca/components [K,D], pca/variances [K].
  [[nodiscard]] std::vector<TensorRef> tensors();
  // A data error for numbers that no fit could give.
  void check() const;

 private:
  [[nodiscard]] double size_of(std::int64_t axis) const;  // what scores are divided by
  AxisScale scale_;
  Tensor<double> mean_, components_, variances_;
};

}  // namespace logpx
