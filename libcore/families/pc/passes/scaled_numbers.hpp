// Numbers beyond the range of a double: y 2^exponent. Scales are powers of two, so that scaling is
// exact. Messages, whose columns have an exponent each, keep theirs side by side (message.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace logpx::pc {

// That of a sum to which nothing has been added yet.
inline constexpr std::int64_t no_exponent = std::numeric_limits<std::int64_t>::min() / 2;

// y 2^exponent for an exponent of at most 0; far below the range of a double nothing is left.
[[nodiscard]] double scaled_down(double y, std::int64_t exponent);

struct ScaledNumber {
  double y = 0;
  std::int64_t exponent = no_exponent;

  void add(const ScaledNumber& other);
  [[nodiscard]] double ln() const;  // -inf for 0
};

// Several in one scale.
struct ScaledNumbers {
  std::vector<double> y = {};
  std::int64_t exponent = 0;

  void rescale();  // until the largest lies between 1/2 and 1, unless all are 0
};
// One behind the other.
[[nodiscard]] ScaledNumbers joined(std::span<const ScaledNumbers* const> parts);

}  // namespace logpx::pc
