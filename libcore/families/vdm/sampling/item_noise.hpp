// What is random in samples, addressed by their numbers alone, so that a sample does not depend on
// those beside it.
#pragma once

#include "libcore/base/rng.hpp"

#include <cstdint>
#include <span>

namespace logpx::vdm {

struct ItemNoise {
  std::int64_t first = 0;  // the number of item 0
  Rng rng;

  // Draw number `which` of standard normals of an item.
  void normals(std::int64_t item, std::uint64_t which, std::span<double> out) const;
  // A uniform number in (0, 1), for choices by weight.
  [[nodiscard]] double uniform(std::int64_t item, std::uint64_t which) const;
};

}  // namespace logpx::vdm
