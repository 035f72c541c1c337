// Unfolding ("im2col"): column p of a matrix holds the input values that output pixel p looks at.
#pragma once

#include "libcore/math/conv.hpp"

#include <algorithm>
#include <cstdint>

namespace logpx {

// Row of the matrix for channel c and tap (ky, kx): weights as stored, or the order of summation
// that coding.md 1.3 prescribes (channels fastest).
enum class RowOrder { channel_tap, tap_channel };

struct OutputRows {
  std::int64_t first = 0, count = 0;
};

// Positions along one axis whose input index position * stride + tap - pad lies inside [0, size).
struct ValidRange {
  std::int64_t first, last;  // last is one past the end
};
inline ValidRange valid_range(const ConvShape& s, std::int64_t tap, std::int64_t size,
                              std::int64_t positions) {
  const std::int64_t before = s.pad - tap, after = size - 1 + before;
  const std::int64_t first = before > 0 ? (before + s.stride - 1) / s.stride : 0;
  const std::int64_t last = after >= 0 ? after / s.stride + 1 : 0;
  return {std::min(first, positions), std::min(std::max(first, last), positions)};
}

// Calls visit(row of the matrix, output row, input row or -1, first, last) for each stretch of
// output columns [first, last) that look inside the image.
template <typename Visit>
void for_each_stretch(const ConvShape& s, OutputRows rows, RowOrder order, Visit visit) {
  const std::int64_t taps = s.kernel * s.kernel;
  for (std::int64_t c = 0; c < s.in_channels; ++c)
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      const std::int64_t ky = tap / s.kernel, kx = tap % s.kernel;
      const std::int64_t row =
          order == RowOrder::channel_tap ? c * taps + tap : tap * s.in_channels + c;
      const ValidRange x = valid_range(s, kx, s.in_width, s.out_width());
      for (std::int64_t i = 0; i < rows.count; ++i) {
        const std::int64_t iy = (rows.first + i) * s.stride + ky - s.pad;
        const bool inside = iy >= 0 && iy < s.in_height;
        visit(row, i, inside ? (c * s.in_height + iy) * s.in_width : -1, kx - s.pad, x);
      }
    }
}

// columns [Cin k k, rows.count * Wo] of one image [Cin, H, W].
template <typename T>
void unfold(const ConvShape& s, const T* image, OutputRows rows, RowOrder order, T* columns) {
  const std::int64_t width = s.out_width(), pixels = rows.count * width;
  for_each_stretch(s, rows, order, [&](auto row, auto i, auto line, auto shift, ValidRange x) {
    T* const to = columns + row * pixels + i * width;
    if (line < 0) {
      std::fill_n(to, width, T(0));
      return;
    }
    std::fill(to, to + x.first, T(0));
    const T* const from = image + line + shift;
    if (s.stride == 1) std::copy(from + x.first, from + x.last, to + x.first);
    else
      for (std::int64_t j = x.first; j < x.last; ++j) to[j] = from[j * s.stride];
    std::fill(to + x.last, to + width, T(0));
  });
}

// The transpose of unfold: image += what the columns hold for it.
template <typename T>
void fold(const ConvShape& s, const T* columns, OutputRows rows, RowOrder order, T* image) {
  const std::int64_t width = s.out_width(), pixels = rows.count * width;
  for_each_stretch(s, rows, order, [&](auto row, auto i, auto line, auto shift, ValidRange x) {
    if (line < 0) return;
    const T* const from = columns + row * pixels + i * width;
    T* const to = image + line + shift;
    for (std::int64_t j = x.first; j < x.last; ++j) to[j * s.stride] += from[j];
  });
}

}  // namespace logpx
