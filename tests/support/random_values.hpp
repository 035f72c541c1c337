// Arrays of normal numbers for tests, the same in every run.
#pragma once

#include "libcore/det/draws.hpp"

#include <vector>

namespace logpx {

template <typename T>
[[nodiscard]] std::vector<T> random_values(std::uint32_t sub, std::size_t count) {
  std::vector<T> values(count);
  const Substream substream = Rng(7).stream(Stream::test, sub);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(normal_at(substream, i));
  return values;
}

}  // namespace logpx
