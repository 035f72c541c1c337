// Values of pixels and of what they differ by, as contexts.
#pragma once

#include <algorithm>
#include <cstdint>

namespace logpx::codec::adaptive {

inline std::uint64_t as_byte(int v) { return static_cast<std::uint64_t>(std::clamp(v, 0, 255)); }

// How rough a neighbourhood is, in eight classes.
inline int roughness_class(int difference) {
  constexpr int above[] = {0, 3, 7, 15, 31, 63, 127};
  int c = 0;
  for (const int limit : above) c += difference > limit;
  return c;
}

// Bytes joined to one value, the first lowest.
template <typename... More>
std::uint64_t joined(More... bytes) {
  std::uint64_t value = 0;
  int shift = -8;
  ((value |= static_cast<std::uint64_t>(bytes) << (shift += 8)), ...);
  return value;
}

}  // namespace logpx::codec::adaptive
