#include "libcore/grad/ops_conv.hpp"

#include "libcore/grad/axes.hpp"
#include "libcore/math/conv.hpp"

#include <algorithm>

namespace logpx {
namespace {

void expect_images(std::span<const Shape> in, const ConvOptions& options, std::int64_t channels) {
  const Shape& w = in[1];
  expect_fit(in[0].rank() == 4 && w.rank() == 4, in, "images are [N,C,H,W], weights [.,.,h,w]");
  expect_fit(in[0][1] == channels, in,
             "channels " + std::to_string(in[0][1]) + " vs " + std::to_string(channels));
  expect_fit(options.stride >= 1 && options.pad.y >= 0 && options.pad.x >= 0, in,
             "stride or padding out of range");
}

void expect_bias(std::span<const Shape> in, std::int64_t channels) {
  expect_fit(in.size() < 3 || in[2] == Shape{channels}, in,
             "bias must be " + Shape{channels}.text());
}

// What conv2d and its transpose share: the activation at the end, and the gradient before it. Both
// know the argument of the activation from the output, or save it.
class ImageOp {
 public:
  explicit ImageOp(ConvOptions options) : options_(options) {}

 protected:
  [[nodiscard]] const ConvOptions& options() const { return options_; }
  [[nodiscard]] bool plain() const { return options_.activation == Activation::none; }
  [[nodiscard]] bool from_result() const { return derivative_from_result(options_.activation); }
  [[nodiscard]] Keeps keeps_with(std::uint32_t inputs) const {
    return {.inputs = inputs, .output = !plain() && from_result()};
  }
  [[nodiscard]] Scratch scratch_with(std::int64_t workspace, const Shape& out) const {
    return {.saved = from_result() ? 0 : out.elements(),
            .workspace = workspace + (plain() ? 0 : padded(out.elements()))};
  }

  // Where the convolution writes.
  template <typename T>
  T* argument(const Frame<T>& f) const {
    return from_result() ? f.output : f.saved();
  }
  template <typename T>
  void finish(const Frame<T>& f) const {
    if (plain()) return;
    const View<T> out = f.out();
    activate(options_.activation, std::span<const T>(argument(f), out.span().size()), out.span());
  }
  // The gradient of the activation's argument, at the start of the workspace.
  template <typename T>
  const T* argument_gradient(const Frame<T>& f) const {
    if (plain()) return f.output_gradient;
    const std::span<const T> upstream = f.upstream().span();
    activation_backward(options_.activation, std::span<const T>(argument(f), upstream.size()),
                        upstream, std::span<T>(f.workspace(), upstream.size()));
    return f.workspace();
  }
  template <typename T>
  T* kernel_workspace(const Frame<T>& f) const {
    return f.workspace() + (plain() ? 0 : padded(f.output_shape.elements()));
  }
  static std::int64_t padded(std::int64_t elements) { return (elements + 15) / 16 * 16; }

 private:
  ConvOptions options_;
};

template <typename T>
ConvCall<T> call_of(const Frame<T>& f, const ConvShape& shape, T* workspace) {
  return {.shape = shape, .workspace = workspace, .path = f.numerics.convolution};
}

struct Conv2d final : TypedOp<Conv2d>, ImageOp {
  using ImageOp::ImageOp;

  const char* name() const override { return "conv2d"; }

  Shape infer(std::span<const Shape> in) const override {
    expect_images(in, options(), in[1].rank() == 4 ? in[1][1] : 0);
    expect_bias(in, in[1][0]);
    const ConvShape s = shape_of(in[0], in[1]);
    expect_fit(s.in_height + 2 * s.pad.y >= s.kernel.y && s.in_width + 2 * s.pad.x >= s.kernel.x,
               in, "the kernel is larger than the padded image");
    return {s.images, s.out_channels, s.out_height(), s.out_width()};
  }

  Keeps keeps() const override { return keeps_with(0b11); }
  Scratch scratch(std::span<const Shape> in, const Shape& out,
                  const Numerics& numerics) const override {
    return scratch_with(conv_workspace(shape_of(in[0], in[1]), numerics.convolution), out);
  }
  double flops(std::span<const Shape> in, const Shape& out) const override {
    return 2 * static_cast<double>(out.elements()) *
           static_cast<double>(in[1][1] * in[1][2] * in[1][3]);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    ConvCall<T> call = this->call(f);
    call.x = f.in(0).data;
    call.w = f.in(1).data;
    call.bias = f.inputs.size() > 2 ? f.in(2).data : nullptr;
    call.y = argument(f);
    conv_forward(call);
    finish(f);
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    ConvCall<T> call = this->call(f);
    call.dy = argument_gradient(f);
    call.w = f.in(1).data;
    if (f.wants(0)) {
      call.dx = f.gradient(0);
      call.beta = f.beta(0);
      conv_backward_data(call);
    }
    if (f.wants(1)) {
      call.x = f.in(0).data;
      call.dw = f.gradient(1);
      call.beta = f.beta(1);
      conv_backward_weights(call);
    }
    if (f.inputs.size() > 2) add_channel_sums(f, call.dy);
  }

  // The gradient of a bias: sums over images and pixels, in double.
  template <typename T>
  static void add_channel_sums(const Frame<T>& f, const T* dy) {
    const Shape& out = f.output_shape;
    const std::int64_t pixels = out[2] * out[3];
    f.add_gradient(2, [&](std::int64_t c) {
      double sum = 0;
      for (std::int64_t n = 0; n < out[0]; ++n) {
        const T* const plane = dy + (n * out[1] + c) * pixels;
        sum += row_sum(pixels, [&](std::int64_t i) { return plane[i]; });
      }
      return static_cast<T>(sum);
    });
  }

 private:
  [[nodiscard]] ConvShape shape_of(const Shape& x, const Shape& w) const {
    return {x[0], x[1], x[2], x[3], w[0], {w[2], w[3]}, options().stride, options().pad};
  }
  template <typename T>
  ConvCall<T> call(const Frame<T>& f) const {
    return call_of(f, shape_of(f.inputs[0].shape, f.inputs[1].shape), kernel_workspace(f));
  }
};

// The convolution seen from its other end: our output is its input.
struct ConvTranspose2d final : TypedOp<ConvTranspose2d>, ImageOp {
  using ImageOp::ImageOp;

  const char* name() const override { return "conv_transpose2d"; }

  Shape infer(std::span<const Shape> in) const override {
    expect_images(in, options(), in[1].rank() == 4 ? in[1][0] : 0);
    expect_bias(in, in[1][1]);
    const PerAxis pad = options().pad;
    const Shape out{in[0][0], in[1][1], (in[0][2] - 1) * options().stride + in[1][2] - 2 * pad.y,
                    (in[0][3] - 1) * options().stride + in[1][3] - 2 * pad.x};
    expect_fit(out[2] >= 1 && out[3] >= 1, in, "the padding leaves no output");
    return out;
  }

  Keeps keeps() const override { return keeps_with(0b11); }
  Scratch scratch(std::span<const Shape> in, const Shape& out,
                  const Numerics& numerics) const override {
    const std::int64_t kernel = padded(conv_workspace(shape_of(out, in[1]), numerics.convolution));
    return scratch_with(kernel + in[0].elements(), out);
  }
  double flops(std::span<const Shape> in, const Shape&) const override {
    return 2 * static_cast<double>(in[0].elements()) *
           static_cast<double>(in[1][1] * in[1][2] * in[1][3]);
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    ConvCall<T> call = this->call(f);
    call.dy = f.in(0).data;
    call.w = f.in(1).data;
    call.bias = f.inputs.size() > 2 ? f.in(2).data : nullptr;
    call.dx = argument(f);
    conv_backward_data(call);
    finish(f);
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    ConvCall<T> call = this->call(f);
    const T* const upstream = argument_gradient(f);
    call.x = upstream;
    call.w = f.in(1).data;
    if (f.wants(0)) {
      // The forward kernel overwrites its result, so that a sum needs the workspace.
      call.y = f.accumulates(0)
                   ? kernel_workspace(f) + padded(conv_workspace(call.shape, call.path))
                   : f.gradient(0);
      conv_forward(call);
      if (f.accumulates(0)) f.add_gradient(0, [&](std::int64_t e) { return call.y[e]; });
    }
    if (f.wants(1)) {
      call.dy = f.in(0).data;
      call.dw = f.gradient(1);
      call.beta = f.beta(1);
      conv_backward_weights(call);
    }
    if (f.inputs.size() > 2) Conv2d::add_channel_sums(f, upstream);
  }

 private:
  [[nodiscard]] ConvShape shape_of(const Shape& out, const Shape& w) const {
    return {out[0], out[1], out[2], out[3], w[0], {w[2], w[3]}, options().stride, options().pad};
  }
  template <typename T>
  ConvCall<T> call(const Frame<T>& f) const {
    return call_of(f, shape_of(f.output_shape, f.inputs[1].shape), kernel_workspace(f));
  }
};

}  // namespace

Var conv2d(Var x, Var w, ConvOptions options) {
  return x.graph().apply(std::make_unique<Conv2d>(options), {x, w});
}

Var conv2d(Var x, Var w, Var bias, ConvOptions options) {
  return x.graph().apply(std::make_unique<Conv2d>(options), {x, w, bias});
}

Var conv_transpose2d(Var x, Var w, ConvOptions options) {
  return x.graph().apply(std::make_unique<ConvTranspose2d>(options), {x, w});
}

Var conv_transpose2d(Var x, Var w, Var bias, ConvOptions options) {
  return x.graph().apply(std::make_unique<ConvTranspose2d>(options), {x, w, bias});
}

}  // namespace logpx
