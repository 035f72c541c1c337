#include "libcore/math/mixture_fit.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/reductions.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace logpx {
namespace {

struct ComponentSums {
  double count = 0;
  std::span<const double> z, squares;
};

std::int64_t stride(const MixtureForm& form) { return 1 + form.dims + form.scales(); }

// Replaces a positive matrix by its Cholesky factor, with zeros above the diagonal.
void cholesky(std::int64_t n, double least, std::span<double> a) {
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < j; ++i) a[at(i * n + j)] = 0;
    double pivot = a[at(j * n + j)];
    for (std::int64_t l = 0; l < j; ++l) pivot -= a[at(j * n + l)] * a[at(j * n + l)];
    const double root = std::sqrt(std::max(pivot, least));
    a[at(j * n + j)] = root;
    for (std::int64_t i = j + 1; i < n; ++i) {
      double sum = a[at(i * n + j)];
      for (std::int64_t l = 0; l < j; ++l) sum -= a[at(i * n + l)] * a[at(j * n + l)];
      a[at(i * n + j)] = sum / root;
    }
  }
}

void maximise(const MixtureForm& form, const ComponentSums& sums, double ridge,
              std::span<float> mean, std::span<float> factor) {
  const std::int64_t dims = form.dims;
  std::vector<double> m(at(dims)), a(sums.squares.begin(), sums.squares.end());
  for (std::int64_t j = 0; j < dims; ++j) m[at(j)] = sums.z[at(j)] / sums.count;
  if (form.covariance == Covariance::diagonal) {
    for (std::int64_t j = 0; j < dims; ++j)
      a[at(j)] = std::sqrt(std::max(a[at(j)] / sums.count - m[at(j)] * m[at(j)], 0.0) + ridge);
  } else {
    for (std::int64_t i = 0; i < dims; ++i)
      for (std::int64_t j = 0; j < dims; ++j)
        a[at(i * dims + j)] = a[at(i * dims + j)] / sums.count - m[at(i)] * m[at(j)];
    for (std::int64_t j = 0; j < dims; ++j) a[at(j * dims + j)] += ridge;
    cholesky(dims, ridge / 2, a);
  }
  const auto narrowed = [](double value) { return static_cast<float>(value); };
  std::ranges::transform(m, mean.begin(), narrowed);
  std::ranges::transform(a, factor.begin(), narrowed);
}

// a += sum_i r_i z_i z_i^T, by one product of the points times the roots of their shares.
void add_squares(const MixtureForm& form, std::span<const double> weighed, std::span<double> sums) {
  const std::int64_t dims = form.dims, rows = std::ssize(weighed) / dims;
  if (form.covariance == Covariance::full)
    return gemm(Gemm<double>{.trans_a = Trans::yes,
                             .m = dims,
                             .n = dims,
                             .k = rows,
                             .a = weighed.data(),
                             .lda = dims,
                             .b = weighed.data(),
                             .ldb = dims,
                             .c = sums.data(),
                             .ldc = dims,
                             .beta = 1});
  for (std::size_t e = 0; e < weighed.size(); ++e) sums[e % at(dims)] += weighed[e] * weighed[e];
}

}  // namespace

double add_statistics(const GaussianMixture& mixture, std::span<const double> z,
                      std::span<double> sums) {
  constexpr double least_share = 1e-12;
  const MixtureForm& form = mixture.form();
  const std::int64_t dims = form.dims, components = form.components, rows = std::ssize(z) / dims;
  std::vector<double> shares(at(rows * components));
  mixture.log_joint(z, shares);
  double nats = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::span row = std::span(shares).subspan(at(i * components), at(components));
    nats += det::log_sum_exp(row);
    det::softmax(row, row);
  }
  std::vector<double> weighed;
  for (std::int64_t k = 0; k < components; ++k) {
    const std::span own = sums.subspan(at(k * stride(form)), at(stride(form)));
    weighed.clear();
    for (std::int64_t i = 0; i < rows; ++i) {
      const double share = shares[at(i * components + k)];
      if (share < least_share) continue;
      own[0] += share;
      for (std::int64_t j = 0; j < dims; ++j) {
        own[at(1 + j)] += share * z[at(i * dims + j)];
        weighed.push_back(std::sqrt(share) * z[at(i * dims + j)]);
      }
    }
    add_squares(form, weighed, own.subspan(at(1 + dims)));
  }
  return nats;
}

void start_mixture(const MixtureForm& form, std::span<const float> z,
                   std::span<const double> deviations, const MixtureNumbers<float>& numbers) {
  std::ranges::fill(numbers.weights, 1 / static_cast<float>(form.components));
  std::ranges::copy(z, numbers.means.begin());
  std::ranges::fill(numbers.factors, 0.0F);
  const std::int64_t step = form.covariance == Covariance::full ? form.dims + 1 : 1;
  for (std::int64_t k = 0; k < form.components; ++k)
    for (std::int64_t j = 0; j < form.dims; ++j)
      numbers.factors[at(k * form.scales() + j * step)] = static_cast<float>(deviations[at(j)]);
}

void maximise_mixture(const MixtureForm& form, const MixtureStep& step,
                      std::span<const double> sums, const MixtureNumbers<float>& numbers) {
  double kept = 0;
  const auto count = [&](std::int64_t k) { return sums[at(k * stride(form))]; };
  for (std::int64_t k = 0; k < form.components; ++k)
    if (count(k) > step.least) kept += count(k);
  for (std::int64_t k = 0; k < form.components; ++k) {
    numbers.weights[at(k)] = 0;
    if (!(count(k) > step.least)) continue;
    numbers.weights[at(k)] = static_cast<float>(count(k) / kept);
    const std::span own = sums.subspan(at(k * stride(form)), at(stride(form)));
    maximise(form,
             {.count = own[0],
              .z = own.subspan(1, at(form.dims)),
              .squares = own.subspan(at(1 + form.dims))},
             step.ridge, numbers.means.subspan(at(k * form.dims), at(form.dims)),
             numbers.factors.subspan(at(k * form.scales()), at(form.scales())));
  }
}

}  // namespace logpx
