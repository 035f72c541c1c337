// Scores of subsets of rows, which can be extrapolated: one class per metric behind one interface
// for whoever draws the subsets.
//
//   const std::unique_ptr<SubsetScore> fid = frechet_score(sides, workers);
//   const std::vector<double> scores = fid->of(subsets, workers);
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/judge/frechet.hpp"
#include "libcore/judge/kernel_distance.hpp"
#include "libcore/judge/moments.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace logpx {

// The rows on which a score is computed that is to be extrapolated to any number of samples
// [eval/README 10.3].
//
//   const SubsetPlan plan{.sizes = default_sizes(counts.fake, d), .kind = SubsetKind::shuffle};
//   for (const Subset& subset : subsets_of(plan, counts, rng, 0)) use(subset.fake);

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

// The inception score of classified samples, exp(mean_i KL(p(y|x_i) || mean p)).
// [eval/README 10.2]
class InceptionScores {
 public:
  explicit InceptionScores(const FeatureView& logits);  // [n,classes], finite

  // The score of the chosen rows, between 1 and the number of classes.
  [[nodiscard]] double score(const RowList& rows) const;

 private:
  std::int64_t classes_;
  std::vector<double> probabilities_;     // [n,classes]
  std::vector<double> negative_entropy_;  // [n]: sum_c p log p
};

class Workers;

class SubsetScore {
 public:
  virtual ~SubsetScore() = default;
  // One score for each subset; the same for any number of threads.
  [[nodiscard]] virtual std::vector<double> of(std::span<const Subset> subsets,
                                               Workers& workers) = 0;
  // How many eigenvalues below 0 were taken as 0 so far.
  [[nodiscard]] virtual std::int64_t clipped() const { return 0; }
};

// `real` and the views must stay valid. Real rows are read only if subsets choose among them.
struct FrechetSides {
  const FrechetReference& real;
  FeatureView real_rows;  // empty: there are none
  FeatureView fake;
};
[[nodiscard]] std::unique_ptr<SubsetScore> frechet_score(const FrechetSides& sides,
                                                         Workers& workers);

// The mean over random subsets of `size` rows of both sides.
struct KernelSubsets {
  std::int64_t count = 100, size = 1000;
};
// Without `subsets`, over all rows; `reference` must be made from the same sets.
[[nodiscard]] std::unique_ptr<SubsetScore> kernel_score(const KernelSets& sets,
                                                        const KernelReference& reference);
[[nodiscard]] std::unique_ptr<SubsetScore> kernel_score(const KernelSets& sets,
                                                        const KernelSubsets& subsets, Rng rng);
// The values of single subsets drawn from all rows.
[[nodiscard]] std::vector<double> kernel_subset_distances(const KernelSets& sets,
                                                          const KernelSubsets& subsets, Rng rng,
                                                          Workers& workers);

// exp(mean KL(p(y|x) || mean p)) of the fake rows' logits [n,classes].
[[nodiscard]] std::unique_ptr<SubsetScore> inception_score(const FeatureView& logits);

}  // namespace logpx
