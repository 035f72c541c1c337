#include "libcore/grad/ops_norm.hpp"

#include "libcore/grad/axes.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

// Rows of `channels` runs of `run` elements; run c of row r is scaled by parameter
// (r mod groups) channels + c. Group norm has a row per example and group, layer norm runs of one.
struct Rows {
  std::int64_t rows, channels, run, groups;
  [[nodiscard]] std::int64_t length() const { return channels * run; }
  [[nodiscard]] std::int64_t parameter(std::int64_t row) const { return row % groups * channels; }
};

// visit(channel, first, end) for the runs of a row.
template <typename Visit>
void for_each_row_run(const Rows& rows, Visit visit) {
  for (std::int64_t c = 0; c < rows.channels; ++c) visit(c, c * rows.run, (c + 1) * rows.run);
}

// visit(channel, element) for a row of runs of one: they lie side by side, in vectors.
template <typename Visit>
void for_each_single(const Rows& rows, Visit visit) {
#pragma GCC ivdep
  for (std::int64_t c = 0; c < rows.channels; ++c) visit(c, c);
}

// x, scale, shift -> y. Saved: mean and 1 / standard deviation of each row.
class NormOp : public TypedOp<NormOp> {
 public:
  explicit NormOp(NormOptions options) : options_(options) {}

  Keeps keeps() const override { return {.inputs = 0b111}; }

  Scratch scratch(std::span<const Shape> in, const Shape&, const Numerics&) const override {
    const Rows rows = rows_of(in[0]);
    return {.saved = 2 * rows.rows, .workspace = sums_size(rows) + 2 * rows.length()};
  }
  double flops(std::span<const Shape>, const Shape& out) const override {
    return 8 * static_cast<double>(out.elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const Rows rows = rows_of(f.output_shape);
    const T *x = f.in(0).data, *scale = f.in(1).data, *shift = f.in(2).data;
    const std::int64_t n = rows.length();
    for (std::int64_t r = 0; r < rows.rows; ++r, x += n) {
      const Moments<T> row = moments(x, n);
      f.saved()[2 * r] = row.mean;
      f.saved()[2 * r + 1] = row.inverse_deviation;
      T* const y = f.output + r * n;
      affine(rows, r, x, row, scale, shift, y);
      const std::span<T> all(y, static_cast<std::size_t>(n));
      activate(options_.activation, std::span<const T>(all), all);
    }
  }

  // With g the gradient of the activation's argument and h = g scale:
  //   dx = (h - mean(h) - xhat mean(h xhat)) / deviation, dscale = sum g xhat, dshift = sum g.
  template <typename T>
  void backward(const Frame<T>& f) const {
    const Rows rows = rows_of(f.output_shape);
    const std::int64_t n = rows.length(), parameters = rows.groups * rows.channels;
    auto* const dscale = reinterpret_cast<double*>(f.workspace());  // aligned there
    double* const dshift = dscale + parameters;
    std::fill_n(dscale, 2 * parameters, 0.0);
    T* const g = f.workspace() + sums_size(rows);
    T* const xhat = g + n;
    for (std::int64_t r = 0; r < rows.rows; ++r) {
      argument_gradient(f, rows, r, g);
      normalise(f, rows, r, xhat);
      add_parameter_sums(rows, RowGradient<T>{g, xhat}, dscale + rows.parameter(r),
                         dshift + rows.parameter(r));
      if (f.wants(0)) input_gradient(f, rows, r, g, xhat);
    }
    f.add_gradient(1, [&](std::int64_t c) { return static_cast<T>(dscale[c]); });
    f.add_gradient(2, [&](std::int64_t c) { return static_cast<T>(dshift[c]); });
  }

 protected:
  [[nodiscard]] virtual Rows rows_of(const Shape& x) const = 0;

 private:
  template <typename T>
  struct Moments {
    T mean, inverse_deviation;
  };

  // Two sums in double per parameter, in elements of either type.
  static std::int64_t sums_size(const Rows& rows) {
    return (4 * rows.groups * rows.channels + 15) / 16 * 16;
  }

  template <typename T>
  Moments<T> moments(const T* x, std::int64_t n) const {
    const double count = static_cast<double>(n);
    const T mean = static_cast<T>(row_sum(n, [&](std::int64_t i) { return x[i]; }) / count);
    const double squares =
        row_sum(n, [&](std::int64_t i) { return (x[i] - mean) * (x[i] - mean); });
    return {mean, static_cast<T>(1 / std::sqrt(squares / count + options_.eps))};
  }

  template <typename T>
  static void affine(const Rows& rows, std::int64_t r, const T* x, Moments<T> row, const T* scale,
                     const T* shift, T* y) {
    const T* const s = scale + rows.parameter(r);
    const T* const b = shift + rows.parameter(r);
    const auto value = [=](std::int64_t i, T factor, T term) {
      return (x[i] - row.mean) * row.inverse_deviation * factor + term;
    };
    if (rows.run == 1)
      return for_each_single(rows,
                             [=](std::int64_t c, std::int64_t i) { y[i] = value(i, s[c], b[c]); });
    for_each_row_run(rows, [&](std::int64_t c, std::int64_t first, std::int64_t end) {
      const T factor = s[c], term = b[c];
      for (std::int64_t i = first; i < end; ++i) y[i] = value(i, factor, term);
    });
  }

  template <typename T>
  static void normalise(const Frame<T>& f, const Rows& rows, std::int64_t r, T* xhat) {
    const T* const x = f.in(0).data + r * rows.length();
    const T mean = f.saved()[2 * r], inverse = f.saved()[2 * r + 1];
    const std::int64_t n = rows.length();
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) xhat[i] = (x[i] - mean) * inverse;
  }

  // The argument is computed again, since a norm does not save it.
  template <typename T>
  void argument_gradient(const Frame<T>& f, const Rows& rows, std::int64_t r, T* g) const {
    const std::int64_t n = rows.length();
    const std::span<T> all(g, static_cast<std::size_t>(n));
    const std::span<const T> upstream(f.output_gradient + r * n, all.size());
    if (options_.activation != Activation::none)
      affine(rows, r, f.in(0).data + r * n, {f.saved()[2 * r], f.saved()[2 * r + 1]}, f.in(1).data,
             f.in(2).data, g);
    if (derivative_from_result(options_.activation))
      activate(options_.activation, std::span<const T>(all), all);
    activation_backward(options_.activation, std::span<const T>(all), upstream, all);
  }

  template <typename T>
  struct RowGradient {
    const T *g, *xhat;
  };
  template <typename T>
  static void add_parameter_sums(const Rows& rows, RowGradient<T> row, double* dscale,
                                 double* dshift) {
    const T *g = row.g, *xhat = row.xhat;
    if (rows.run == 1)
      return for_each_single(rows, [=](std::int64_t c, std::int64_t i) {
        dshift[c] += static_cast<double>(g[i]);
        dscale[c] += static_cast<double>(g[i] * xhat[i]);
      });
    for_each_row_run(rows, [&](std::int64_t c, std::int64_t first, std::int64_t end) {
      const std::int64_t count = end - first;
      dshift[c] += row_sum(count, [&](std::int64_t i) { return g[first + i]; });
      dscale[c] += row_sum(count, [&](std::int64_t i) { return g[first + i] * xhat[first + i]; });
    });
  }

  // Destroys g.
  template <typename T>
  static void input_gradient(const Frame<T>& f, const Rows& rows, std::int64_t r, T* g,
                             const T* xhat) {
    const std::int64_t n = rows.length();
    const T* const scale = f.in(1).data + rows.parameter(r);
    if (rows.run == 1)
      for_each_single(rows, [=](std::int64_t c, std::int64_t i) { g[i] *= scale[c]; });
    else
      for_each_row_run(rows, [&](std::int64_t c, std::int64_t first, std::int64_t end) {
        const T factor = scale[c];
        for (std::int64_t i = first; i < end; ++i) g[i] *= factor;
      });
    const double count = static_cast<double>(n);
    const T mean = static_cast<T>(row_sum(n, [&](std::int64_t i) { return g[i]; }) / count);
    const T slope =
        static_cast<T>(row_sum(n, [&](std::int64_t i) { return g[i] * xhat[i]; }) / count);
    const T inverse = f.saved()[2 * r + 1];
    T* const dx = f.gradient(0) + r * n;
    const auto value = [=](std::int64_t i) { return (g[i] - mean - xhat[i] * slope) * inverse; };
    if (f.accumulates(0))
#pragma GCC ivdep
      for (std::int64_t i = 0; i < n; ++i) dx[i] += value(i);
    else
#pragma GCC ivdep
      for (std::int64_t i = 0; i < n; ++i) dx[i] = value(i);
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
  [[nodiscard]] Rows rows_of(const Shape& x) const override {
    const std::int64_t images = x[0] * x[1];
    return {x[0] * groups_, x[1] / groups_, images == 0 ? 1 : x.elements() / images, groups_};
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
  [[nodiscard]] Rows rows_of(const Shape& x) const override { return {x.rows(), x.back(), 1, 1}; }
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
