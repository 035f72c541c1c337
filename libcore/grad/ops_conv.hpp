// Operations on images, NCHW.   [spec/core.md section 3]
#pragma once

#include "libcore/grad/activation.hpp"
#include "libcore/grad/graph.hpp"

namespace logpx {

struct ConvOptions {
  std::int64_t stride = 1, pad = 0;
  Activation activation = Activation::none;
};

// x [N,Cin,H,W], w [Cout,Cin,k,k], bias [Cout]: [N,Cout,(H+2p-k)/s+1,(W+2p-k)/s+1].
[[nodiscard]] Var conv2d(Var x, Var w, ConvOptions options = {});
[[nodiscard]] Var conv2d(Var x, Var w, Var bias, ConvOptions options = {});

// The adjoint of conv2d, with result [N,Cout,(H-1)s-2p+k,(W-1)s-2p+k]:
// x [N,Cin,H,W], w [Cin,Cout,k,k], bias [Cout].
[[nodiscard]] Var conv_transpose2d(Var x, Var w, ConvOptions options = {});
[[nodiscard]] Var conv_transpose2d(Var x, Var w, Var bias, ConvOptions options = {});

// Each pixel becomes 2x2: [N,C,H,W] to [N,C,2H,2W].
[[nodiscard]] Var upsample_nearest2(Var x);

// Means of window x window tiles, which must fill the image.
[[nodiscard]] Var average_pool(Var x, std::int64_t window);

// Rows and columns of zeros around each image; a negative count cuts them off.
struct Border {
  std::int64_t top = 0, bottom = 0, left = 0, right = 0;
};
[[nodiscard]] Var zero_pad(Var x, Border border);

}  // namespace logpx
