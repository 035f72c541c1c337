#include "libcore/judge/frechet.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/eigen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace logpx {
namespace {

// Errors of a covariance's eigenvalues, relative to the largest. Other programs may have stored
// theirs in single precision.
constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();
constexpr double rounding_of_values = 4 * std::numeric_limits<double>::epsilon();
constexpr double rounding_of_floats = 1e-5;
// Pivots of Cholesky above this lie far enough above rounding.
constexpr double least_pivot = 1e-10;

constexpr std::int64_t rows_of_task = 256;

double square(double x) { return x * x; }

RowList all_of(const FeatureView& features) {
  RowList rows(at(features.n));
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

std::vector<double> mean_of_rows(const FeatureView& features, const RowList& rows) {
  std::vector<double> mean(at(features.d));
  for (const std::uint32_t row : rows)
    for (std::int64_t j = 0; j < features.d; ++j) mean[at(j)] += features.row(row)[j];
  for (double& value : mean) value /= static_cast<double>(rows.size());
  return mean;
}

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += square(a[j] - b[j]);
  return sum;
}

// (Y - mean)(Y - mean)^T / (n - 1) of chosen rows of Y.
std::vector<double> gram_matrix(const FeatureView& features, const RowList& rows) {
  const auto n = std::ssize(rows);
  const std::vector<double> mean = mean_of_rows(features, rows);
  std::vector<double> centred(at(n * features.d)), gram(at(n * n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < features.d; ++j)
      centred[at(i * features.d + j)] = features.row(rows[at(i)])[j] - mean[at(j)];
  gemm(Gemm<double>{.trans_b = Trans::yes,
                    .m = n,
                    .n = n,
                    .k = features.d,
                    .a = centred.data(),
                    .lda = features.d,
                    .b = centred.data(),
                    .ldb = features.d,
                    .c = gram.data(),
                    .ldc = n,
                    .alpha = 1 / static_cast<double>(n - 1)});
  return gram;
}

}  // namespace

FrechetReference::FrechetReference(const Moments& real) : mean_(real.mean), trace_(real.trace()) {
  const std::int64_t d = real.d();
  LOGPX_ASSERT(std::ssize(real.covariance) == d * d);
  single_threaded_kernels();
  factor_ = cholesky_factor(real.covariance, d, least_pivot);
  rank_ = d;
  if (factor_.empty()) factor_by_axes(real.covariance);
}

void FrechetReference::factor_by_axes(std::span<const double> covariance) {
  const SymmetricEigen eigen = symmetric_eigen(covariance, d());
  const double largest = std::max(std::fabs(eigen.values.front()), eigen.values.back());
  if (eigen.values.front() < -rounding_of_floats * largest)
    fail(ErrorKind::data, "",
         "is no covariance: one of its eigenvalues is " + four_digits(eigen.values.front()) +
             ", the largest " + four_digits(eigen.values.back()));
  const auto first = std::ranges::upper_bound(eigen.values, rounding * largest);
  rank_ = eigen.values.end() - first;
  factor_.resize(at(d() * rank_));
  for (std::int64_t axis = 0; axis < rank_; ++axis) {
    const std::int64_t row = d() - rank_ + axis;
    const double scale = std::sqrt(eigen.values[at(row)]);
    for (std::int64_t j = 0; j < d(); ++j)
      factor_[at(j * rank_ + axis)] = scale * eigen.vectors[at(row * d() + j)];
  }
}

std::vector<double> FrechetReference::projected(const double* rows, std::int64_t n) const {
  std::vector<double> result(at(n * rank_));
  gemm(Gemm<double>{.m = n,
                    .n = rank_,
                    .k = d(),
                    .a = rows,
                    .lda = d(),
                    .b = factor_.data(),
                    .ldb = rank_,
                    .c = result.data(),
                    .ldc = rank_});
  return result;
}

FrechetDistance FrechetReference::joined(const Parts& parts) const {
  FrechetDistance distance{.value = parts.mean_difference_squared + trace_ + parts.trace};
  if (parts.size == 0) return distance;
  const std::vector<double> values = symmetric_eigenvalues(parts.matrix, parts.size);
  double roots = 0;
  for (const double value : values) {
    if (value < 0) ++distance.clipped;
    // A square root would turn 1e-16 that should be 0 into 1e-8.
    else if (value > rounding_of_values * values.back()) roots += std::sqrt(value);
  }
  distance.value -= 2 * roots;
  return distance;
}

FrechetDistance FrechetReference::to(const Moments& fake) const {
  LOGPX_ASSERT(fake.d() == d());
  single_threaded_kernels();
  Parts parts{
      .trace = fake.trace(), .matrix = std::vector<double>(at(rank_ * rank_)), .size = rank_};
  for (std::int64_t j = 0; j < d(); ++j)
    parts.mean_difference_squared += square(fake.mean[at(j)] - mean_[at(j)]);
  const std::vector<double> half = projected(fake.covariance.data(), d());  // S2 F
  gemm(Gemm<double>{.trans_a = Trans::yes,
                    .m = rank_,
                    .n = rank_,
                    .k = d(),
                    .a = factor_.data(),
                    .lda = rank_,
                    .b = half.data(),
                    .ldb = rank_,
                    .c = parts.matrix.data(),
                    .ldc = rank_});
  return joined(parts);
}

FrechetRows::FrechetRows(const FrechetReference& reference, const FeatureView& features,
                         Workers& workers)
    : reference_(reference),
      features_(features),
      centre_(mean_of_rows(features, all_of(features))),
      squares_(at(features.n)),
      projected_(at(features.n * reference.rank())) {
  LOGPX_ASSERT(features.d == reference.d());
  const std::int64_t d = features.d, tasks = (features.n + rows_of_task - 1) / rows_of_task;
  workers.run(tasks, [&](std::int64_t task) {
    single_threaded_kernels();
    const std::int64_t begin = task * rows_of_task;
    const std::int64_t end = std::min(features.n, begin + rows_of_task);
    for (std::int64_t i = begin; i < end; ++i)
      squares_[at(i)] = squared_distance(features_.values.subspan(at(i * d), at(d)), centre_);
    std::vector<double> rows(features.row(begin), features.row(begin) + (end - begin) * d);
    for (std::size_t e = 0; e < rows.size(); ++e) rows[e] -= reference_.mean()[e % at(d)];
    const std::vector<double> projected = reference_.projected(rows.data(), end - begin);
    std::ranges::copy(projected, projected_.begin() + begin * reference_.rank());
  });
}

FrechetDistance FrechetRows::distance(const RowList& rows) const {
  LOGPX_ASSERT(rows.size() >= 2);
  single_threaded_kernels();
  const auto n = std::ssize(rows);
  const std::int64_t rank = reference_.rank();
  const std::vector<double> mean = mean_of_rows(features_, rows);
  double squares = -static_cast<double>(n) * squared_distance(mean, centre_);
  for (const std::uint32_t row : rows) squares += squares_[row];
  FrechetReference::Parts parts{
      .mean_difference_squared = squared_distance(mean, reference_.mean()),
      .trace = squares / static_cast<double>(n - 1)};
  const FeatureView seen{projected_, features_.n, rank};
  parts.size = std::min(n, rank);
  if (n < rank) parts.matrix = gram_matrix(seen, rows);
  else if (rank > 0) parts.matrix = moments_of(seen, rows).covariance;
  return reference_.joined(parts);
}

}  // namespace logpx
