// The inception score of classified samples, exp(mean_i KL(p(y|x_i) || mean p)).
// [eval/README 10.2]
#pragma once

#include "libcore/judge/feature_view.hpp"

#include <vector>

namespace logpx {

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

}  // namespace logpx
