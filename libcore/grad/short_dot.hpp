// The sum of a_k b_k over a few tens of numbers, in four partial sums that do not wait for each
// other: an order of its own, the same everywhere.
#pragma once

#include <array>
#include <cstdint>

namespace logpx {

template <typename T>
[[nodiscard]] inline T short_dot(const T* a, const T* b, std::int64_t n) {
  std::array<T, 4> sums{};
  std::int64_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (std::int64_t j = 0; j < 4; ++j) sums[static_cast<std::size_t>(j)] += a[k + j] * b[k + j];
  for (; k < n; ++k) sums[0] += a[k] * b[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace logpx
