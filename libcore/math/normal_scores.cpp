#include "libcore/math/normal_scores.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace logpx {

NormalScores::NormalScores(std::vector<InverseCdf> inverses, std::int64_t dims)
    : inverses_(std::move(inverses)), dims_(dims) {
  LOGPX_ASSERT(dims >= 1 && z_dims() % dims == 0);
}

template <typename T>
void NormalScores::to_z(std::span<const T> v, std::span<double> z, std::span<double> slopes) const {
  const std::size_t dims = at(dims_), width = inverses_.size();
  LOGPX_ASSERT(v.size() / dims * width == z.size());
  static thread_local std::vector<double> u, phi;  // graphs run without allocations
  u.resize(dims);
  phi.resize(dims);
  for (std::size_t row = 0; row < v.size() / dims; ++row) {
    for (std::size_t d = 0; d < dims; ++d) {
      const double score = static_cast<double>(v[row * dims + d]);
      u[d] = det_ndtr(score);
      phi[d] = det_exp(-score * score / 2) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    }
    for (std::size_t k = 0; k < width; ++k) {
      const std::size_t d = k % dims;
      z[row * width + k] = inverses_[k].quantile(u[d]);
      if (!slopes.empty())
        slopes[row * width + k] = phi[d] * std::max(inverses_[k].slope(u[d]), 0.0);
    }
  }
}

template void NormalScores::to_z<float>(std::span<const float>, std::span<double>,
                                        std::span<double>) const;
template void NormalScores::to_z<double>(std::span<const double>, std::span<double>,
                                         std::span<double>) const;

void NormalScores::pull_back(std::span<const double> dz, std::span<const double> slopes,
                             std::span<float> dv) const {
  const std::size_t dims = at(dims_), width = inverses_.size();
  std::vector<double> sums(dims);
  for (std::size_t row = 0; row < dz.size() / width; ++row) {
    std::ranges::fill(sums, 0);
    for (std::size_t k = 0; k < width; ++k)
      sums[k % dims] += dz[row * width + k] * slopes[row * width + k];
    for (std::size_t d = 0; d < dims; ++d) dv[row * dims + d] = static_cast<float>(sums[d]);
  }
}

void NormalScores::from_z(std::span<const double> z, std::span<float> v) const {
  constexpr double farthest = 8.5;  // where Phi is 1 in double
  const std::size_t dims = at(dims_), width = inverses_.size();
  for (std::size_t row = 0; row < z.size() / width; ++row)
    for (std::size_t d = 0; d < dims; ++d) {
      double low = -farthest, high = farthest;
      for (int step = 0; step < 40; ++step) {
        const double middle = low / 2 + high / 2;
        const bool below = inverses_[d].quantile(det_ndtr(middle)) < z[row * width + d];
        (below ? low : high) = middle;
      }
      v[row * dims + d] = static_cast<float>(high);
    }
}

}  // namespace logpx
