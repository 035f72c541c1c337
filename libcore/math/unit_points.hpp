// Points of the unit cube by their numbers: independent, evenly spread, or given. Threads and
// blocks do not change them.   [math/README 8.5]
//
//   const auto points = random_points(dims, rng);
//   points->fill(first, u);   // u [n,dims]: points first .. first + n - 1
#pragma once

#include "libcore/base/rng.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx {

class UnitPoints {
 public:
  virtual ~UnitPoints() = default;
  [[nodiscard]] virtual std::int64_t dims() const = 0;
  // Several threads at once.
  virtual void fill(std::int64_t first, std::span<double> u) const = 0;
};

// The 53-bit uniforms of stream prior_samples in their order: point by point, dim by dim.
[[nodiscard]] std::unique_ptr<UnitPoints> random_points(std::int64_t dims, Rng rng);
// At most 2^32 points and most_sobol_dims dimensions.
[[nodiscard]] std::unique_ptr<UnitPoints> sobol_points(std::int64_t dims, Rng rng);
// All `count` of them belong together; at most 2^32 - 1.
[[nodiscard]] std::unique_ptr<UnitPoints> latin_points(std::int64_t count, std::int64_t dims,
                                                       Rng rng);
[[nodiscard]] std::unique_ptr<UnitPoints> given_points(std::vector<double> u, std::int64_t dims);

}  // namespace logpx
