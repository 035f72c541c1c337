#include "libcore/judge/kernel_distance.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx {
namespace {

constexpr std::int64_t kernel_rows = 256;  // rows of a block of kernels
constexpr std::size_t most_columns = 256;  // choices of rows in one pass over all blocks

std::int64_t block_count(std::int64_t n) { return (n + kernel_rows - 1) / kernel_rows; }

struct RowBlock {
  std::int64_t begin, count;
};

RowBlock block_at(std::int64_t number, std::int64_t n) {
  const std::int64_t begin = number * kernel_rows;
  return {begin, std::min(kernel_rows, n - begin)};
}

double product_with_itself(const FeatureView& rows, std::int64_t i) {
  return std::inner_product(rows.row(i), rows.row(i) + rows.d, rows.row(i), 0.0);
}

// k(x_i, y_j) for the rows of two blocks, into k [rows.count, columns.count].
void fill_kernels(const KernelSets& sets, const RowBlock& rows, const RowBlock& columns,
                  std::vector<double>& k) {
  k.resize(at(rows.count * columns.count));
  gemm(Gemm<double>{.trans_b = Trans::yes,
                    .m = rows.count,
                    .n = columns.count,
                    .k = sets.real.d,
                    .a = sets.real.row(rows.begin),
                    .lda = sets.real.d,
                    .b = sets.fake.row(columns.begin),
                    .ldb = sets.fake.d,
                    .c = k.data(),
                    .ldc = columns.count});
  for (double& value : k) value = sets.kernel.of(value);
}

// For each row of a set: the sum of its kernels with all rows of another.
struct CrossSums {
  std::vector<double> of_real, of_fake;
};

CrossSums cross_sums(const KernelSets& sets, Workers& workers) {
  const std::int64_t tasks = block_count(sets.real.n);
  CrossSums sums{std::vector<double>(at(sets.real.n)), std::vector<double>(at(sets.fake.n))};
  std::vector<std::vector<double>> shares(at(tasks));  // one for each task, added to of_fake
  workers.run(tasks, [&](std::int64_t task) {
    single_threaded_kernels();
    shares[at(task)].resize(at(sets.fake.n));
    const RowBlock rows = block_at(task, sets.real.n);
    std::vector<double> k;
    for (std::int64_t b = 0; b < block_count(sets.fake.n); ++b) {
      const RowBlock columns = block_at(b, sets.fake.n);
      fill_kernels(sets, rows, columns, k);
      for (std::int64_t i = 0; i < rows.count; ++i)
        for (std::int64_t j = 0; j < columns.count; ++j) {
          const double value = k[at(i * columns.count + j)];
          sums.of_real[at(rows.begin + i)] += value;
          shares[at(task)][at(columns.begin + j)] += value;
        }
    }
  });
  for (const std::vector<double>& share : shares)
    for (std::size_t j = 0; j < share.size(); ++j) sums.of_fake[j] += share[j];
  return sums;
}

// For each row: the sum of its kernels with the other rows of its set. Blocks above the diagonal
// are those below it, transposed.
std::vector<double> inner_sums(const PolynomialKernel& kernel, const FeatureView& features,
                               Workers& workers) {
  const KernelSets sets{kernel, features, features};
  const std::int64_t tasks = block_count(features.n);
  std::vector<std::vector<double>> shares(at(tasks));
  workers.run(tasks, [&](std::int64_t task) {
    single_threaded_kernels();
    std::vector<double>& share = shares[at(task)];
    share.resize(at(features.n));
    const RowBlock rows = block_at(task, features.n);
    std::vector<double> k;
    for (std::int64_t b = 0; b <= task; ++b) {
      const RowBlock columns = block_at(b, features.n);
      fill_kernels(sets, rows, columns, k);
      for (std::int64_t i = 0; i < rows.count; ++i)
        for (std::int64_t j = 0; j < (b == task ? i : columns.count); ++j) {
          share[at(rows.begin + i)] += k[at(i * columns.count + j)];
          share[at(columns.begin + j)] += k[at(i * columns.count + j)];
        }
    }
  });
  std::vector<double> sums(at(features.n));
  for (const std::vector<double>& share : shares)
    for (std::size_t j = 0; j < share.size(); ++j) sums[j] += share[j];
  return sums;
}

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double pairs(std::int64_t n) { return static_cast<double>(n) * static_cast<double>(n - 1); }

// counts[i * lists + c]: how often row i occurs in list c.
std::vector<double> counts_of(std::span<const RowList> lists, std::int64_t n) {
  std::vector<double> counts(at(n) * lists.size());
  for (std::size_t c = 0; c < lists.size(); ++c)
    for (const std::uint32_t row : lists[c]) counts[row * lists.size() + c] += 1;
  return counts;
}

struct Counts {
  std::vector<double> rows, columns;  // [n of the real side, lists], [n of the fake side, lists]
  std::int64_t lists;
};

// For each list c: sum over i, j of rows[i,c] k(x_i, y_j) columns[j,c].
std::vector<double> weighted_sums(const KernelSets& sets, const Counts& counts, Workers& workers) {
  const std::int64_t tasks = block_count(sets.real.n), lists = counts.lists;
  std::vector<double> shares(at(tasks * lists));
  workers.run(tasks, [&](std::int64_t task) {
    single_threaded_kernels();
    const RowBlock rows = block_at(task, sets.real.n);
    std::vector<double> k, products(at(rows.count * lists));
    for (std::int64_t b = 0; b < block_count(sets.fake.n); ++b) {
      const RowBlock columns = block_at(b, sets.fake.n);
      fill_kernels(sets, rows, columns, k);
      gemm(Gemm<double>{.m = rows.count,
                        .n = lists,
                        .k = columns.count,
                        .a = k.data(),
                        .lda = columns.count,
                        .b = counts.columns.data() + columns.begin * lists,
                        .ldb = lists,
                        .c = products.data(),
                        .ldc = lists,
                        .beta = 1});
    }
    for (std::int64_t i = 0; i < rows.count; ++i)
      for (std::int64_t c = 0; c < lists; ++c)
        shares[at(task * lists + c)] +=
            counts.rows[at((rows.begin + i) * lists + c)] * products[at(i * lists + c)];
  });
  std::vector<double> sums(at(lists));
  for (std::size_t e = 0; e < shares.size(); ++e) sums[e % at(lists)] += shares[e];
  return sums;
}

// For each list: the sum over pairs of different entries, which may be the same row twice.
std::vector<double> inner_sums_of(const PolynomialKernel& kernel, const FeatureView& features,
                                  std::span<const RowList> lists, Workers& workers) {
  const std::vector<double> counts = counts_of(lists, features.n);
  std::vector<double> sums =
      weighted_sums({kernel, features, features}, {counts, counts, std::ssize(lists)}, workers);
  for (std::int64_t i = 0; i < features.n; ++i) {
    const double own = kernel.of(product_with_itself(features, i));
    for (std::size_t c = 0; c < lists.size(); ++c)
      sums[c] -= counts[at(i) * lists.size() + c] * own;
  }
  return sums;
}

// The variance of a U-statistic: that of the mean of twice the rows' shares.
double variance_of_shares(std::span<const double> inner, std::span<const double> cross,
                          std::int64_t others) {
  const auto n = static_cast<double>(inner.size());
  std::vector<double> shares(inner.size());
  for (std::size_t i = 0; i < shares.size(); ++i)
    shares[i] = inner[i] / (n - 1) - cross[i] / static_cast<double>(others);
  const double mean = sum(shares) / n;
  double squares = 0;
  for (const double share : shares) squares += (share - mean) * (share - mean);
  return 4 * squares / (n - 1) / n;
}

}  // namespace

double PolynomialKernel::of(double product) const {
  const double base = gamma * product + coef0;
  double power = 1;
  for (std::int64_t i = 0; i < degree; ++i) power *= base;
  return power;
}

KernelReference::KernelReference(const KernelSets& sets, Workers& workers)
    : sets_(sets), real_sums_(inner_sums(sets.kernel, sets.real, workers)) {
  LOGPX_ASSERT(sets.real.n >= 2 && sets.fake.n >= 2 && sets.real.d == sets.fake.d);
  CrossSums cross = cross_sums(sets, workers);
  real_cross_ = std::move(cross.of_real);
  fake_cross_ = std::move(cross.of_fake);
}

double KernelReference::real_term() const { return sum(real_sums_) / pairs(sets_.real.n); }

KernelDistance KernelReference::distance(Workers& workers) const {
  const auto m = sets_.real.n, n = sets_.fake.n;
  const std::vector<double> fake_sums = inner_sums(sets_.kernel, sets_.fake, workers);
  return {.value = real_term() + sum(fake_sums) / pairs(n) -
                   2 * sum(fake_cross_) / (static_cast<double>(m) * static_cast<double>(n)),
          .std_error = std::sqrt(variance_of_shares(real_sums_, real_cross_, n) +
                                 variance_of_shares(fake_sums, fake_cross_, m))};
}

std::vector<double> KernelReference::distances(std::span<const RowList> fake,
                                               Workers& workers) const {
  std::vector<double> values;
  for (std::size_t first = 0; first < fake.size(); first += most_columns) {
    stop::check();
    const auto lists = fake.subspan(first, std::min(most_columns, fake.size() - first));
    const std::vector<double> inner = inner_sums_of(sets_.kernel, sets_.fake, lists, workers);
    for (std::size_t c = 0; c < lists.size(); ++c) {
      double cross = 0;
      for (const std::uint32_t row : lists[c]) cross += fake_cross_[row];
      const auto n = std::ssize(lists[c]);
      values.push_back(real_term() + inner[c] / pairs(n) -
                       2 * cross / (static_cast<double>(n) * static_cast<double>(sets_.real.n)));
    }
  }
  return values;
}

std::vector<double> kernel_distances(const KernelSets& sets, std::span<const RowList> real,
                                     std::span<const RowList> fake, Workers& workers) {
  LOGPX_ASSERT(real.size() == fake.size());
  std::vector<double> values;
  for (std::size_t first = 0; first < fake.size(); first += most_columns) {
    stop::check();
    const std::size_t count = std::min(most_columns, fake.size() - first);
    const auto x = real.subspan(first, count), y = fake.subspan(first, count);
    const std::vector<double> of_real = inner_sums_of(sets.kernel, sets.real, x, workers);
    const std::vector<double> of_fake = inner_sums_of(sets.kernel, sets.fake, y, workers);
    const Counts counts{counts_of(x, sets.real.n), counts_of(y, sets.fake.n), std::ssize(x)};
    const std::vector<double> cross = weighted_sums(sets, counts, workers);
    for (std::size_t c = 0; c < count; ++c) {
      const auto m = std::ssize(x[c]), n = std::ssize(y[c]);
      values.push_back(of_real[c] / pairs(m) + of_fake[c] / pairs(n) -
                       2 * cross[c] / (static_cast<double>(m) * static_cast<double>(n)));
    }
  }
  return values;
}

double kernel_distance(const KernelSets& sets, const RowList& real, const RowList& fake) {
  stop::check();  // this is one call of many
  const auto gathered = [](const FeatureView& features, const RowList& rows) {
    std::vector<double> values;
    values.reserve(at(std::ssize(rows) * features.d));
    for (const std::uint32_t row : rows)
      values.insert(values.end(), features.row(row), features.row(row) + features.d);
    return values;
  };
  const std::vector<double> x = gathered(sets.real, real), y = gathered(sets.fake, fake);
  const KernelSets chosen{
      sets.kernel, {x, std::ssize(real), sets.real.d}, {y, std::ssize(fake), sets.fake.d}};
  Workers alone(1);
  const auto m = chosen.real.n, n = chosen.fake.n;
  return sum(inner_sums(sets.kernel, chosen.real, alone)) / pairs(m) +
         sum(inner_sums(sets.kernel, chosen.fake, alone)) / pairs(n) -
         2 * sum(cross_sums(chosen, alone).of_real) /
             (static_cast<double>(m) * static_cast<double>(n));
}

}  // namespace logpx
