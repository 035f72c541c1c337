// A size along each axis of an image; one number stands for two that are equal.
//
//   const PerAxis kernel = 3, flat = {1, 7};
#pragma once

#include <cstdint>

namespace logpx {

struct PerAxis {
  std::int64_t y = 0, x = 0;

  constexpr PerAxis(std::int64_t both = 0) : y(both), x(both) {}
  constexpr PerAxis(std::int64_t down, std::int64_t across) : y(down), x(across) {}
  friend constexpr bool operator==(const PerAxis&, const PerAxis&) = default;
};

}  // namespace logpx
