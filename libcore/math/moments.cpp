#include "libcore/math/moments.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::int64_t rows_joined_together = 256, columns_of_band = 128;

}  // namespace

MomentSums::MomentSums(std::int64_t dims)
    : dims_(dims), mean_(at(dims)), products_(at(dims * dims)) {
  block_.reserve(at(rows_joined_together * dims));
}

template <typename T>
void MomentSums::take(std::span<const T> rows, Workers& workers) {
  LOGPX_ASSERT(std::ssize(rows) % dims_ == 0);
  for (std::size_t from = 0; from < rows.size(); from += at(dims_)) {
    const auto row = rows.subspan(from, at(dims_));
    block_.insert(block_.end(), row.begin(), row.end());
    ++rows_;
    if (std::ssize(block_) == rows_joined_together * dims_) join_block(workers);
  }
}

void MomentSums::add(std::span<const float> rows, Workers& workers) { take(rows, workers); }
void MomentSums::add(std::span<const double> rows, Workers& workers) { take(rows, workers); }

// With n rows of mean m before, and k of mean b in the block, whose mean is d = b - m further:
//   products += sum (x - b)(x - b)^T + d d^T n k / (n + k),   mean += d k / (n + k)
void MomentSums::join_block(Workers& workers) {
  const std::int64_t count = std::ssize(block_) / dims_;
  if (count == 0) return;
  std::vector<double> step(at(dims_));
  for (std::size_t e = 0; e < block_.size(); ++e) step[e % at(dims_)] += block_[e];
  for (double& sum : step) sum /= static_cast<double>(count);
  for (std::size_t e = 0; e < block_.size(); ++e) block_[e] -= step[e % at(dims_)];
  for (std::size_t d = 0; d < step.size(); ++d) step[d] -= mean_[d];
  const double before = static_cast<double>(joined_), now = static_cast<double>(count),
               share = now / (before + now);
  // A band of rows of the matrix, up to the diagonal.
  workers.run((dims_ + columns_of_band - 1) / columns_of_band, [&](std::int64_t band) {
    single_threaded_kernels();
    const std::int64_t first = band * columns_of_band,
                       last = std::min(dims_, first + columns_of_band);
    double* const to = products_.data() + first * dims_;
    gemm(Gemm<double>{.trans_a = Trans::yes,
                      .m = last - first,
                      .n = last,
                      .k = count,
                      .a = block_.data() + first,
                      .lda = dims_,
                      .b = block_.data(),
                      .ldb = dims_,
                      .c = to,
                      .ldc = dims_,
                      .beta = 1});
    for (std::int64_t i = first; i < last; ++i)
      for (std::int64_t j = 0; j <= i; ++j)
        products_[at(i * dims_ + j)] += step[at(i)] * step[at(j)] * before * share;
  });
  for (std::size_t d = 0; d < step.size(); ++d) mean_[d] += step[d] * share;
  joined_ += count;
  block_.clear();
}

Moments MomentSums::finish(Workers& workers) {
  LOGPX_ASSERT(rows_ >= 2);
  join_block(workers);
  Moments moments{.rows = rows_, .mean = mean_, .covariance = std::move(products_)};
  for (std::int64_t i = 0; i < dims_; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      double& below = moments.covariance[at(i * dims_ + j)];
      below /= static_cast<double>(rows_ - 1);
      moments.covariance[at(j * dims_ + i)] = below;
    }
  return moments;
}

}  // namespace logpx
