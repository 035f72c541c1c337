// Samples of one colour around a pixel that is being coded, and what a forecast takes of those of
// three colours.
#pragma once

#include "libcore/codec/adaptive/past.hpp"
#include "libcore/codec/adaptive/pixel_forecast.hpp"

namespace logpx::codec::adaptive {

// This pixel has `now`, which is 0 for the colour that comes next; the others are its neighbours.
struct NearSamples {
  int now = 0, w = 0, n = 0, nw = 0, ne = 0, ww = 0, nn = 0, nne = 0, nww = 0;
};

// The colour is that which was coded `d` samples ago, or comes next (0); rows have `row` bytes, and
// pixels `pixel`.
inline NearSamples near_samples(const Past& past, std::size_t d, std::size_t row,
                                std::size_t pixel) {
  return {.now = d == 0 ? 0 : past.back(d),
          .w = past.back(d + pixel),
          .n = past.back(d + row),
          .nw = past.back(d + row + pixel),
          .ne = past.back(d + row - pixel),
          .ww = past.back(d + 2 * pixel),
          .nn = past.back(d + 2 * row),
          .nne = past.back(d + 2 * row - pixel),
          .nww = past.back(d + row + 2 * pixel)};
}

// The colours are that which comes next and the two coded last, which belong to this pixel or to
// the one to its left.
inline PixelForecast::Taps forecast_taps(const NearSamples& a, const NearSamples& b,
                                         const NearSamples& s) {
  const int m = (a.w + a.n) / 2, mb = (b.w + b.n) / 2, ms = (s.w + s.n) / 2;
  return {a.w - m,    a.n - m,  a.nw - m,  a.ne - m,  a.ww - m,   a.nn - m, a.nne - m, a.nww - m,
          b.now - mb, b.w - mb, b.nw - mb, b.ne - mb, s.now - ms, s.w - ms, s.nw - ms, s.ne - ms};
}

}  // namespace logpx::codec::adaptive
