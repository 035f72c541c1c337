// What a convolution is asked for: sizes, operands and the path that computes it.
#pragma once

#include "libcore/math/repeatable.hpp"

#include <cstdint>

namespace logpx {

// A size along each axis of an image; one number stands for two that are equal.
//
//   const PerAxis kernel = 3, flat = {1, 7};
struct PerAxis {
  std::int64_t y = 0, x = 0;

  constexpr PerAxis(std::int64_t both = 0) : y(both), x(both) {}
  constexpr PerAxis(std::int64_t down, std::int64_t across) : y(down), x(across) {}
  friend constexpr bool operator==(const PerAxis&, const PerAxis&) = default;
};

struct ConvShape {
  std::int64_t images = 0, in_channels = 0, in_height = 0, in_width = 0, out_channels = 0;
  PerAxis kernel = 3;
  std::int64_t stride = 1;
  PerAxis pad = 1;
  [[nodiscard]] std::int64_t out_height() const {
    return (in_height + 2 * pad.y - kernel.y) / stride + 1;
  }
  [[nodiscard]] std::int64_t out_width() const {
    return (in_width + 2 * pad.x - kernel.x) / stride + 1;
  }
  friend bool operator==(const ConvShape&, const ConvShape&) = default;
};

template <typename T>
struct ConvCall {
  ConvShape shape;
  const T *x = nullptr, *w = nullptr,
          *bias = nullptr;  // x [N,Cin,H,W], w [Cout,Cin,kh,kw], bias may be null
  T* y = nullptr;           // [N,Cout,Ho,Wo]
  const T* dy = nullptr;
  T *dx = nullptr, *dw = nullptr, *dbias = nullptr;
  T beta = 0;  // 1: add to what is there (dx, dw, dbias)
  T* workspace = nullptr;
  Convolution path = Convolution::im2col;
};

}  // namespace logpx
