// What can be scored on a subset of rows and so extrapolated: one class per metric, alike to
// whoever draws the subsets.
//
//   const std::unique_ptr<SubsetScore> fid = frechet_score(sides, workers);
//   const std::vector<double> scores = fid->of(subsets, workers);
#pragma once

#include "libcore/judge/frechet.hpp"
#include "libcore/judge/kernel_distance.hpp"
#include "libcore/judge/subsets.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx {

class Workers;

class SubsetScore {
 public:
  virtual ~SubsetScore() = default;
  // One of each subset; the same for any number of threads.
  [[nodiscard]] virtual std::vector<double> of(std::span<const Subset> subsets,
                                               Workers& workers) = 0;
  // Eigenvalues below 0 that were counted as 0 so far.
  [[nodiscard]] virtual std::int64_t clipped() const { return 0; }
};

// Keeps `real` and what the views show. Real rows are only read where subsets choose among them.
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
// Without `subsets` of all rows; `reference` of the same sets.
[[nodiscard]] std::unique_ptr<SubsetScore> kernel_score(const KernelSets& sets,
                                                        const KernelReference& reference);
[[nodiscard]] std::unique_ptr<SubsetScore> kernel_score(const KernelSets& sets,
                                                        const KernelSubsets& subsets, Rng rng);
// The values of such subsets, one by one, of all rows.
[[nodiscard]] std::vector<double> kernel_subset_distances(const KernelSets& sets,
                                                          const KernelSubsets& subsets, Rng rng,
                                                          Workers& workers);

// exp(mean KL(p(y|x) || mean p)) of the fake rows' logits [n,classes].
[[nodiscard]] std::unique_ptr<SubsetScore> inception_score(const FeatureView& logits);

}  // namespace logpx
