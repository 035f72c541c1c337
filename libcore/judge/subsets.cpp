#include "libcore/judge/subsets.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>
#include <numeric>

namespace logpx {
namespace {

constexpr std::int64_t usual_least = 1000, usual_most = 3000, usual_count = 11;

RowList all_rows(std::int64_t n) {
  RowList rows(at(n));
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

// n rows drawn from n with replacement.
RowList resampled(std::int64_t n, Substream substream) {
  Cursor cursor(substream);
  RowList rows(at(n));
  for (std::uint32_t& row : rows) row = cursor.below(static_cast<std::uint32_t>(n));
  return rows;
}

// One side of a replicate: its rows, and the numbers that permutations of them are addressed by.
class Side {
 public:
  Side(const SubsetPlan& plan, std::int64_t n, Rng rng, std::uint32_t replicate)
      : plan_(plan), rng_(rng), replicate_(replicate), n_(static_cast<std::uint32_t>(n)) {
    rows_ = replicate == 0 ? all_rows(n) : resampled(n, rng.stream(Stream::resample, replicate));
    if (plan.kind == SubsetKind::disjoint) order_ = permutation(n_, stream(0));
  }

  // `number` counts the subsets of this replicate.
  RowList take(std::uint32_t number, std::int64_t size) {
    RowList taken(at(size));
    if (plan_.kind == SubsetKind::shuffle) order_ = permutation(n_, stream(number));
    for (std::int64_t i = 0; i < size; ++i) {
      const auto place = at(plan_.kind == SubsetKind::disjoint ? taken_ + i : i);
      taken[at(i)] = rows_[plan_.kind == SubsetKind::prefix ? place : order_[place]];
    }
    taken_ += size;
    // The order of rows changes no score, and memory is read front to back.
    std::ranges::sort(taken);
    return taken;
  }

 private:
  [[nodiscard]] Substream stream(std::uint32_t number) const {
    const auto subsets = static_cast<std::uint32_t>(std::ssize(plan_.sizes) * plan_.repeats);
    return rng_.stream(Stream::subsets, replicate_ * subsets + number);
  }

  const SubsetPlan& plan_;
  Rng rng_;
  std::uint32_t replicate_, n_;
  RowList rows_;
  std::vector<std::uint32_t> order_;
  std::int64_t taken_ = 0;
};

}  // namespace

std::vector<std::int64_t> even_sizes(double least, double most, std::int64_t count) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = count == 1 ? 1 : static_cast<double>(i) / static_cast<double>(count - 1);
    // The ends are exact, and steps that are whole up to rounding stay whole.
    const double size = i + 1 == count ? most : least + share * (most - least) + 1e-9;
    sizes.push_back(static_cast<std::int64_t>(size));
  }
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::vector<std::int64_t> default_sizes(std::int64_t n, std::int64_t d) {
  if (n >= usual_most) return even_sizes(usual_least, usual_most, usual_count);
  const std::int64_t least = std::min(std::max(d + 1, n / 3), n / 2);
  return even_sizes(static_cast<double>(std::max<std::int64_t>(least, 2)), static_cast<double>(n),
                    usual_count);
}

std::vector<Subset> subsets_of(const SubsetPlan& plan, const SideCounts& counts, Rng rng,
                               std::uint32_t replicate) {
  LOGPX_ASSERT(plan.repeats >= 1 && (plan.repeats == 1 || plan.kind != SubsetKind::prefix));
  Side fake(plan, counts.fake, rng, replicate);
  std::optional<Side> real;
  // The real rows are a different set, so they get different numbers.
  constexpr std::uint64_t other_side = 0x9e3779b97f4a7c15;
  if (plan.sides == SizedSides::both)
    real.emplace(plan, counts.real, Rng(rng.seed() ^ other_side), replicate);
  std::vector<Subset> subsets;
  for (const std::int64_t size : plan.sizes)
    for (std::int64_t repeat = 0; repeat < plan.repeats; ++repeat) {
      stop::check();
      const auto number = static_cast<std::uint32_t>(subsets.size());
      Subset subset{.size = size, .repeat = repeat, .fake = fake.take(number, size), .real = {}};
      if (real) subset.real = real->take(number, size);
      subsets.push_back(std::move(subset));
    }
  return subsets;
}

RowList chosen_rows(std::int64_t n, std::int64_t count, Substream substream) {
  if (count >= n) return all_rows(n);
  RowList rows = permutation(static_cast<std::uint32_t>(n), substream);
  rows.resize(at(count));
  std::ranges::sort(rows);
  return rows;
}

}  // namespace logpx
