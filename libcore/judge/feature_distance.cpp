#include "libcore/judge/feature_distance.hpp"

#include "libcore/base/error.hpp"
#include "libcore/judge/frechet.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace logpx {
namespace {

// A standard deviation below this is that of a constant.
constexpr double least_spread = 1e-8;

// Which features count, what is subtracted from each, and what it is divided by.
struct Scaling {
  std::vector<std::int64_t> kept = {};
  std::vector<double> centre = {}, spread = {};
};

Scaling scaling_by(const Moments& reference, FeatureScale scale) {
  Scaling scaling;
  for (std::int64_t j = 0; j < reference.d(); ++j) {
    const double spread = std::sqrt(reference.covariance[at(j * (reference.d() + 1))]);
    if (scale == FeatureScale::reference && !(spread >= least_spread)) continue;
    scaling.kept.push_back(j);
    const bool scaled = scale == FeatureScale::reference;
    scaling.centre.push_back(scaled ? reference.mean[at(j)] : 0);
    scaling.spread.push_back(scaled ? spread : 1);
  }
  return scaling;
}

Moments scaled(const Moments& moments, const Scaling& scaling) {
  const std::size_t d = scaling.kept.size();
  Moments made{.n = moments.n, .mean = std::vector<double>(d), .covariance = {}};
  made.covariance.reserve(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    const std::int64_t row = scaling.kept[i];
    made.mean[i] = (moments.mean[at(row)] - scaling.centre[i]) / scaling.spread[i];
    for (std::size_t j = 0; j < d; ++j)
      made.covariance.push_back(moments.covariance[at(row * moments.d() + scaling.kept[j])] /
                                scaling.spread[i] / scaling.spread[j]);
  }
  return made;
}

FeatureDistance distance_by(const Scaling& scaling, const Moments& a, const Moments& b) {
  FeatureDistance distance{.features = std::ssize(scaling.kept), .rows = std::min(a.n, b.n)};
  if (distance.features == 0) return distance;
  distance.value = std::max(0.0, FrechetReference(scaled(a, scaling)).to(scaled(b, scaling)).value);
  return distance;
}

}  // namespace

FeatureDistance feature_distance(const Moments& reference, const Moments& generated,
                                 FeatureScale scale) {
  LOGPX_ASSERT(reference.d() == generated.d());
  return distance_by(scaling_by(reference, scale), reference, generated);
}

std::optional<FeatureDistance> distance_of_halves(const FeatureView& rows,
                                                  const HalvesRequest& request, Workers& workers) {
  if (rows.n < 4) return std::nullopt;
  const Scaling scaling = scaling_by(moments_of(rows, workers), request.scale);
  RowList first =
      permutation(static_cast<std::uint32_t>(rows.n), request.rng.stream(Stream::subsets));
  const RowList second(first.begin() + rows.n / 2, first.end());
  first.resize(at(rows.n / 2));
  return distance_by(scaling, moments_of(rows, first), moments_of(rows, second));
}

}  // namespace logpx
