#include "libcore/data/dequantise.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

Substream training_dequantisation(Rng rng, std::uint32_t epoch) {
  return rng.stream(Stream::dequantise, epoch);
}
Substream evaluation_dequantisation() { return {1, Stream::dequantise, 0xffffffff}; }

float dequantised_value(float level, double u) {
  const auto moved = static_cast<float>(double{level} + u);
  return std::min(moved, std::nextafter(level + 1, level));
}

void dequantise(std::span<float> x, std::uint64_t first_element, Substream noise) {
  Words4 words{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t element = first_element + i;
    if (i == 0 || element % 4 == 0) words = noise.block(element / 4);
    x[i] = dequantised_value(x[i], uniform_of(words[element % 4]));
  }
}

}  // namespace logpx
