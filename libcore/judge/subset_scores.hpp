// Scores of subsets of rows, which can be extrapolated: one class per metric behind one interface
// for whoever draws the subsets.
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
