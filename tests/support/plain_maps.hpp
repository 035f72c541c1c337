// Convolution and pooling of one picture by the loops of their definitions, in double.
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/grad/ops_conv.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace logpx::testing {

struct PlainMaps {
  std::int64_t channels = 0, height = 0, width = 0;
  std::vector<double> values = {};  // [channels, height, width]

  [[nodiscard]] double inside(std::int64_t c, std::int64_t y, std::int64_t x) const {
    const bool there = 0 <= y && y < height && 0 <= x && x < width;
    return there ? values[at((c * height + y) * width + x)] : 0;
  }
  [[nodiscard]] double mean(std::int64_t c) const {
    double sum = 0;
    for (std::int64_t i = 0; i < height * width; ++i) sum += values[at(c * height * width + i)];
    return sum / static_cast<double>(height * width);
  }
  [[nodiscard]] double deviation(std::int64_t c) const {
    double sum = 0;
    for (std::int64_t i = 0; i < height * width; ++i) {
      const double from_mean = values[at(c * height * width + i)] - mean(c);
      sum += from_mean * from_mean;
    }
    return std::sqrt(sum / static_cast<double>(height * width));
  }
};

struct PlainKernel {
  std::span<const float> w;  // [out, channels, size.y, size.x]
  PerAxis size = 3;
  std::int64_t stride = 1;
  PerAxis pad = 0;
};

inline PlainMaps convolved(const PlainMaps& x, const PlainKernel& k,
                           const std::function<double(std::int64_t, double)>& finish) {
  const std::int64_t depth = x.channels * k.size.y * k.size.x;
  PlainMaps y{.channels = std::ssize(k.w) / depth,
              .height = (x.height + 2 * k.pad.y - k.size.y) / k.stride + 1,
              .width = (x.width + 2 * k.pad.x - k.size.x) / k.stride + 1};
  for (std::int64_t o = 0; o < y.channels; ++o)
    for (std::int64_t i = 0; i < y.height; ++i)
      for (std::int64_t j = 0; j < y.width; ++j) {
        double sum = 0;
        const float* w = k.w.data() + o * depth;
        for (std::int64_t c = 0; c < x.channels; ++c)
          for (std::int64_t a = 0; a < k.size.y; ++a)
            for (std::int64_t b = 0; b < k.size.x; ++b)
              sum += static_cast<double>(*w++) *
                     x.inside(c, i * k.stride + a - k.pad.y, j * k.stride + b - k.pad.x);
        y.values.push_back(finish(o, sum));
      }
  return y;
}

inline PlainMaps pooled(const PlainMaps& x, const PoolOptions& o) {
  PlainMaps y{.channels = x.channels,
              .height = (x.height + 2 * o.pad - o.window) / o.stride + 1,
              .width = (x.width + 2 * o.pad - o.window) / o.stride + 1};
  for (std::int64_t c = 0; c < y.channels; ++c)
    for (std::int64_t i = 0; i < y.height; ++i)
      for (std::int64_t j = 0; j < y.width; ++j) {
        double sum = 0, largest = std::numeric_limits<double>::lowest();
        std::int64_t count = 0;
        for (std::int64_t a = 0; a < o.window; ++a)
          for (std::int64_t b = 0; b < o.window; ++b) {
            const std::int64_t row = i * o.stride + a - o.pad, column = j * o.stride + b - o.pad;
            if (row < 0 || row >= x.height || column < 0 || column >= x.width) continue;
            sum += x.inside(c, row, column);
            largest = std::max(largest, x.inside(c, row, column));
            ++count;
          }
        y.values.push_back(o.kind == PoolKind::max ? largest : sum / static_cast<double>(count));
      }
  return y;
}

}  // namespace logpx::testing
