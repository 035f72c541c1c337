#include "libcore/math/blas.hpp"
#include "libcore/math/conv_paths.hpp"
#include "libcore/math/conv_unfold.hpp"

namespace logpx {

namespace {

// The pixels (first_y + a stride, first_x + b stride) of the input image: they see the same taps,
// each at output pixel (a, b) plus a shift that is the tap's own.
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

}  // namespace

std::int64_t ordered_workspace(const ConvShape& s) {
  std::int64_t most = s.out_channels * ConvSizes(s).depth + columns_elements(s);
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
  const ConvSizes size(s);
  T* const weights = call.workspace;  // [Cout, (tap, c)]
  T* const columns_space = weights + s.out_channels * size.depth;
  for (std::int64_t o = 0; o < s.out_channels; ++o)
    for (std::int64_t tap = 0; tap < size.taps; ++tap)
      for (std::int64_t c = 0; c < s.in_channels; ++c)
        weights[(o * size.taps + tap) * s.in_channels + c] =
            call.w[(o * s.in_channels + c) * size.taps + tap];
  for (std::int64_t plane = 0; plane < s.images * s.out_channels; ++plane)
    std::fill_n(call.y + plane * size.out_pixels, size.out_pixels,
                call.bias ? call.bias[plane % s.out_channels] : T(0));
  for_each_chunk(s, [&](std::int64_t image, OutputRows rows) {
    const Columns<T> columns =
        columns_of(s, call.x + image * size.in_image, rows, RowOrder::tap_channel, columns_space);
    gemm_ordered(Gemm<T>{.m = s.out_channels,
                         .n = rows.count * s.out_width(),
                         .k = size.depth,
                         .a = weights,
                         .lda = size.depth,
                         .b = columns.data,
                         .ldb = columns.ld,
                         .c = call.y + image * size.out_image + rows.first * s.out_width(),
                         .ldc = size.out_pixels,
                         .beta = 1});
  });
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
