// Pooling over windows that leave out what lies beyond the border.
#include "libcore/base/error.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_conv.hpp"

#include <algorithm>

namespace logpx {
namespace {

struct WindowPool final : TypedOp<WindowPool> {
  explicit WindowPool(PoolOptions options) : options_(options) {}

  const char* name() const override { return "pool"; }
  Shape infer(std::span<const Shape> in) const override {
    const PoolOptions& o = options_;
    expect_fit(in[0].rank() == 4, in, "images are [N,C,H,W]");
    expect_fit(o.stride >= 1 && o.pad >= 0 && o.pad < o.window, in,
               "stride or padding out of range");
    expect_fit(in[0][2] + 2 * o.pad >= o.window && in[0][3] + 2 * o.pad >= o.window, in,
               "the window is larger than the padded image");
    return {in[0][0], in[0][1], windows(in[0][2]), windows(in[0][3])};
  }
  Keeps keeps() const override { return {.inputs = options_.kind == PoolKind::max ? 1u : 0u}; }
  double flops(std::span<const Shape>, const Shape& out) const override {
    return static_cast<double>(out.elements() * options_.window * options_.window);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const T* const x = f.in(0).data;
    for_each_window(f, [&](std::int64_t plane, const Part& part, std::int64_t e) {
      if (options_.kind == PoolKind::max) {
        f.output[e] = x[plane + largest(x + plane, part)];
        return;
      }
      T sum = 0;
      part.visit([&](std::int64_t i) { sum += x[plane + i]; });
      f.output[e] = sum / static_cast<T>(part.count());
    });
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    T* const dx = f.begin_gradient(0);
    const T* const up = f.output_gradient;
    for_each_window(f, [&](std::int64_t plane, const Part& part, std::int64_t e) {
      if (options_.kind == PoolKind::max) {
        dx[plane + largest(f.in(0).data + plane, part)] += up[e];
        return;
      }
      const T share = up[e] / static_cast<T>(part.count());
      part.visit([&](std::int64_t i) { dx[plane + i] += share; });
    });
  }

 private:
  // What a window has inside an image of this width.
  struct Part {
    std::int64_t top, bottom, left, right, width;  // half-open

    [[nodiscard]] std::int64_t count() const { return (bottom - top) * (right - left); }
    template <typename Visit>
    void visit(Visit use) const {
      for (std::int64_t y = top; y < bottom; ++y)
        for (std::int64_t x = left; x < right; ++x) use(y * width + x);
    }
  };

  [[nodiscard]] std::int64_t windows(std::int64_t size) const {
    return (size + 2 * options_.pad - options_.window) / options_.stride + 1;
  }

  // use(first element of the plane, the window's part of it, element of the output)
  template <typename T, typename Use>
  void for_each_window(const Frame<T>& f, Use use) const {
    const Shape &in = f.inputs[0].shape, &out = f.output_shape;
    const auto inside = [this](std::int64_t window, std::int64_t size) {
      const std::int64_t first = window * options_.stride - options_.pad;
      return std::pair(std::max<std::int64_t>(first, 0), std::min(first + options_.window, size));
    };
    std::int64_t e = 0;
    for (std::int64_t plane = 0; plane < in[0] * in[1]; ++plane)
      for (std::int64_t i = 0; i < out[2]; ++i)
        for (std::int64_t j = 0; j < out[3]; ++j, ++e) {
          const auto [top, bottom] = inside(i, in[2]);
          const auto [left, right] = inside(j, in[3]);
          use(plane * in[2] * in[3], Part{top, bottom, left, right, in[3]}, e);
        }
  }

  template <typename T>
  static std::int64_t largest(const T* plane, const Part& part) {
    std::int64_t best = part.top * part.width + part.left;
    part.visit([&](std::int64_t i) {
      if (plane[i] > plane[best]) best = i;
    });
    return best;
  }

  PoolOptions options_;
};

}  // namespace

Var pool(Var x, PoolOptions options) {
  return x.graph().apply(std::make_unique<WindowPool>(options), {x});
}

}  // namespace logpx
