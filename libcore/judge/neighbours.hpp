// Precision, recall, density and coverage of samples [Naeem et al. 2020; eval/README 10.2], by
// balls around each row that reach to its K-th nearest neighbour among the others of its set:
//
//   precision   the share of fake rows that lie in some ball of a real row
//   recall      the share of real rows that lie in some ball of a fake row
//   density     the mean number of real rows' balls that a fake row lies in, divided by K
//   coverage    the share of real rows whose ball holds a fake row
//
// A row on the edge of a ball counts as inside. Squared distances are sums of (x_k - y_k)^2 in the
// order of k, block by block, never an [n,m] matrix.
#pragma once

#include "libcore/judge/moments.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

class Workers;

// A mean over rows, with the share of each row.
struct RowShares {
  std::vector<double> shares;

  [[nodiscard]] double mean() const;
  [[nodiscard]] double std_error() const;  // as if rows were independent
};

struct NeighbourScores {
  RowShares precision;  // of fake rows
  RowShares recall;     // of real rows
  RowShares density;    // of fake rows
  RowShares coverage;   // of real rows
};

// More than `neighbours` rows on either side.
[[nodiscard]] NeighbourScores neighbour_scores(const FeatureView& real, const FeatureView& fake,
                                               std::int64_t neighbours, Workers& workers);

}  // namespace logpx
