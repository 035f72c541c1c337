#include "libcore/math/blas.hpp"
#include "libcore/math/conv_paths.hpp"
#include "libcore/math/conv_unfold.hpp"

namespace logpx {

namespace {

// Columns of one product: at most 16 MiB of double.
constexpr std::int64_t most_elements = std::int64_t{1} << 21;

struct Sizes {
  explicit Sizes(const ConvShape& s)
      : out_pixels(s.out_height() * s.out_width()),
        in_image(s.in_channels * s.in_height * s.in_width),
        out_image(s.out_channels * out_pixels),
        depth(s.in_channels * s.kernel * s.kernel),
        rows(std::clamp<std::int64_t>(
            most_elements / std::max<std::int64_t>(1, depth * s.out_width()), 1,
            std::max<std::int64_t>(1, s.out_height()))) {}
  std::int64_t out_pixels, in_image, out_image, depth;
  std::int64_t rows;  // output rows per product
};

// An image is its own matrix of columns when every output pixel looks at one input pixel.
bool is_pointwise(const ConvShape& s) { return s.kernel == 1 && s.stride == 1 && s.pad == 0; }

template <typename Visit>
void for_each_chunk(const ConvShape& s, Visit visit) {
  const Sizes size(s);
  for (std::int64_t image = 0; image < s.images; ++image)
    for (std::int64_t row = 0; row < s.out_height(); row += size.rows)
      visit(image, OutputRows{row, std::min(size.rows, s.out_height() - row)});
}

// [Cout, Cin, k, k] as [Cout, (k k), Cin].
template <typename T>
void reorder_weights(const ConvShape& s, const T* w, T* out) {
  const std::int64_t taps = s.kernel * s.kernel;
  for (std::int64_t o = 0; o < s.out_channels; ++o, w += s.in_channels * taps)
    for (std::int64_t tap = 0; tap < taps; ++tap)
      for (std::int64_t c = 0; c < s.in_channels; ++c) *out++ = w[c * taps + tap];
}

// The columns of some output rows, and the stride between the matrix's rows.
template <typename T>
struct Columns {
  const T* data;
  std::int64_t ld;
};
template <typename T>
Columns<T> columns_of(const ConvCall<T>& call, std::int64_t image, OutputRows rows, RowOrder order,
                      T* workspace) {
  const ConvShape& s = call.shape;
  const Sizes size(s);
  const T* const x = call.x + image * size.in_image;
  if (is_pointwise(s)) return {x + rows.first * s.in_width, size.out_pixels};
  unfold(s, x, rows, order, workspace);
  return {workspace, rows.count * s.out_width()};
}

}  // namespace

std::int64_t unfolded_workspace(const ConvShape& s, Product product) {
  const Sizes size(s);
  const std::int64_t weights =
      product == Product::ordered ? s.out_channels * s.in_channels * s.kernel * s.kernel : 0;
  return weights + size.depth * size.rows * s.out_width();
}

template <typename T>
void unfolded_forward(const ConvCall<T>& call, Product product) {
  const ConvShape& s = call.shape;
  const Sizes size(s);
  const bool ordered = product == Product::ordered;
  const RowOrder order = ordered ? RowOrder::tap_channel : RowOrder::channel_tap;
  const T* weights = call.w;
  T* workspace = call.workspace;
  if (ordered && !is_pointwise(s)) {
    reorder_weights(s, call.w, workspace);
    weights = workspace;
    workspace += s.out_channels * size.depth;
  }
  for (std::int64_t n = 0; n < s.images; ++n)
    start_planes(call.y + n * size.out_image, s.out_channels, size.out_pixels, call.bias, T(0));
  for_each_chunk(s, [&](std::int64_t image, OutputRows rows) {
    const Columns<T> columns = columns_of(call, image, rows, order, workspace);
    const std::int64_t first = image * size.out_image + rows.first * s.out_width();
    gemm(Gemm<T>{.m = s.out_channels,
                 .n = rows.count * s.out_width(),
                 .k = size.depth,
                 .a = weights,
                 .lda = size.depth,
                 .b = columns.data,
                 .ldb = columns.ld,
                 .c = call.y + first,
                 .ldc = size.out_pixels,
                 .beta = 1},
         product);
  });
}

template <typename T>
void unfolded_backward_data(const ConvCall<T>& call, Product product) {
  const ConvShape& s = call.shape;
  const Sizes size(s);
  for (std::int64_t n = 0; n < s.images; ++n)
    start_planes(call.dx + n * size.in_image, s.in_channels, s.in_height * s.in_width, call.bias,
                 call.beta);
  for_each_chunk(s, [&](std::int64_t image, OutputRows rows) {
    T* const dx = call.dx + image * size.in_image;
    const std::int64_t first = image * size.out_image + rows.first * s.out_width();
    const bool direct = is_pointwise(s);
    const std::int64_t pixels = rows.count * s.out_width();
    gemm(Gemm<T>{.trans_a = Trans::yes,
                 .m = size.depth,
                 .n = pixels,
                 .k = s.out_channels,
                 .a = call.w,
                 .lda = size.depth,
                 .b = call.dy + first,
                 .ldb = size.out_pixels,
                 .c = direct ? dx + rows.first * s.in_width : call.workspace,
                 .ldc = direct ? size.out_pixels : pixels,
                 .beta = direct ? T(1) : T(0)},
         product);
    if (!direct) fold(s, call.workspace, rows, RowOrder::channel_tap, dx);
  });
}

template <typename T>
void unfolded_backward_weights(const ConvCall<T>& call, Product product) {
  const ConvShape& s = call.shape;
  const Sizes size(s);
  start_planes(call.dw, 1, s.out_channels * size.depth, static_cast<const T*>(nullptr), call.beta);
  for_each_chunk(s, [&](std::int64_t image, OutputRows rows) {
    const Columns<T> columns = columns_of(call, image, rows, RowOrder::channel_tap, call.workspace);
    const std::int64_t first = image * size.out_image + rows.first * s.out_width();
    gemm(Gemm<T>{.trans_b = Trans::yes,
                 .m = s.out_channels,
                 .n = size.depth,
                 .k = rows.count * s.out_width(),
                 .a = call.dy + first,
                 .lda = size.out_pixels,
                 .b = columns.data,
                 .ldb = columns.ld,
                 .c = call.dw,
                 .ldc = size.depth,
                 .beta = 1},
         product);
  });
}

template <typename T>
void conv_backward_bias(const ConvCall<T>& call) {
  const ConvShape& s = call.shape;
  const Sizes size(s);
  for (std::int64_t c = 0; c < s.out_channels; ++c) {
    double sum = 0;
    for (std::int64_t n = 0; n < s.images; ++n) {
      const T* const plane = call.dy + n * size.out_image + c * size.out_pixels;
      for (std::int64_t p = 0; p < size.out_pixels; ++p) sum += static_cast<double>(plane[p]);
    }
    const T before = call.beta == T(0) ? T(0) : call.beta * call.dbias[c];
    call.dbias[c] = before + static_cast<T>(sum);
  }
}

#define LOGPX_INSTANTIATE(T)                                            \
  template void unfolded_forward(const ConvCall<T>&, Product);          \
  template void unfolded_backward_data(const ConvCall<T>&, Product);    \
  template void unfolded_backward_weights(const ConvCall<T>&, Product); \
  template void conv_backward_bias(const ConvCall<T>&)
LOGPX_INSTANTIATE(float);
LOGPX_INSTANTIATE(double);
#undef LOGPX_INSTANTIATE

}  // namespace logpx
