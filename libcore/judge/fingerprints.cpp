#include "libcore/judge/fingerprints.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/judge/bit_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

namespace logpx {
namespace {

static_assert(sizeof(unsigned long) == sizeof(std::uint64_t));

constexpr std::int64_t rows_compared = 64, rows_per_block = 256, word_bits = 64;

// Two rows with these numbers of bits, some of them shared.
double similarity(std::uint32_t a, std::uint32_t b, std::uint32_t shared) {
  const std::uint32_t either = a + b - shared;
  return either == 0 ? 1 : static_cast<double>(shared) / either;
}

// A row of `set`, and those of `others` from `first` on that it is compared with.
struct ComparedRow {
  std::int64_t row, first;
  std::span<const double> values;
};

// Calls take(block) for all rows of `others` in order, block by block, for each row of the set;
// rows of the set in tasks.
void compare(const Fingerprints& set, const Fingerprints& others, Workers& workers,
             const std::function<void(const ComparedRow&)>& take) {
  LOGPX_ASSERT(set.bits() == others.bits());
  const BitKernels& kernels = active_bit_kernels();
  workers.run((set.n() + rows_compared - 1) / rows_compared, [&](std::int64_t task) {
    std::array<std::uint32_t, rows_per_block> shared{};
    std::array<double, rows_per_block> values{};
    const std::int64_t begin = task * rows_compared, end = std::min(set.n(), begin + rows_compared);
    for (std::int64_t first = 0; first < others.n(); first += rows_per_block) {
      const std::int64_t count = std::min(rows_per_block, others.n() - first);
      for (std::int64_t i = begin; i < end; ++i) {
        kernels.shared(set.row(i), others.row(first), count, set.words(), shared.data());
        for (std::int64_t j = 0; j < count; ++j)
          values[at(j)] = similarity(set.count(i), others.count(first + j), shared[at(j)]);
        take({i, first, {values.data(), at(count)}});
      }
    }
  });
}

}  // namespace

Fingerprints::Fingerprints(std::int64_t bits)
    : bits_(bits), words_((bits + word_bits - 1) / word_bits) {
  LOGPX_ASSERT(bits >= 1);
}

void Fingerprints::append(std::span<const std::uint64_t> words) {
  LOGPX_ASSERT(std::ssize(words) == words_);
  std::uint32_t count = 0;
  for (const std::uint64_t word : words) count += static_cast<std::uint32_t>(std::popcount(word));
  rows_.insert(rows_.end(), words.begin(), words.end());
  counts_.push_back(count);
}

Fingerprints Fingerprints::chosen(const RowList& rows) const {
  Fingerprints made(bits_);
  for (const std::uint32_t i : rows) made.append({row(i), at(words_)});
  return made;
}

const std::uint64_t* Fingerprints::row(std::int64_t i) const { return rows_.data() + i * words_; }

double tanimoto(const Fingerprints& a, std::int64_t i, const Fingerprints& b, std::int64_t j) {
  LOGPX_ASSERT(a.bits() == b.bits());
  std::uint32_t shared = 0;
  active_bit_kernels().shared(a.row(i), b.row(j), 1, a.words(), &shared);
  return similarity(a.count(i), b.count(j), shared);
}

double SetSimilarities::of_pairs() const {
  const auto rows = static_cast<double>(n);
  return n < 2 ? 0 : (mean * rows - 1) / (rows - 1);
}

double SetSimilarities::internal_diversity_2_of_set() const { return 1 - std::sqrt(mean_square); }

SetSimilarities similarities(const Fingerprints& set, Workers& workers) {
  LOGPX_ASSERT(set.n() >= 1);
  std::vector<double> sums(at(set.n())), squares(at(set.n()));
  compare(set, set, workers, [&](const ComparedRow& block) {
    double sum = 0, square = 0;
    for (const double value : block.values) {
      sum += value;
      square += value * value;
    }
    sums[at(block.row)] += sum;
    squares[at(block.row)] += square;
  });
  const auto n = static_cast<double>(set.n());
  SetSimilarities means{.n = set.n()};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    means.mean += sums[i] / n / n;
    means.mean_square += squares[i] / n / n;
    means.mean_root += std::sqrt(squares[i] / n) / n;
  }
  return means;
}

std::vector<double> nearest_similarities(const Fingerprints& set, const Fingerprints& reference,
                                         Workers& workers) {
  std::vector<double> nearest(at(set.n()));
  compare(set, reference, workers, [&](const ComparedRow& block) {
    double& most = nearest[at(block.row)];
    most = std::max(most, std::ranges::max(block.values));
  });
  return nearest;
}

std::vector<double> nearest_similarities(const Fingerprints& set, Workers& workers) {
  std::vector<double> nearest(at(set.n()));
  compare(set, set, workers, [&](const ComparedRow& block) {
    double& most = nearest[at(block.row)];
    for (std::int64_t j = 0; j < std::ssize(block.values); ++j)
      if (block.first + j != block.row) most = std::max(most, block.values[at(j)]);
  });
  return nearest;
}

std::int64_t circles(const Fingerprints& set, double distance) {
  Fingerprints kept(set.bits());
  std::vector<std::uint32_t> shared;
  for (std::int64_t i = 0; i < set.n(); ++i) {
    shared.resize(at(kept.n()));
    active_bit_kernels().shared(set.row(i), kept.row(0), kept.n(), set.words(), shared.data());
    bool apart = true;
    for (std::int64_t k = 0; apart && k < kept.n(); ++k)
      apart = 1 - similarity(set.count(i), kept.count(k), shared[at(k)]) > distance;
    if (apart) kept.append({set.row(i), at(set.words())});
  }
  return kept.n();
}

}  // namespace logpx
