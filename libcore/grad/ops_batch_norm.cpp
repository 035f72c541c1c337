#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_norm.hpp"

#include <cmath>

namespace logpx {
namespace {

// x [N,C,...]: planes of `run` elements, N C of them.
struct Planes {
  explicit Planes(const Shape& x) : images(x[0]), channels(x[1]) {
    run = images * channels == 0 ? 0 : x.elements() / (images * channels);
  }
  std::int64_t images, channels, run;
  [[nodiscard]] double count() const { return static_cast<double>(images * run); }
  [[nodiscard]] std::int64_t first(std::int64_t n, std::int64_t c) const {
    return (n * channels + c) * run;
  }
  // sum of term(element) over a channel, image by image
  template <typename Term>
  [[nodiscard]] double sum(std::int64_t c, Term term) const {
    double total = 0;
    for (std::int64_t n = 0; n < images; ++n)
      total += row_sum(run, [&](std::int64_t i) { return term(first(n, c) + i); });
    return total;
  }
};

struct ChannelStatistics final : TypedOp<ChannelStatistics> {
  const char* name() const override { return "channel_statistics"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0].rank() >= 2 && in[0].elements() > 0, in, "needs rows of [N,C,...]");
    return {2, in[0][1]};
  }
  Keeps keeps() const override { return {.inputs = 1, .output = true}; }
  double flops(std::span<const Shape> in, const Shape&) const override {
    return 4 * static_cast<double>(in[0].elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const Planes planes(f.inputs[0].shape);
    const T* const x = f.in(0).data;
    for (std::int64_t c = 0; c < planes.channels; ++c) {
      const T mean =
          static_cast<T>(planes.sum(c, [&](std::int64_t e) { return x[e]; }) / planes.count());
      const double squares =
          planes.sum(c, [&](std::int64_t e) { return (x[e] - mean) * (x[e] - mean); });
      f.output[c] = mean;
      f.output[planes.channels + c] = static_cast<T>(squares / planes.count());
    }
  }

  // dx = (dmean + 2 (x - mean) dvariance) / count
  template <typename T>
  void backward(const Frame<T>& f) const {
    const Planes planes(f.inputs[0].shape);
    const T *x = f.in(0).data, *mean = f.output, *up = f.output_gradient;
    const T share = static_cast<T>(1 / planes.count());
    if (!f.wants(0)) return;
    T* const dx = f.begin_gradient(0);
    for (std::int64_t n = 0; n < planes.images; ++n)
      for (std::int64_t c = 0; c < planes.channels; ++c) {
        const T term = share * up[c], slope = 2 * share * up[planes.channels + c], centre = mean[c];
        const std::int64_t first = planes.first(n, c);
        for (std::int64_t e = first; e < first + planes.run; ++e)
          dx[e] += term + slope * (x[e] - centre);
      }
  }
};

// x, statistics, scale, shift -> y
class BatchNorm final : public TypedOp<BatchNorm> {
 public:
  explicit BatchNorm(NormOptions options) : options_(options) {}

  const char* name() const override { return "batch_norm"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0].rank() >= 2, in, "needs [N,C,...]");
    const Shape each{in[0][1]}, both{2, in[0][1]};
    expect_fit(in[1] == both, in, "statistics must be " + both.text());
    expect_fit(in[2] == each && in[3] == each, in, "scale and shift must be " + each.text());
    return in[0];
  }
  Keeps keeps() const override { return {.inputs = 0b1111}; }
  Scratch scratch(std::span<const Shape>, const Shape& out, const Numerics&) const override {
    return {.workspace = out.elements()};
  }
  double flops(std::span<const Shape>, const Shape& out) const override {
    return 4 * static_cast<double>(out.elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    affine(f, f.output);
    const std::span<T> y = f.out().span();
    activate(options_.activation, std::span<const T>(y), y);
  }

  // With g the gradient of the activation's argument, d = x - mean and s = 1/sqrt(variance + eps):
  //   dx = g scale s;  dmean = -scale s sum g;  dvariance = -scale s^3/2 sum g d;
  //   dscale = s sum g d;  dshift = sum g.
  template <typename T>
  void backward(const Frame<T>& f) const {
    const Planes planes(f.output_shape);
    const T* const g = argument_gradient(f);
    const T *x = f.in(0).data, *mean = f.in(1).data, *scale = f.in(2).data;
    T* const dx = f.wants(0) ? f.begin_gradient(0) : nullptr;
    T* const dstatistics = f.wants(1) ? f.begin_gradient(1) : nullptr;
    T* const dscale = f.wants(2) ? f.begin_gradient(2) : nullptr;
    T* const dshift = f.wants(3) ? f.begin_gradient(3) : nullptr;
    for (std::int64_t c = 0; c < planes.channels; ++c) {
      const T s = inverse_deviation(f, c), factor = scale[c] * s;
      const T sum = static_cast<T>(planes.sum(c, [&](auto e) { return g[e]; }));
      const T product =
          static_cast<T>(planes.sum(c, [&](auto e) { return g[e] * (x[e] - mean[c]); }));
      for (std::int64_t n = 0; dx != nullptr && n < planes.images; ++n) {
        const std::int64_t first = planes.first(n, c);
        for (std::int64_t e = first; e < first + planes.run; ++e) dx[e] += g[e] * factor;
      }
      if (dstatistics != nullptr) {
        dstatistics[c] -= factor * sum;
        dstatistics[planes.channels + c] -= factor * s * s / 2 * product;
      }
      if (dscale != nullptr) dscale[c] += s * product;
      if (dshift != nullptr) dshift[c] += sum;
    }
  }

 private:
  template <typename T>
  T inverse_deviation(const Frame<T>& f, std::int64_t c) const {
    const T variance = static_cast<const T*>(f.inputs[1].data)[f.inputs[0].shape[1] + c];
    return static_cast<T>(1 / std::sqrt(static_cast<double>(variance) + options_.eps));
  }

  template <typename T>
  void affine(const Frame<T>& f, T* y) const {
    const Planes planes(f.output_shape);
    const T *x = f.in(0).data, *mean = f.in(1).data, *scale = f.in(2).data, *shift = f.in(3).data;
    for (std::int64_t n = 0; n < planes.images; ++n)
      for (std::int64_t c = 0; c < planes.channels; ++c) {
        const T factor = inverse_deviation(f, c) * scale[c];
        const std::int64_t first = planes.first(n, c);
        for (std::int64_t e = first; e < first + planes.run; ++e)
          y[e] = (x[e] - mean[c]) * factor + shift[c];
      }
  }

  // In the workspace.
  template <typename T>
  const T* argument_gradient(const Frame<T>& f) const {
    const std::span<T> g(f.workspace(), f.upstream().span().size());
    if (options_.activation != Activation::none) affine(f, g.data());
    if (derivative_from_result(options_.activation))
      activate(options_.activation, std::span<const T>(g), g);
    activation_backward(options_.activation, std::span<const T>(g), f.upstream().span(), g);
    return g.data();
  }

  NormOptions options_;
};

}  // namespace

Var channel_statistics(Var x) {
  return x.graph().apply(std::make_unique<ChannelStatistics>(), {x});
}

Var batch_norm(Var x, Var statistics, Var scale, Var shift, NormOptions options) {
  return x.graph().apply(std::make_unique<BatchNorm>(options), {x, statistics, scale, shift});
}

}  // namespace logpx
