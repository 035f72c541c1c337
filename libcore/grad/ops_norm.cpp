#include "libcore/grad/ops_norm.hpp"

#include "libcore/grad/axes.hpp"
#include "libcore/grad/row_kernels.hpp"

#include <algorithm>

namespace logpx {
namespace {

// So many elements are worked on at a time, while they are near.
constexpr long near_elements = 4096;

long rows_of_stretch(const NormRows& rows) {
  return std::clamp(near_elements / std::max(rows.length(), 1L), 1L, std::max(rows.count, 1L));
}

// use(rows) for stretches of rows.
template <typename Use>
void for_each_stretch(const NormRows& all, Use use) {
  const long step = rows_of_stretch(all);
  for (long first = 0; first < all.count; first += step) {
    NormRows rows = all;
    rows.first = first;
    rows.count = std::min(step, all.count - first);
    use(rows);
  }
}

// x, scale, shift -> y. Saved: mean and 1 / standard deviation of each row.
class NormOp : public TypedOp<NormOp> {
 public:
  explicit NormOp(NormOptions options) : options_(options) {}

  Keeps keeps() const override { return {.inputs = 0b111}; }

  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    const NormRows rows = rows_of(in[0]);
    return {.saved = 2 * rows.count,
            .workspace = sums_size(rows) + (rows_of_stretch(rows) + 2) * rows.length()};
  }
  double flops(std::span<const Shape>, const Shape& out) const override {
    return 8 * static_cast<double>(out.elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    for_each_stretch(rows_of(f.output_shape), [&](const NormRows& rows) {
      const std::span<T> y = stretch(f.output, rows);
      const NormCall<T> call = call_of(f, rows, y.data());
      row_kernels<T>().moments(call);
      row_kernels<T>().scale_and_shift(call);
      activate(options_.activation, std::span<const T>(y), y);
    });
  }

  // g is the gradient of the activation's argument.
  template <typename T>
  void backward(const Frame<T>& f) const {
    const NormRows all = rows_of(f.output_shape);
    const std::int64_t parameters = all.groups * all.channels;
    auto* const dscale = reinterpret_cast<double*>(f.workspace());  // aligned there
    std::fill_n(dscale, 2 * parameters, 0.0);
    T* const h = f.workspace() + sums_size(all);
    T* const xhat = h + all.length();
    for_each_stretch(all, [&](const NormRows& rows) {
      row_kernels<T>().norm_slopes({.rows = rows,
                                    .x = f.in(0).data,
                                    .scale = f.in(1).data,
                                    .moments = f.saved(),
                                    .g = argument_gradient(f, rows, xhat + all.length()),
                                    .h = h,
                                    .xhat = xhat,
                                    .dscale = dscale,
                                    .dshift = dscale + parameters,
                                    .dx = f.gradient(0),
                                    .adds_x = f.accumulates(0)});
    });
    f.add_gradient(1, [&](std::int64_t c) { return static_cast<T>(dscale[c]); });
    f.add_gradient(2, [&](std::int64_t c) { return static_cast<T>(dscale[parameters + c]); });
  }

 protected:
  [[nodiscard]] virtual NormRows rows_of(const Shape& x) const = 0;

 private:
  // Two sums in double per parameter, in elements of either type.
  static std::int64_t sums_size(const NormRows& rows) {
    return (4 * rows.groups * rows.channels + 15) / 16 * 16;
  }

  template <typename T>
  NormCall<T> call_of(const Frame<T>& f, const NormRows& rows, T* y) const {
    return {.rows = rows,
            .x = f.in(0).data,
            .scale = f.in(1).data,
            .shift = f.in(2).data,
            .eps = options_.eps,
            .moments = f.saved(),
            .y = y};
  }
  template <typename T>
  static std::span<T> stretch(T* all, const NormRows& rows) {
    return {all + rows.first * rows.length(), static_cast<std::size_t>(rows.count * rows.length())};
  }

  // That of these rows, in `room` where the activation needs it. The argument is computed again,
  // since a norm does not save it.
  template <typename T>
  const T* argument_gradient(const Frame<T>& f, const NormRows& rows, T* room) const {
    const std::span<const T> upstream = stretch(f.output_gradient, rows);
    if (options_.activation == Activation::none) return upstream.data();
    const std::span<T> g(room, upstream.size());
    row_kernels<T>().scale_and_shift(call_of(f, rows, room));
    if (derivative_from_result(options_.activation))
      activate(options_.activation, std::span<const T>(g), g);
    activation_backward(options_.activation, std::span<const T>(g), upstream, g);
    return room;
  }

  NormOptions options_;
};

void expect_affine(std::span<const Shape> in, std::int64_t channels) {
  const Shape each{channels};
  expect_fit(in[1] == each && in[2] == each, in, "scale and shift must be " + each.text());
}

class GroupNorm final : public NormOp {
 public:
  GroupNorm(std::int64_t groups, NormOptions options) : NormOp(options), groups_(groups) {}

  const char* name() const override { return "group_norm"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0].rank() >= 2, in, "needs [N,C,...]");
    expect_fit(groups_ >= 1 && in[0][1] % groups_ == 0, in,
               std::to_string(groups_) + " groups do not divide the channels");
    expect_affine(in, in[0][1]);
    return in[0];
  }

 private:
  [[nodiscard]] NormRows rows_of(const Shape& x) const override {
    const std::int64_t images = x[0] * x[1];
    return {0, x[0] * groups_, x[1] / groups_, images == 0 ? 1 : x.elements() / images, groups_};
  }
  std::int64_t groups_;
};

class LayerNorm final : public NormOp {
 public:
  using NormOp::NormOp;

  const char* name() const override { return "layer_norm"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0].rank() >= 1, in, "needs [...,C]");
    expect_affine(in, in[0].back());
    return in[0];
  }

 private:
  [[nodiscard]] NormRows rows_of(const Shape& x) const override {
    return {0, x.rows(), x.back(), 1, 1};
  }
};

Var filled(Graph& graph, std::int64_t count, double value) {
  Tensor<double> values({count});
  std::fill(values.span().begin(), values.span().end(), value);
  return graph.constant(values);
}

std::int64_t channels_of(const Var& x, int axis) {
  return x.shape().rank() > axis ? x.shape()[axis] : 0;
}

}  // namespace

Var group_norm(Var x, Var scale, Var shift, std::int64_t groups, NormOptions options) {
  return x.graph().apply(std::make_unique<GroupNorm>(groups, options), {x, scale, shift});
}

Var group_norm(Var x, std::int64_t groups, NormOptions options) {
  const std::int64_t channels = channels_of(x, 1);
  return group_norm(x, filled(x.graph(), channels, 1), filled(x.graph(), channels, 0), groups,
                    options);
}

Var layer_norm(Var x, Var scale, Var shift, NormOptions options) {
  return x.graph().apply(std::make_unique<LayerNorm>(options), {x, scale, shift});
}

Var layer_norm(Var x, NormOptions options) {
  const std::int64_t channels = x.shape().back();
  return layer_norm(x, filled(x.graph(), channels, 1), filled(x.graph(), channels, 0), options);
}

}  // namespace logpx
