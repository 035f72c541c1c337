// Whether two vectors hold the same numbers bit by bit: -0 is not 0.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace logpx {

template <typename T>
[[nodiscard]] bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
}

}  // namespace logpx
