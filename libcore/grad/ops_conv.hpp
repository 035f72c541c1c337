// Operations on images, NCHW.   [math/README 3.3]
#pragma once

#include "libcore/grad/activation.hpp"
#include "libcore/grad/graph.hpp"
#include "libcore/math/conv.hpp"

namespace logpx {

struct ConvOptions {
  std::int64_t stride = 1;
  PerAxis pad = 0;
  Activation activation = Activation::none;
};

// x [N,Cin,H,W], w [Cout,Cin,h,w], bias [Cout]: [N,Cout,(H+2p-h)/s+1,(W+2q-w)/s+1], p and q zeros
// above and below, and beside.
[[nodiscard]] Var conv2d(Var x, Var w, ConvOptions options = {});
[[nodiscard]] Var conv2d(Var x, Var w, Var bias, ConvOptions options = {});

// The adjoint of conv2d, with result [N,Cout,(H-1)s-2p+h,(W-1)s-2q+w]:
// x [N,Cin,H,W], w [Cin,Cout,h,w], bias [Cout].
[[nodiscard]] Var conv_transpose2d(Var x, Var w, ConvOptions options = {});
[[nodiscard]] Var conv_transpose2d(Var x, Var w, Var bias, ConvOptions options = {});

// Each pixel becomes 2x2: [N,C,H,W] to [N,C,2H,2W].
[[nodiscard]] Var upsample_nearest2(Var x);

// Means of window x window tiles, which must fill the image.
[[nodiscard]] Var average_pool(Var x, std::int64_t window);

// Means or maxima over windows, [N,C,H,W] to [N,C,(H+2p-k)/s+1,(W+2p-k)/s+1], of what a window has
// inside the image: beyond the border there is nothing, and no zeros either. The gradient of a
// maximum goes to the first of equals.
enum class PoolKind { mean, max };
struct PoolOptions {
  PoolKind kind = PoolKind::max;
  std::int64_t window = 3, stride = 1, pad = 0;  // pad < window
};
[[nodiscard]] Var pool(Var x, PoolOptions options);

// Rows and columns of zeros around each image; a negative count cuts them off.
struct Border {
  std::int64_t top = 0, bottom = 0, left = 0, right = 0;
};
[[nodiscard]] Var zero_pad(Var x, Border border);

}  // namespace logpx
