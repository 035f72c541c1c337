// Images made larger or smaller without weights.
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_conv.hpp"

#include <algorithm>

namespace logpx {
namespace {

void expect_image_input(std::span<const Shape> in) {
  expect_fit(in[0].rank() == 4, in, "images are [N,C,H,W]");
}

struct UpsampleNearest2 final : TypedOp<UpsampleNearest2> {
  const char* name() const override { return "upsample_nearest2"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_image_input(in);
    return {in[0][0], in[0][1], 2 * in[0][2], 2 * in[0][3]};
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t width = f.inputs[0].shape[3], rows = f.inputs[0].shape.rows();
    const T* from = f.in(0).data;
    T* to = f.output;
    for (std::int64_t r = 0; r < rows; ++r, from += width, to += 4 * width) {
      for (std::int64_t i = 0; i < width; ++i) to[2 * i] = to[2 * i + 1] = from[i];
      std::copy_n(to, 2 * width, to + 2 * width);
    }
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const std::int64_t width = f.inputs[0].shape[3];
    const T* const up = f.output_gradient;
    f.add_gradient(0, [&](std::int64_t e) {
      const T* const top = up + e / width * 4 * width + e % width * 2;
      return (top[0] + top[1]) + (top[2 * width] + top[2 * width + 1]);
    });
  }
};

struct AveragePool final : TypedOp<AveragePool> {
  explicit AveragePool(std::int64_t window) : window_(window) {}

  const char* name() const override { return "average_pool"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_image_input(in);
    expect_fit(window_ >= 1 && in[0][2] % window_ == 0 && in[0][3] % window_ == 0, in,
               "tiles of " + std::to_string(window_) + " do not fill the image");
    return {in[0][0], in[0][1], in[0][2] / window_, in[0][3] / window_};
  }
  double flops(std::span<const Shape> in, const Shape&) const override {
    return static_cast<double>(in[0].elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t out_width = f.output_shape[3], width = window_ * out_width;
    const T scale = T(1) / static_cast<T>(window_ * window_);
    const T* const x = f.in(0).data;
    for (std::int64_t e = 0; e < f.output_shape.elements(); ++e) {
      const T* const tile = x + e / out_width * window_ * width + e % out_width * window_;
      T sum = 0;
      for (std::int64_t r = 0; r < window_; ++r)
        for (std::int64_t c = 0; c < window_; ++c) sum += tile[r * width + c];
      f.output[e] = sum * scale;
    }
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const std::int64_t out_width = f.output_shape[3], width = window_ * out_width;
    const T scale = T(1) / static_cast<T>(window_ * window_);
    const T* const up = f.output_gradient;
    if (!f.wants(0)) return;
    T* const dx = f.begin_gradient(0);
    for (std::int64_t e = 0; e < f.output_shape.elements(); ++e) {
      T* const tile = dx + e / out_width * window_ * width + e % out_width * window_;
      for (std::int64_t r = 0; r < window_; ++r)
        for (std::int64_t c = 0; c < window_; ++c) tile[r * width + c] += scale * up[e];
    }
  }

 private:
  std::int64_t window_;
};

struct ZeroPad final : TypedOp<ZeroPad> {
  explicit ZeroPad(Border border) : border_(border) {}

  const char* name() const override { return "zero_pad"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_image_input(in);
    const Shape out{in[0][0], in[0][1], in[0][2] + border_.top + border_.bottom,
                    in[0][3] + border_.left + border_.right};
    expect_fit(out[2] >= 1 && out[3] >= 1, in, "nothing is left of the image");
    return out;
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const T* const x = f.in(0).data;
    std::fill_n(f.output, f.output_shape.elements(), T(0));
    for_each_row(f, [&](std::int64_t in, std::int64_t out, std::int64_t count) {
      std::copy_n(x + in, count, f.output + out);
    });
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    T* const dx = f.begin_gradient(0);
    for_each_row(f, [&](std::int64_t in, std::int64_t out, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) dx[in + i] += f.output_gradient[out + i];
    });
  }

 private:
  Border border_;

  // visit(first element in x, first element in the result, count) for what both have.
  template <typename T, typename Visit>
  void for_each_row(const Frame<T>& f, Visit visit) const {
    const Shape in = f.inputs[0].shape, out = f.output_shape;
    const std::int64_t first_row = std::max<std::int64_t>(0, -border_.top),
                       end_row = std::min(in[2], out[2] - border_.top),
                       first = std::max<std::int64_t>(0, -border_.left),
                       count = std::min(in[3], out[3] - border_.left) - first;
    if (count <= 0) return;
    for (std::int64_t plane = 0; plane < in[0] * in[1]; ++plane)
      for (std::int64_t r = first_row; r < end_row; ++r)
        visit((plane * in[2] + r) * in[3] + first,
              (plane * out[2] + r + border_.top) * out[3] + first + border_.left, count);
  }
};

}  // namespace

Var upsample_nearest2(Var x) { return x.graph().apply(std::make_unique<UpsampleNearest2>(), {x}); }

Var average_pool(Var x, std::int64_t window) {
  return x.graph().apply(std::make_unique<AveragePool>(window), {x});
}

Var zero_pad(Var x, Border border) {
  return x.graph().apply(std::make_unique<ZeroPad>(border), {x});
}

}  // namespace logpx
