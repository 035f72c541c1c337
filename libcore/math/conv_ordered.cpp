#include "libcore/det/picture_sum.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/conv_paths.hpp"
#include "libcore/math/conv_unfold.hpp"

#include <cstring>
#include <vector>

namespace logpx {

namespace {

// The pixels (first_y + a stride, first_x + b stride) of the input image: they see the same taps,
// each at output pixel (a, b) plus the shift of that tap.
struct StridePhase {
  StridePhase(const ConvShape& shape, std::int64_t number)
      : s(shape),
        first_y(number / s.stride),
        first_x(number % s.stride),
        height(std::max<std::int64_t>(0, (s.in_height - first_y + s.stride - 1) / s.stride)),
        width(std::max<std::int64_t>(0, (s.in_width - first_x + s.stride - 1) / s.stride)) {}

  // Calls visit(ky, kx, y shift, x shift) for its taps, ascending.
  template <typename Visit>
  void for_each_tap(Visit visit) const {
    for (std::int64_t ky = 0; ky < s.kernel.y; ++ky)
      for (std::int64_t kx = 0; kx < s.kernel.x; ++kx) {
        const std::int64_t y = first_y + s.pad.y - ky, x = first_x + s.pad.x - kx;
        if (y % s.stride == 0 && x % s.stride == 0) visit(ky, kx, y / s.stride, x / s.stride);
      }
  }
  [[nodiscard]] std::int64_t depth() const {
    std::int64_t taps = 0;
    for_each_tap([&](auto...) { ++taps; });
    return taps * s.out_channels;
  }
  [[nodiscard]] std::int64_t rows() const {
    return rows_at_once((depth() + s.in_channels) * width, height);
  }

  ConvShape s;
  std::int64_t first_y, first_x, height, width;
};

// Weights [Cin, (tap, o)] of a phase.
template <typename T>
void phase_weights(const StridePhase& phase, const T* w, T* out) {
  const ConvShape& s = phase.s;
  for (std::int64_t c = 0; c < s.in_channels; ++c)
    phase.for_each_tap([&](auto ky, auto kx, auto, auto) {
      for (std::int64_t o = 0; o < s.out_channels; ++o)
        *out++ = w[((o * s.in_channels + c) * s.kernel.y + ky) * s.kernel.x + kx];
    });
}

// columns [(tap, o), rows.count * width] of dy [Cout, Ho, Wo].
template <typename T>
void phase_columns(const StridePhase& phase, const T* dy, OutputRows rows, T* columns) {
  const ConvShape& s = phase.s;
  phase.for_each_tap([&](auto, auto, auto y_shift, auto x_shift) {
    const ValidRange valid = valid_range(x_shift, 1, s.out_width(), phase.width);
    for (std::int64_t o = 0; o < s.out_channels; ++o)
      for (std::int64_t i = 0; i < rows.count; ++i, columns += phase.width) {
        const std::int64_t y = rows.first + i + y_shift;
        const bool inside = y >= 0 && y < s.out_height();
        copy_stretch(inside ? dy + (o * s.out_height() + y) * s.out_width() : nullptr, x_shift, 1,
                     valid, columns, phase.width);
      }
  });
}

enum class Transfer { gather, scatter };
// Between pixels [Cin, rows.count * width] of a phase and the image they belong to.
template <typename T>
void phase_pixels(const StridePhase& phase, OutputRows rows, T* image, T* pixels,
                  Transfer direction) {
  const ConvShape& s = phase.s;
  for (std::int64_t c = 0; c < s.in_channels; ++c)
    for (std::int64_t i = 0; i < rows.count; ++i) {
      const std::int64_t y = phase.first_y + (rows.first + i) * s.stride;
      T* const line = image + (c * s.in_height + y) * s.in_width + phase.first_x;
      for (std::int64_t j = 0; j < phase.width; ++j, ++pixels)
        (direction == Transfer::gather ? *pixels : line[j * s.stride]) =
            direction == Transfer::gather ? line[j * s.stride] : *pixels;
    }
}

template <typename T>
void phase_backward_data(const ConvCall<T>& call, const StridePhase& phase) {
  const ConvShape& s = phase.s;
  const ConvSizes size(s);
  const std::int64_t depth = phase.depth(), most = phase.rows();
  T* const weights = call.workspace;
  T* const columns = weights + s.in_channels * depth;
  T* const pixels = columns + depth * most * phase.width;
  phase_weights(phase, call.w, weights);
  for (std::int64_t n = 0; n < s.images; ++n)
    for (std::int64_t row = 0; row < phase.height; row += most) {
      const OutputRows rows{row, std::min(most, phase.height - row)};
      T* const dx = call.dx + n * size.in_image;
      phase_columns(phase, call.dy + n * size.out_image, rows, columns);
      phase_pixels(phase, rows, dx, pixels, Transfer::gather);
      gemm_ordered(Gemm<T>{.m = s.in_channels,
                           .n = rows.count * phase.width,
                           .k = depth,
                           .a = weights,
                           .lda = depth,
                           .b = columns,
                           .ldb = rows.count * phase.width,
                           .c = pixels,
                           .ldc = rows.count * phase.width,
                           .beta = 1});
      phase_pixels(phase, rows, dx, pixels, Transfer::scatter);
    }
}

constexpr std::int64_t most_lanes = 16;

// The input of some output rows: the picture with its padding, pixels that are a stride apart
// placed side by side. Tap (ky, kx) of output pixel (a, b) lies at the tap's place + a width + b.
struct Frame {
  Frame(const ConvShape& shape, std::int64_t output_rows)
      : s(shape),
        rows(output_rows),
        height(output_rows + (s.kernel.y - 1) / s.stride),
        width(s.out_width() + (s.kernel.x - 1) / s.stride),
        plane(s.stride * s.stride * height * width),
        positions((output_rows - 1) * width + s.out_width()) {}

  // The place of line y and column x of the padded picture.
  [[nodiscard]] std::int64_t place(std::int64_t y, std::int64_t x) const {
    const std::int64_t phase = y % s.stride * s.stride + x % s.stride;
    return phase * height * width + y / s.stride * width + x / s.stride;
  }
  [[nodiscard]] std::int64_t elements() const { return s.in_channels * plane + most_lanes; }
  [[nodiscard]] std::int64_t sums() const { return s.out_channels * (positions + most_lanes); }

  ConvShape s;
  std::int64_t rows, height, width, plane;
  std::int64_t positions;  // from the first output pixel to the last
};

std::int64_t frame_rows(const ConvShape& s) {
  const Frame line(s, 1);
  return rows_at_once((s.in_channels * s.stride * s.stride + s.out_channels) * line.width,
                      s.out_height());
}

template <typename T>
void copy_line(const T* from, T* to, std::int64_t n) {
  constexpr std::int64_t at_once = 16 / sizeof(T);
  for (; n >= at_once; n -= at_once, from += at_once, to += at_once) std::memcpy(to, from, 16);
  for (; n > 0; --n) *to++ = *from++;
}

// Output rows [first_row, first_row + frame.rows) of an image [Cin, H, W].
template <typename T>
void fill_frame(const Frame& frame, const T* image, std::int64_t first_row, T* to) {
  const ConvShape& s = frame.s;
  std::fill_n(to, frame.elements(), T(0));
  const std::int64_t above = s.pad.y - first_row * s.stride;  // of the image's first line
  const std::int64_t first = std::max<std::int64_t>(0, -above);
  const std::int64_t last = std::min(s.in_height, frame.height * s.stride - above);
  const std::int64_t columns = std::min(s.in_width, frame.width * s.stride - s.pad.x);
  for (std::int64_t c = 0; c < s.in_channels; ++c, to += frame.plane)
    for (std::int64_t y = first; y < last; ++y) {
      const T* const line = image + (c * s.in_height + y) * s.in_width;
      if (s.stride == 1) copy_line(line, to + frame.place(y + above, s.pad.x), columns);
      else
        for (std::int64_t x = 0; x < columns; ++x)
          to[frame.place(y + above, x + s.pad.x)] = line[x];
    }
}

std::vector<det::PictureTap> frame_taps(const Frame& frame) {
  std::vector<det::PictureTap> taps;
  const PerAxis kernel = frame.s.kernel;
  for (std::int64_t ky = 0; ky < kernel.y; ++ky)
    for (std::int64_t kx = 0; kx < kernel.x; ++kx)
      taps.push_back({ky * kernel.x + kx, frame.place(ky, kx)});
  return taps;
}

// Output rows that fill whole vectors, or half of one, are summed in place. Others are summed in
// `sums`, together with the pixels between them, and copied from there.
template <typename T>
void sum_frame(const ConvCall<T>& call, const Frame& frame, const T* picture, T* y, T* sums) {
  const ConvShape& s = call.shape;
  const ConvSizes size(s);
  const det::PictureKernels& kernels = det::active_picture_kernels();
  const std::int64_t lanes = kernels.vector_bytes / std::int64_t{sizeof(T)}, width = s.out_width();
  const std::vector<det::PictureTap> taps = frame_taps(frame);
  const bool whole = (width % lanes == 0 || 2 * width == lanes) && frame.rows * width % lanes == 0;
  const std::int64_t vectors = ((whole ? frame.rows * width : frame.positions) + lanes - 1) / lanes;
  const std::int64_t ld = whole ? size.out_pixels : vectors * lanes;
  T* const c = whole ? y : sums;
  for (std::int64_t o = 0; o < s.out_channels; ++o)
    std::fill_n(c + o * ld, vectors * lanes, call.bias ? call.bias[o] : T(0));
  kernels(det::PictureSum<T>{.rows = s.out_channels,
                             .vectors = vectors,
                             .taps = size.taps,
                             .channels = s.in_channels,
                             .tap = taps.data(),
                             .weights = call.w,
                             .weight_row = size.depth,
                             .weight_step = size.taps,
                             .picture = picture,
                             .plane = frame.plane,
                             .run = whole ? width : vectors * lanes,
                             .run_step = frame.width,
                             .c = c,
                             .ldc = ld});
  if (whole) return;
  for (std::int64_t o = 0; o < s.out_channels; ++o)
    for (std::int64_t i = 0; i < frame.rows; ++i)
      copy_line(sums + o * ld + i * frame.width, y + o * size.out_pixels + i * width, width);
}

// One product: an image is its own matrix of columns.
template <typename T>
void pointwise_forward(const ConvCall<T>& call) {
  const ConvShape& s = call.shape;
  const ConvSizes size(s);
  for (std::int64_t n = 0; n < s.images; ++n) {
    T* const y = call.y + n * size.out_image;
    for (std::int64_t o = 0; o < s.out_channels; ++o)
      std::fill_n(y + o * size.out_pixels, size.out_pixels, call.bias ? call.bias[o] : T(0));
    gemm_ordered(Gemm<T>{.m = s.out_channels,
                         .n = size.out_pixels,
                         .k = s.in_channels,
                         .a = call.w,
                         .lda = s.in_channels,
                         .b = call.x + n * size.in_image,
                         .ldb = size.in_pixels,
                         .c = y,
                         .ldc = size.out_pixels,
                         .beta = 1});
  }
}

}  // namespace

std::int64_t ordered_workspace(const ConvShape& s) {
  const Frame frame(s, frame_rows(s));
  // gradients of the weights are products over the unfolded picture
  std::int64_t most = std::max(frame.elements() + frame.sums(), columns_elements(s));
  for (std::int64_t number = 0; number < s.stride * s.stride; ++number) {
    const StridePhase phase(s, number);
    const std::int64_t depth = phase.depth();
    most = std::max(most,
                    s.in_channels * depth + (depth + s.in_channels) * phase.rows() * phase.width);
  }
  return most;
}

template <typename T>
void ordered_forward(const ConvCall<T>& call) {
  const ConvShape& s = call.shape;
  if (is_pointwise(s)) return pointwise_forward(call);
  const ConvSizes size(s);
  const std::int64_t most = frame_rows(s);
  for (std::int64_t n = 0; n < s.images; ++n)
    for (std::int64_t row = 0; row < s.out_height(); row += most) {
      const Frame frame(s, std::min(most, s.out_height() - row));
      T* const picture = call.workspace;
      fill_frame(frame, call.x + n * size.in_image, row, picture);
      sum_frame(call, frame, picture, call.y + n * size.out_image + row * s.out_width(),
                picture + frame.elements());
    }
}

template <typename T>
void ordered_backward_data(const ConvCall<T>& call) {
  start_images(call);
  for (std::int64_t number = 0; number < call.shape.stride * call.shape.stride; ++number)
    phase_backward_data(call, StridePhase(call.shape, number));
}

#define LOGPX_INSTANTIATE(T)                         \
  template void ordered_forward(const ConvCall<T>&); \
  template void ordered_backward_data(const ConvCall<T>&)
LOGPX_INSTANTIATE(float);
LOGPX_INSTANTIATE(double);
#undef LOGPX_INSTANTIATE

}  // namespace logpx
