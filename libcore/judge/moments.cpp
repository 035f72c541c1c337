#include "libcore/judge/moments.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t rows_of_block = 512, tile = 256;

// Subtracts the mean from rows [rows,d] and returns it.
std::vector<double> centre(std::span<double> rows, std::int64_t d) {
  const std::int64_t n = std::ssize(rows) / d;
  std::vector<double> mean(at(d));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < d; ++j) mean[at(j)] += rows[at(i * d + j)];
  for (double& value : mean) value /= static_cast<double>(n);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < d; ++j) rows[at(i * d + j)] -= mean[at(j)];
  return mean;
}

struct TilePlace {
  std::int64_t row, column;
};

// The tiles on and below the diagonal.
std::vector<TilePlace> tiles_of(std::int64_t d) {
  std::vector<TilePlace> tiles;
  for (std::int64_t row = 0; row < d; row += tile)
    for (std::int64_t column = 0; column <= row; column += tile) tiles.push_back({row, column});
  return tiles;
}

}  // namespace

double Moments::trace() const {
  double sum = 0;
  for (std::int64_t i = 0; i < d(); ++i) sum += covariance[at(i * (d() + 1))];
  return sum;
}

MomentSums::MomentSums(std::int64_t d, Workers* workers)
    : d_(d), workers_(workers), mean_(at(d)), scatter_(at(d * d)) {
  LOGPX_ASSERT(d >= 1);
}

void MomentSums::append(std::span<const double> rows) { take(rows); }
void MomentSums::append(std::span<const float> rows) { take(rows); }

template <typename T>
void MomentSums::take(std::span<const T> rows) {
  LOGPX_ASSERT(std::ssize(rows) % d_ == 0);
  for (auto left = rows; !left.empty();) {
    const std::int64_t count = std::min(rows_of_block - pending_, std::ssize(left) / d_);
    block_.resize(at(pending_ * d_));
    block_.insert(block_.end(), left.begin(), left.begin() + count * d_);
    left = left.subspan(at(count * d_));
    pending_ += count;
    if (pending_ == rows_of_block) join_block();
  }
}

// scatter += B^T B + (n m / (n + m)) delta delta^T for a centred block B of m rows, delta the
// difference of both means.
void MomentSums::join_block() {
  if (pending_ == 0) return;
  const std::vector<double> block_mean = centre(block_, d_);
  const auto old_n = static_cast<double>(n_), count = static_cast<double>(pending_);
  const double share = count / (old_n + count);
  std::vector<double> delta(at(d_));
  for (std::size_t j = 0; j < delta.size(); ++j) delta[j] = block_mean[j] - mean_[j];

  const std::vector<TilePlace> tiles = tiles_of(d_);
  const auto join_tile = [&](std::int64_t number) {
    single_threaded_kernels();
    const auto [row, column] = tiles[at(number)];
    const std::int64_t height = std::min(tile, d_ - row), width = std::min(tile, d_ - column);
    gemm(Gemm<double>{.trans_a = Trans::yes,
                      .m = height,
                      .n = width,
                      .k = pending_,
                      .a = block_.data() + row,
                      .lda = d_,
                      .b = block_.data() + column,
                      .ldb = d_,
                      .c = scatter_.data() + row * d_ + column,
                      .ldc = d_,
                      .beta = 1});
    for (std::int64_t i = row; i < row + height; ++i) {
      const double factor = old_n * share * delta[at(i)];
      for (std::int64_t j = column; j < column + width; ++j)
        scatter_[at(i * d_ + j)] += factor * delta[at(j)];
    }
  };
  run_blocks(workers_, std::ssize(tiles), join_tile);

  for (std::size_t j = 0; j < delta.size(); ++j) mean_[j] += share * delta[j];
  n_ += pending_;
  pending_ = 0;
  block_.clear();
}

Moments MomentSums::finish() {
  join_block();
  LOGPX_ASSERT(n_ >= 2);
  Moments moments{.n = n_, .mean = std::move(mean_), .covariance = std::move(scatter_)};
  const double scale = 1 / static_cast<double>(n_ - 1);
  std::vector<double>& covariance = moments.covariance;
  // By tiles, since one half is written down columns.
  for (const auto [row, column] : tiles_of(d_))
    for (std::int64_t i = row; i < std::min(row + tile, d_); ++i)
      for (std::int64_t j = column; j < std::min(column + tile, i + 1); ++j)
        covariance[at(j * d_ + i)] = covariance[at(i * d_ + j)] *= scale;
  return moments;
}

Moments moments_of(const FeatureView& features, const RowList& rows) {
  MomentSums sums(features.d);
  std::vector<double> gathered;
  for (std::size_t begin = 0; begin < rows.size(); begin += at(rows_of_block)) {
    gathered.clear();
    const std::size_t end = std::min(rows.size(), begin + at(rows_of_block));
    for (std::size_t i = begin; i < end; ++i)
      gathered.insert(gathered.end(), features.row(rows[i]), features.row(rows[i]) + features.d);
    sums.append(std::span<const double>(gathered));
  }
  return sums.finish();
}

Moments moments_of(const FeatureView& features, Workers& workers) {
  MomentSums sums(features.d, &workers);
  sums.append(features.values);
  return sums.finish();
}

}  // namespace logpx
