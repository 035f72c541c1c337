// What is known of a value that is not there itself: which categories it may be, or between which
// real numbers it lies.
//
//   const ValueRegion middle{.ranges = {{40, 60}}};
//   const bool inside = middle.has(59.5);   // true
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace logpx {

struct ValueRange {  // both ends belong to it
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

struct ValueRegion {
  std::vector<std::uint8_t> categories = {};  // 1 for each that it may be; empty: real numbers
  std::vector<ValueRange> ranges = {};        // of real numbers, ascending and apart

  [[nodiscard]] bool has(std::int32_t category) const {
    return categories[static_cast<std::size_t>(category)] != 0;
  }
  [[nodiscard]] bool has(double value) const;
  // The number of these ranges that is nearest to this one.
  [[nodiscard]] double nearest(double value) const;
  [[nodiscard]] bool empty() const;
  [[nodiscard]] ValueRegion shared_with(const ValueRegion& other) const;
};

using ValueRegions = std::map<std::int64_t, ValueRegion>;  // by place of a row

}  // namespace logpx
