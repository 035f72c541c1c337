// Frechet distances of molecules' features: of descriptors (FDD), which are scaled by the
// reference's spread, of counts of Morgan's environments (FMD), and of what ChemNet sees (FCD).
// [eval/README 10.4]
//
//   const FeatureDistance fdd = feature_distance(reference, generated, FeatureScale::reference);
//   if (fdd.few_rows()) warn("few rows");
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/judge/moments.hpp"

#include <cstdint>
#include <optional>

namespace logpx {

class Workers;

// reference: each feature minus the reference's mean, over the reference's standard deviation;
// features that are constant there are left out.
enum class FeatureScale { none, reference };

struct FeatureDistance {
  double value = 0;           // at least 0
  std::int64_t features = 0;  // that counted
  std::int64_t rows = 0;      // of the smaller set
  // A covariance of few rows is noise, which adds to the distance.
  [[nodiscard]] bool few_rows() const { return rows < 2 * features; }
};

// Two rows or more on each side.
[[nodiscard]] FeatureDistance feature_distance(const Moments& reference, const Moments& generated,
                                               FeatureScale scale);

// What two sets of one kind are apart: the distance between two random halves of the reference's
// rows, which are scaled by all of them. Nothing below four rows.
struct HalvesRequest {
  FeatureScale scale = FeatureScale::none;
  Rng rng;
};
[[nodiscard]] std::optional<FeatureDistance> distance_of_halves(const FeatureView& rows,
                                                                const HalvesRequest& request,
                                                                Workers& workers);

}  // namespace logpx
