#include "libcore/math/principal_axes.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/eigen.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace logpx {
namespace {

struct MatrixRef {
  std::span<const double> values;
  std::int64_t columns;
  Trans trans = Trans::no;
};

// op(a) op(b), [m,n] with k in between.
std::vector<double> matrix_product(const MatrixRef& a, const MatrixRef& b, std::int64_t m,
                                   std::int64_t n, std::int64_t k) {
  std::vector<double> c(at(m * n));
  gemm(Gemm<double>{.trans_a = a.trans,
                    .trans_b = b.trans,
                    .m = m,
                    .n = n,
                    .k = k,
                    .a = a.values.data(),
                    .lda = a.columns,
                    .b = b.values.data(),
                    .ldb = b.columns,
                    .c = c.data(),
                    .ldc = n});
  return c;
}

std::vector<double> centred(std::span<const double> x, const std::vector<double>& mean) {
  std::vector<double> moved(x.begin(), x.end());
  for (std::size_t e = 0; e < moved.size(); ++e) moved[e] -= mean[e % mean.size()];
  return moved;
}

// Length 1, and the entry of largest size above 0.
void normalise(std::span<double> axis) {
  double square = 0, largest = 0;
  for (const double value : axis) {
    square += value * value;
    if (std::fabs(value) > std::fabs(largest)) largest = value;
  }
  if (square == 0) return;
  const double scale = std::copysign(1 / std::sqrt(square), largest);
  for (double& value : axis) value *= scale;
}

}  // namespace

PrincipalAxes principal_axes(std::span<const double> x, const DataShape& shape, std::int64_t axes) {
  const auto [rows, dims] = shape;
  LOGPX_ASSERT(rows >= 2 && std::ssize(x) == rows * dims && axes >= 1 &&
               axes <= std::min(rows - 1, dims));
  PrincipalAxes result;
  result.mean.resize(at(dims));
  for (std::size_t e = 0; e < x.size(); ++e) result.mean[e % at(dims)] += x[e];
  for (double& value : result.mean) value /= static_cast<double>(rows);

  const std::vector<double> data = centred(x, result.mean);
  const bool few_rows = rows < dims;
  const std::int64_t size = std::min(rows, dims);
  const MatrixRef plain{data, dims}, turned{data, dims, Trans::yes};
  const SymmetricEigen eigen =
      symmetric_eigen(few_rows ? matrix_product(plain, turned, size, size, dims)
                               : matrix_product(turned, plain, size, size, rows),
                      size);
  // The largest first.
  std::vector<double> vectors;
  for (std::int64_t a = 0; a < axes; ++a) {
    const auto row = eigen.vectors.begin() + (size - 1 - a) * size;
    vectors.insert(vectors.end(), row, row + size);
    result.variances.push_back(std::max(eigen.values[at(size - 1 - a)], 0.0) /
                               static_cast<double>(rows - 1));
  }
  result.components =
      few_rows ? matrix_product({vectors, size}, plain, axes, dims, rows) : std::move(vectors);
  for (std::int64_t a = 0; a < axes; ++a)
    normalise(std::span(result.components).subspan(at(a * dims), at(dims)));
  return result;
}

PrincipalAxes axes_of_covariance(std::vector<double> mean, std::span<const double> covariance,
                                 std::int64_t axes) {
  const std::int64_t dims = std::ssize(mean);
  LOGPX_ASSERT(std::ssize(covariance) == dims * dims && axes >= 1 && axes <= dims);
  const SymmetricEigen eigen = symmetric_eigen(covariance, dims);
  PrincipalAxes result;
  result.mean = std::move(mean);
  for (std::int64_t a = 0; a < axes; ++a) {
    const auto row = eigen.vectors.begin() + (dims - 1 - a) * dims;
    result.components.insert(result.components.end(), row, row + dims);
    result.variances.push_back(std::max(eigen.values[at(dims - 1 - a)], 0.0));
    normalise(std::span(result.components).subspan(at(a * dims), at(dims)));
  }
  return result;
}

std::vector<double> PrincipalAxes::scores(std::span<const double> x) const {
  const std::vector<double> data = centred(x, mean);
  return matrix_product({data, dims()}, {components, dims(), Trans::yes}, std::ssize(x) / dims(),
                        axes(), dims());
}

std::vector<double> PrincipalAxes::points(std::span<const double> scores) const {
  std::vector<double> x = matrix_product({scores, axes()}, {components, dims()},
                                         std::ssize(scores) / axes(), dims(), axes());
  for (std::size_t e = 0; e < x.size(); ++e) x[e] += mean[e % mean.size()];
  return x;
}

}  // namespace logpx
