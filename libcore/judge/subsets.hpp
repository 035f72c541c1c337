// The rows on which a score is computed that is to be extrapolated to any number of samples
// [eval/README 10.3].
//
//   const SubsetPlan plan{.sizes = default_sizes(counts.fake, d), .kind = SubsetKind::shuffle};
//   for (const Subset& subset : subsets_of(plan, counts, rng, 0)) use(subset.fake);
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/judge/feature_view.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace logpx {

// The first N rows; a new permutation for each subset; or pieces of one permutation.
enum class SubsetKind { prefix, shuffle, disjoint };
// What a size counts: rows of the samples, with all real rows; or rows of both.
enum class SizedSides { fake, both };

struct SubsetPlan {
  std::vector<std::int64_t> sizes;  // rising, each at least 2
  SubsetKind kind = SubsetKind::shuffle;
  std::int64_t repeats = 1;  // subsets of each size; prefix: 1
  SizedSides sides = SizedSides::fake;
};

struct SideCounts {
  std::int64_t real = 0, fake = 0;
};

struct Subset {
  std::int64_t size = 0, repeat = 0;
  RowList fake;
  std::optional<RowList> real;  // none: all of them
};

// 1000, 1200, .. 3000 where there are 3000 rows; else 11 even steps to n from n / 3 or d + 1, at
// most n / 2. Equal ones are left out.
[[nodiscard]] std::vector<std::int64_t> default_sizes(std::int64_t n, std::int64_t d);
// `count` even steps from `least` to `most`, truncated; equal ones are left out.
[[nodiscard]] std::vector<std::int64_t> even_sizes(double least, double most, std::int64_t count);

// Replicate 0 takes rows as they are; each further one draws as many with replacement and takes
// subsets of those in the same way. Two sets of equal size get the same numbers, so that noise that
// they share cancels when they are compared. Ordered by size, then by repeat.
[[nodiscard]] std::vector<Subset> subsets_of(const SubsetPlan& plan, const SideCounts& counts,
                                             Rng rng, std::uint32_t replicate);

// `count` different rows out of n, in rising order; all of them if n is not larger.
[[nodiscard]] RowList chosen_rows(std::int64_t n, std::int64_t count, Substream substream);

}  // namespace logpx
