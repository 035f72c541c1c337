// Unfolding ("im2col"): column p of a matrix holds the input values that output pixel p looks at.
#pragma once

#include "libcore/math/conv.hpp"

#include <algorithm>
#include <cstdint>

namespace logpx {

struct OutputRows {
  std::int64_t first = 0, count = 0;
};

struct ConvSizes {
  explicit ConvSizes(const ConvShape& s)
      : taps(s.kernel.y * s.kernel.x),
        in_pixels(s.in_height * s.in_width),
        out_pixels(s.out_height() * s.out_width()),
        in_image(s.in_channels * in_pixels),
        out_image(s.out_channels * out_pixels),
        depth(s.in_channels * taps) {}
  std::int64_t taps, in_pixels, out_pixels, in_image, out_image, depth;
};

// How many of `rows` rows of `row_elements` fit the workspace: 16 MiB of double.
inline std::int64_t rows_at_once(std::int64_t row_elements, std::int64_t rows) {
  constexpr std::int64_t most_elements = std::int64_t{1} << 21;
  return std::clamp<std::int64_t>(most_elements / std::max<std::int64_t>(1, row_elements), 1,
                                  std::max<std::int64_t>(1, rows));
}

// Calls visit(image, rows) for chunks of output rows whose columns fit the workspace.
template <typename Visit>
void for_each_chunk(const ConvShape& s, Visit visit) {
  const std::int64_t height = s.out_height();
  const std::int64_t most = rows_at_once(ConvSizes(s).depth * s.out_width(), height);
  for (std::int64_t image = 0; image < s.images; ++image)
    for (std::int64_t row = 0; row < height; row += most)
      visit(image, OutputRows{row, std::min(most, height - row)});
}

inline std::int64_t columns_elements(const ConvShape& s) {
  const std::int64_t row = ConvSizes(s).depth * s.out_width();
  return row * rows_at_once(row, s.out_height());
}

// An image is its own matrix of columns when every output pixel looks at one input pixel.
inline bool is_pointwise(const ConvShape& s) {
  return s.kernel == PerAxis(1) && s.stride == 1 && s.pad == PerAxis(0);
}

// Positions along one axis whose input index position * stride + shift lies inside [0, size).
struct ValidRange {
  std::int64_t first, last;  // last is one past the end
};
inline ValidRange valid_range(std::int64_t shift, std::int64_t stride, std::int64_t size,
                              std::int64_t positions) {
  const std::int64_t first = shift < 0 ? (stride - 1 - shift) / stride : 0;
  const std::int64_t last = size > shift ? (size - 1 - shift) / stride + 1 : 0;
  return {std::min(first, positions), std::min(std::max(first, last), positions)};
}

// to[j] = line[j * stride + shift], zero outside; `line` null counts as all outside.
template <typename T>
void copy_stretch(const T* line, std::int64_t shift, std::int64_t stride, ValidRange valid, T* to,
                  std::int64_t width) {
  if (!line) valid = {width, width};
  std::fill(to, to + valid.first, T(0));
  if (valid.first < valid.last && stride == 1)
    std::copy(line + (valid.first + shift), line + (valid.last + shift), to + valid.first);
  else
    for (std::int64_t j = valid.first; j < valid.last; ++j) to[j] = line[j * stride + shift];
  std::fill(to + valid.last, to + width, T(0));
}

// Calls visit(matrix row, output row in the chunk, first input element of the line or -1, shift,
// valid) for every line of the matrix, whose rows are in the order of the weights.
template <typename Visit>
void for_each_line(const ConvShape& s, OutputRows rows, Visit visit) {
  const std::int64_t taps = s.kernel.y * s.kernel.x;
  for (std::int64_t c = 0; c < s.in_channels; ++c)
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      const std::int64_t ky = tap / s.kernel.x, shift = tap % s.kernel.x - s.pad.x;
      const ValidRange valid = valid_range(shift, s.stride, s.in_width, s.out_width());
      for (std::int64_t i = 0; i < rows.count; ++i) {
        const std::int64_t y = (rows.first + i) * s.stride + ky - s.pad.y;
        const bool inside = y >= 0 && y < s.in_height;
        visit(c * taps + tap, i, inside ? (c * s.in_height + y) * s.in_width : -1, shift, valid);
      }
    }
}

// columns [Cin kh kw, rows.count * Wo] of one image [Cin, H, W].
template <typename T>
void unfold(const ConvShape& s, const T* image, OutputRows rows, T* columns) {
  const std::int64_t width = s.out_width(), pixels = rows.count * width;
  for_each_line(s, rows, [&](auto row, auto i, auto line, auto shift, ValidRange valid) {
    copy_stretch(line < 0 ? nullptr : image + line, shift, s.stride, valid,
                 columns + row * pixels + i * width, width);
  });
}

// The transpose of unfold: image += what the columns hold for it.
template <typename T>
void fold(const ConvShape& s, const T* columns, OutputRows rows, T* image) {
  const std::int64_t width = s.out_width(), pixels = rows.count * width;
  for_each_line(s, rows, [&](auto row, auto i, auto line, auto shift, ValidRange valid) {
    if (line < 0) return;
    const T* const from = columns + row * pixels + i * width;
    T* const to = image + line;
    for (std::int64_t j = valid.first; j < valid.last; ++j) to[j * s.stride + shift] += from[j];
  });
}

// The matrix of columns of some output rows, and the elements between its rows.
template <typename T>
struct Columns {
  const T* data;
  std::int64_t ld;
};
template <typename T>
Columns<T> columns_of(const ConvShape& s, const T* image, OutputRows rows, T* workspace) {
  if (is_pointwise(s)) return {image + rows.first * s.in_width, s.in_height * s.in_width};
  unfold(s, image, rows, workspace);
  return {workspace, rows.count * s.out_width()};
}

}  // namespace logpx
