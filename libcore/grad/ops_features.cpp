#include "libcore/grad/ops_features.hpp"

#include "libcore/det/functions.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/shape_rule.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx {
namespace {

class FourierFeatures final : public TypedOp<FourierFeatures> {
 public:
  explicit FourierFeatures(std::vector<int> exponents) : exponents_(std::move(exponents)) {}

  const char* name() const override { return "fourier_features"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0].rank() >= 2, in, "needs [N,C,...]");
    Shape out = in[0];
    out[1] = in[0][1] * (1 + 2 * exponents());
    return out;
  }
  Keeps keeps() const override { return {.output = true}; }
  double flops(std::span<const Shape>, const Shape& out) const override {
    return 12 * static_cast<double>(out.elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const T* const x = f.in(0).data;
    for_each_plane(f, [&](std::int64_t from, std::int64_t to, std::int64_t size) {
      std::copy_n(x + from, size, f.output + to);
    });
    for_each_wave(f, [&](const Wave& wave) {
      T *sine = f.output + wave.sine, *cosine = f.output + wave.cosine;
      // 2^n pi x = 2 pi y, and whole turns of y = 2^(n-1) x do not count.
      for (std::int64_t i = 0; i < wave.size; ++i) {
        const T y = std::ldexp(x[wave.x + i], wave.exponent - 1);
        sine[i] = T(2 * std::numbers::pi) * (y - std::rint(y));
      }
      const std::span<T> s(sine, static_cast<std::size_t>(wave.size));
      vec::cos(std::span<const T>(s), std::span<T>(cosine, s.size()));
      vec::sin(std::span<const T>(s), s);
    });
  }

  // dx = dx' + sum over n of 2^n pi (dsin cos - dcos sin)
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    T* const dx = f.begin_gradient(0);
    const T* const up = f.output_gradient;
    for_each_plane(f, [&](std::int64_t from, std::int64_t to, std::int64_t size) {
      for (std::int64_t i = 0; i < size; ++i) dx[from + i] += up[to + i];
    });
    for_each_wave(f, [&](const Wave& wave) {
      const T factor = static_cast<T>(std::ldexp(std::numbers::pi, wave.exponent));
      const T *sine = f.output + wave.sine, *cosine = f.output + wave.cosine;
      for (std::int64_t i = 0; i < wave.size; ++i)
        dx[wave.x + i] += factor * (up[wave.sine + i] * cosine[i] - up[wave.cosine + i] * sine[i]);
    });
  }

 private:
  // A channel of x, at one frequency: first elements of the three planes.
  struct Wave {
    std::int64_t x, sine, cosine, size;
    int exponent;
  };
  [[nodiscard]] std::int64_t exponents() const {
    return static_cast<std::int64_t>(exponents_.size());
  }

  // visit(first element in x, first in the result, size): the copied channels of each example.
  template <typename T, typename Visit>
  static void for_each_plane(const Frame<T>& f, Visit visit) {
    const std::int64_t examples = f.output_shape[0];
    if (f.output_shape.elements() == 0) return;
    const std::int64_t size = f.inputs[0].shape.elements() / examples,
                       out = f.output_shape.elements() / examples;
    for (std::int64_t n = 0; n < examples; ++n) visit(n * size, n * out, size);
  }

  template <typename T, typename Visit>
  void for_each_wave(const Frame<T>& f, Visit visit) const {
    const std::int64_t channels = f.inputs[0].shape[1], waves = channels * exponents();
    for_each_plane(f, [&](std::int64_t from, std::int64_t to, std::int64_t all) {
      const std::int64_t size = all / channels;
      std::int64_t sine = to + all;
      for (std::int64_t c = 0; c < channels; ++c)
        for (const int exponent : exponents_) {
          visit(Wave{from + c * size, sine, sine + waves * size, size, exponent});
          sine += size;
        }
    });
  }

  std::vector<int> exponents_;
};

class TimeEmbedding final : public TypedOp<TimeEmbedding> {
 public:
  TimeEmbedding(std::int64_t width, double scale) : width_(width) {
    for (std::int64_t j = 0; j < width / 2; ++j)
      frequencies_.push_back(scale * det_exp(-det_log(10000.0) * static_cast<double>(j) /
                                             static_cast<double>(width / 2 - 1)));
  }

  const char* name() const override { return "time_embedding"; }
  Shape infer(std::span<const Shape> in) const override {
    expect_fit(in[0].rank() == 1, in, "times are [B]");
    expect_fit(width_ >= 4 && width_ % 2 == 0, in, "the width must be even and at least 4");
    return {in[0][0], width_};
  }
  Keeps keeps() const override { return {.output = true}; }
  double flops(std::span<const Shape>, const Shape& out) const override {
    return 20 * static_cast<double>(out.elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::int64_t half = width_ / 2;
    for (std::int64_t b = 0; b < f.output_shape[0]; ++b) {
      const double t = static_cast<double>(f.in(0)[b]);
      T *sine = f.output + b * width_, *cosine = sine + half;
      for (std::int64_t j = 0; j < half; ++j)
        sine[j] = static_cast<T>(t * frequencies_[static_cast<std::size_t>(j)]);
      const std::span<T> s(sine, static_cast<std::size_t>(half));
      vec::cos(std::span<const T>(s), std::span<T>(cosine, s.size()));
      vec::sin(std::span<const T>(s), s);
    }
  }

  template <typename T>
  void backward(const Frame<T>& f) const {
    const std::int64_t half = width_ / 2;
    f.add_gradient(0, [&](std::int64_t b) {
      const T *sine = f.output + b * width_, *cosine = sine + half;
      const T *up_sine = f.output_gradient + b * width_, *up_cosine = up_sine + half;
      double sum = 0;
      for (std::int64_t j = 0; j < half; ++j)
        sum += frequencies_[static_cast<std::size_t>(j)] *
               static_cast<double>(up_sine[j] * cosine[j] - up_cosine[j] * sine[j]);
      return static_cast<T>(sum);
    });
  }

 private:
  std::int64_t width_;
  std::vector<double> frequencies_;
};

}  // namespace

Var fourier_features(Var x, std::vector<int> exponents) {
  return x.graph().apply(std::make_unique<FourierFeatures>(std::move(exponents)), {x});
}

Var time_embedding(Var t, std::int64_t width, double scale) {
  return t.graph().apply(std::make_unique<TimeEmbedding>(width, scale), {t});
}

Var monotone_linear(Var x, Var w, Var b) { return linear(x, softplus(w), b); }

}  // namespace logpx
