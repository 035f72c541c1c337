#include "libcore/grad/ops_features.hpp"

#include "libcore/det/functions.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
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
  Keeps keeps() const override { return {.inputs = 1}; }
  double flops(std::span<const Shape>, const Shape& out) const override {
    return 12 * static_cast<double>(out.elements());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const T* const x = f.in(0).data;
    for_each_channel(f, [&](const Channel& at) {
      std::copy_n(x + at.x, at.size, f.output + at.copy);
      for (std::int64_t i = 0; i < at.size; ++i)
        for (std::int64_t e = 0; e < exponents(); ++e) {
          const SinCos wave = wave_of(static_cast<double>(x[at.x + i]), e);
          f.output[at.sine + e * at.size + i] = static_cast<T>(wave.sin);
          f.output[at.cosine + e * at.size + i] = static_cast<T>(wave.cos);
        }
    });
  }

  // dx = dx' + sum over n of 2^n pi (dsin cos - dcos sin). The terms are large and may cancel, so
  // their sum is rounded once.
  template <typename T>
  void backward(const Frame<T>& f) const {
    if (!f.wants(0)) return;
    T* const dx = f.begin_gradient(0);
    const T *x = f.in(0).data, *up = f.output_gradient;
    for_each_channel(f, [&](const Channel& at) {
      for (std::int64_t i = 0; i < at.size; ++i) {
        auto sum = static_cast<double>(up[at.copy + i]);
        for (std::int64_t e = 0; e < exponents(); ++e) {
          const SinCos wave = wave_of(static_cast<double>(x[at.x + i]), e);
          const auto sine = static_cast<double>(up[at.sine + e * at.size + i]),
                     cosine = static_cast<double>(up[at.cosine + e * at.size + i]);
          sum += std::ldexp(std::numbers::pi, exponents_[static_cast<std::size_t>(e)]) *
                 (sine * wave.cos - cosine * wave.sin);
        }
        dx[at.x + i] += static_cast<T>(sum);
      }
    });
  }

 private:
  // A channel of x, and in the result: its copy, and its planes of the first frequency; those of
  // the others follow.
  struct Channel {
    std::int64_t x, copy, sine, cosine, size;
  };
  [[nodiscard]] std::int64_t exponents() const {
    return static_cast<std::int64_t>(exponents_.size());
  }

  // Sine and cosine of 2^n pi x: 2^n x is exact, and so is what whole turns leave of it.
  [[nodiscard]] SinCos wave_of(double x, std::int64_t e) const {
    const double half_turns = std::ldexp(x, exponents_[static_cast<std::size_t>(e)]);
    return det_sincos(std::numbers::pi * (half_turns - 2 * std::rint(half_turns / 2)));
  }

  template <typename T, typename Visit>
  void for_each_channel(const Frame<T>& f, Visit visit) const {
    if (f.output_shape.elements() == 0) return;
    const std::int64_t examples = f.output_shape[0], channels = f.inputs[0].shape[1];
    const std::int64_t size = f.inputs[0].shape.elements() / (examples * channels);
    const std::int64_t waves = exponents() * size;  // elements of a channel's sines
    for (std::int64_t n = 0; n < examples; ++n) {
      const std::int64_t copies = n * channels * (size + 2 * waves),
                         sines = copies + channels * size;
      for (std::int64_t c = 0; c < channels; ++c)
        visit(Channel{.x = (n * channels + c) * size,
                      .copy = copies + c * size,
                      .sine = sines + c * waves,
                      .cosine = sines + (channels + c) * waves,
                      .size = size});
    }
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
