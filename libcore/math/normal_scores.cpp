#include "libcore/math/normal_scores.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace logpx {

NormalScores::NormalScores(std::vector<InverseCdf> inverses, std::int64_t dims)
    : inverses_(std::move(inverses)), dims_(dims) {
  LOGPX_ASSERT(dims >= 1 && z_dims() % dims == 0);
}

namespace {

// Columns of some rows: an inverse is quicker with many u at once.
struct ScoreColumns {
  static constexpr std::size_t most_rows = 128;
  std::size_t rows = 0;
  std::vector<double> u, phi;  // [dims, rows]
  std::array<double, most_rows> z{}, slopes{};

  template <typename T>
  void take(std::span<const T> v, std::size_t dims) {
    rows = v.size() / dims;
    u.resize(v.size());
    phi.resize(v.size());
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t d = 0; d < dims; ++d) {
        const double score = static_cast<double>(v[row * dims + d]);
        u[d * rows + row] = det_ndtr(score);
        phi[d * rows + row] =
            det_exp(-score * score / 2) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
      }
  }
};

}  // namespace

template <typename T>
void NormalScores::to_z(std::span<const T> v, std::span<double> z, std::span<double> slopes) const {
  const std::size_t dims = at(dims_), width = inverses_.size(), all = v.size() / dims;
  LOGPX_ASSERT(all * width == z.size());
  static thread_local ScoreColumns columns;  // graphs run without allocations
  for (std::size_t first = 0; first < all; first += ScoreColumns::most_rows) {
    const std::size_t rows = std::min(all - first, ScoreColumns::most_rows);
    columns.take(v.subspan(first * dims, rows * dims), dims);
    for (std::size_t k = 0; k < width; ++k) {
      const std::size_t from = k % dims * rows, to = first * width + k;
      const std::span<const double> u = std::span(columns.u).subspan(from, rows);
      const std::span<double> own = std::span(columns.z).first(rows);
      inverses_[k].quantiles(u, own);
      for (std::size_t i = 0; i < rows; ++i) z[to + i * width] = own[i];
      if (slopes.empty()) continue;
      const std::span<double> by_u = std::span(columns.slopes).first(rows);
      inverses_[k].slopes(u, own, by_u);
      for (std::size_t i = 0; i < rows; ++i)
        slopes[to + i * width] = columns.phi[from + i] * std::max(by_u[i], 0.0);
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
