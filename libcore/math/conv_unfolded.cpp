#include "libcore/math/blas.hpp"
#include "libcore/math/conv_paths.hpp"
#include "libcore/math/conv_unfold.hpp"

namespace logpx {

std::int64_t unfolded_workspace(const ConvShape& s) { return columns_elements(s); }

template <typename T>
void unfolded_forward(const ConvCall<T>& call) {
  const ConvShape& s = call.shape;
  const ConvSizes size(s);
  if (call.bias)
    for (std::int64_t plane = 0; plane < s.images * s.out_channels; ++plane)
      std::fill_n(call.y + plane * size.out_pixels, size.out_pixels,
                  call.bias[plane % s.out_channels]);
  for_each_chunk(s, [&](std::int64_t image, OutputRows rows) {
    const Columns<T> columns = columns_of(s, call.x + image * size.in_image, rows, call.workspace);
    gemm(Gemm<T>{.m = s.out_channels,
                 .n = rows.count * s.out_width(),
                 .k = size.depth,
                 .a = call.w,
                 .lda = size.depth,
                 .b = columns.data,
                 .ldb = columns.ld,
                 .c = call.y + image * size.out_image + rows.first * s.out_width(),
                 .ldc = size.out_pixels,
                 .beta = call.bias ? T(1) : T(0)});
  });
}

template <typename T>
void unfolded_backward_data(const ConvCall<T>& call) {
  const ConvShape& s = call.shape;
  const ConvSizes size(s);
  const bool direct = is_pointwise(s);
  start_images(call);
  for_each_chunk(s, [&](std::int64_t image, OutputRows rows) {
    T* const dx = call.dx + image * size.in_image;
    const std::int64_t pixels = rows.count * s.out_width();
    gemm(Gemm<T>{.trans_a = Trans::yes,
                 .m = size.depth,
                 .n = pixels,
                 .k = s.out_channels,
                 .a = call.w,
                 .lda = size.depth,
                 .b = call.dy + image * size.out_image + rows.first * s.out_width(),
                 .ldb = size.out_pixels,
                 .c = direct ? dx + rows.first * s.in_width : call.workspace,
                 .ldc = direct ? size.in_pixels : pixels,
                 .beta = direct ? T(1) : T(0)});
    if (!direct) fold(s, call.workspace, rows, dx);
  });
}

template <typename T>
void unfolded_backward_weights(const ConvCall<T>& call, Product product) {
  const ConvShape& s = call.shape;
  const ConvSizes size(s);
  T beta = call.beta;
  for_each_chunk(s, [&](std::int64_t image, OutputRows rows) {
    const Columns<T> columns = columns_of(s, call.x + image * size.in_image, rows, call.workspace);
    gemm(Gemm<T>{.trans_b = Trans::yes,
                 .m = s.out_channels,
                 .n = size.depth,
                 .k = rows.count * s.out_width(),
                 .a = call.dy + image * size.out_image + rows.first * s.out_width(),
                 .lda = size.out_pixels,
                 .b = columns.data,
                 .ldb = columns.ld,
                 .c = call.dw,
                 .ldc = size.depth,
                 .beta = beta},
         product);
    beta = 1;
  });
}

template <typename T>
void conv_backward_bias(const ConvCall<T>& call) {
  const ConvShape& s = call.shape;
  const ConvSizes size(s);
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
  template void unfolded_forward(const ConvCall<T>&);                   \
  template void unfolded_backward_data(const ConvCall<T>&);             \
  template void unfolded_backward_weights(const ConvCall<T>&, Product); \
  template void conv_backward_bias(const ConvCall<T>&)
LOGPX_INSTANTIATE(float);
LOGPX_INSTANTIATE(double);
#undef LOGPX_INSTANTIATE

}  // namespace logpx
