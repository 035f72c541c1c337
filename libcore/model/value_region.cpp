#include "libcore/model/value_region.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

bool ValueRegion::has(double value) const {
  return std::ranges::any_of(
      ranges, [&](const ValueRange& one) { return one.low <= value && value <= one.high; });
}

double ValueRegion::nearest(double value) const {
  double best = std::numeric_limits<double>::infinity();
  for (const ValueRange& one : ranges) {
    const double inside = std::clamp(value, one.low, one.high);
    if (std::abs(inside - value) < std::abs(best - value)) best = inside;
  }
  return best;
}

bool ValueRegion::empty() const {
  return ranges.empty() && std::ranges::find(categories, 1) == categories.end();
}

ValueRegion ValueRegion::shared_with(const ValueRegion& other) const {
  ValueRegion both{.categories = categories};
  for (std::size_t k = 0; k < categories.size(); ++k) both.categories[k] &= other.categories[k];
  for (const ValueRange& one : ranges)
    for (const ValueRange& two : other.ranges) {
      const ValueRange range{std::max(one.low, two.low), std::min(one.high, two.high)};
      if (range.low <= range.high) both.ranges.push_back(range);
    }
  return both;
}

}  // namespace logpx
