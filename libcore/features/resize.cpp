#include "libcore/features/resize.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace logpx {
namespace {

// The input pixels of one output pixel along an axis.
struct Tap {
  std::int64_t low = 0, high = 0;
  float share = 0;  // weight of `high`
};

std::vector<Tap> taps_of(std::int64_t in, std::int64_t out) {
  std::vector<Tap> taps;
  const float scale = static_cast<float>(in) / static_cast<float>(out);
  for (std::int64_t i = 0; i < out; ++i) {
    const float place = static_cast<float>(i) * scale;
    const std::int64_t low = std::min(static_cast<std::int64_t>(std::floor(place)), in - 1);
    taps.push_back({low, std::min(low + 1, in - 1), place - static_cast<float>(low)});
  }
  return taps;
}

float between(float a, float b, float share) { return a + (b - a) * share; }

}  // namespace

void resize_bilinear(std::span<const float> from, const Planes& size, std::int64_t side,
                     std::span<float> to) {
  LOGPX_ASSERT(std::ssize(from) == size.planes * size.height * size.width);
  LOGPX_ASSERT(std::ssize(to) == size.planes * side * side);
  const std::vector<Tap> down = taps_of(size.height, side), across = taps_of(size.width, side);
  float* out = to.data();
  for (std::int64_t plane = 0; plane < size.planes; ++plane) {
    const float* const picture = from.data() + plane * size.height * size.width;
    for (const Tap& y : down) {
      const float* const top = picture + y.low * size.width;
      const float* const bottom = picture + y.high * size.width;
      for (const Tap& x : across)
        *out++ = between(between(top[x.low], top[x.high], x.share),
                         between(bottom[x.low], bottom[x.high], x.share), y.share);
    }
  }
}

}  // namespace logpx
