#include "libcore/math/conv.hpp"

#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace logpx;

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// Every kernel, stride and pad that the families use; channels 1, 3, prime; images not square.
const std::vector<ConvShape> shapes = {
    {.images = 2,
     .in_channels = 5,
     .in_height = 7,
     .in_width = 6,
     .out_channels = 7,
     .kernel = 1,
     .stride = 1,
     .pad = 0},
    {.images = 2,
     .in_channels = 3,
     .in_height = 9,
     .in_width = 8,
     .out_channels = 11,
     .kernel = 3,
     .stride = 1,
     .pad = 1},
    {.images = 1,
     .in_channels = 13,
     .in_height = 5,
     .in_width = 17,
     .out_channels = 1,
     .kernel = 3,
     .stride = 1,
     .pad = 1},
    {.images = 3,
     .in_channels = 1,
     .in_height = 8,
     .in_width = 10,
     .out_channels = 5,
     .kernel = 4,
     .stride = 2,
     .pad = 1},
    {.images = 2,
     .in_channels = 17,
     .in_height = 4,
     .in_width = 4,
     .out_channels = 3,
     .kernel = 4,
     .stride = 1,
     .pad = 0},
    {.images = 2,
     .in_channels = 3,
     .in_height = 11,
     .in_width = 8,
     .out_channels = 16,
     .kernel = 5,
     .stride = 2,
     .pad = 2},
    {.images = 1,
     .in_channels = 16,
     .in_height = 9,
     .in_width = 7,
     .out_channels = 8,
     .kernel = 3,
     .stride = 2,
     .pad = 1},
    {.images = 1,
     .in_channels = 2,
     .in_height = 1,
     .in_width = 3,
     .out_channels = 2,
     .kernel = 3,
     .stride = 1,
     .pad = 1},
    {.images = 1,
     .in_channels = 128,
     .in_height = 64,
     .in_width = 40,
     .out_channels = 2,
     .kernel = 5,
     .stride = 1,
     .pad = 2},
};

template <typename T>
struct Problem {
  Problem(const ConvShape& s, Convolution path)
      : x(random_values<T>(1, at(s.images * s.in_channels * s.in_height * s.in_width))),
        w(random_values<T>(2, at(s.out_channels * s.in_channels * s.kernel * s.kernel))),
        bias(random_values<T>(3, at(s.out_channels))),
        in_bias(random_values<T>(4, at(s.in_channels))),
        dy(random_values<T>(5, at(s.images * s.out_channels * s.out_height() * s.out_width()))),
        workspace(at(conv_workspace(s, path)), std::numeric_limits<T>::quiet_NaN()),
        call{.shape = s,
             .x = x.data(),
             .w = w.data(),
             .dy = dy.data(),
             .workspace = workspace.data(),
             .path = path} {}
  std::vector<T> forward() {
    std::vector<T> y(dy.size(), std::numeric_limits<T>::quiet_NaN());
    call.y = y.data();
    call.bias = bias.data();
    conv_forward(call);
    return y;
  }
  std::vector<T> backward_data(std::vector<T> dx, T beta, const T* with_bias) {
    call.dx = dx.data();
    call.beta = beta;
    call.bias = with_bias;
    conv_backward_data(call);
    return dx;
  }
  struct Weights {
    std::vector<T> dw, dbias;
  };
  Weights backward_weights(Weights out, T beta) {
    call.dw = out.dw.data();
    call.dbias = out.dbias.data();
    call.beta = beta;
    conv_backward_weights(call);
    return out;
  }
  std::vector<T> x, w, bias, in_bias, dy, workspace;
  ConvCall<T> call;
};

// Calls visit(x index, w index, y index) for every product of the convolution.
template <typename Visit>
void for_each_product(const ConvShape& s, Visit visit) {
  for (std::int64_t n = 0; n < s.images; ++n)
    for (std::int64_t o = 0; o < s.out_channels; ++o)
      for (std::int64_t i = 0; i < s.out_height(); ++i)
        for (std::int64_t j = 0; j < s.out_width(); ++j)
          for (std::int64_t ky = 0; ky < s.kernel; ++ky)
            for (std::int64_t kx = 0; kx < s.kernel; ++kx) {
              const std::int64_t iy = i * s.stride + ky - s.pad, ix = j * s.stride + kx - s.pad;
              if (iy < 0 || iy >= s.in_height || ix < 0 || ix >= s.in_width) continue;
              for (std::int64_t c = 0; c < s.in_channels; ++c)
                visit(at(((n * s.in_channels + c) * s.in_height + iy) * s.in_width + ix),
                      at(((o * s.in_channels + c) * s.kernel + ky) * s.kernel + kx),
                      at(((n * s.out_channels + o) * s.out_height() + i) * s.out_width() + j));
            }
}

// Largest difference relative to the largest expected value.
template <typename T>
double difference(const std::vector<T>& got, const std::vector<double>& expected) {
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double error = std::fabs(static_cast<double>(got[i]) - expected[i]);
    if (std::isnan(error)) return error;
    worst = std::max(worst, error);
    scale = std::max(scale, std::fabs(expected[i]));
  }
  return worst / scale;
}

template <typename T>
void check_against_definition(Convolution path, double tolerance) {
  for (const ConvShape& s : shapes) {
    CAPTURE(s.kernel);
    CAPTURE(s.stride);
    CAPTURE(s.pad);
    CAPTURE(s.in_channels);
    CAPTURE(s.out_channels);
    Problem<T> p(s, path);
    std::vector<double> y(p.dy.size()), dx(p.x.size()), dw(p.w.size()), dbias(p.bias.size());
    const std::int64_t pixels = s.out_height() * s.out_width();
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::size_t channel = i / at(pixels) % at(s.out_channels);
      y[i] = static_cast<double>(p.bias[channel]);
      dbias[channel] += static_cast<double>(p.dy[i]);
    }
    for_each_product(s, [&](std::size_t ix, std::size_t iw, std::size_t iy) {
      y[iy] += static_cast<double>(p.x[ix]) * static_cast<double>(p.w[iw]);
      dx[ix] += static_cast<double>(p.dy[iy]) * static_cast<double>(p.w[iw]);
      dw[iw] += static_cast<double>(p.dy[iy]) * static_cast<double>(p.x[ix]);
    });
    CHECK(difference(p.forward(), y) < tolerance);
    const T nan = std::numeric_limits<T>::quiet_NaN();
    CHECK(difference(p.backward_data(std::vector<T>(dx.size(), nan), 0, nullptr), dx) < tolerance);
    const auto w =
        p.backward_weights({std::vector<T>(dw.size(), nan), std::vector<T>(dbias.size(), nan)}, 0);
    CHECK(difference(w.dw, dw) < tolerance);
    CHECK(difference(w.dbias, dbias) < tolerance);
    // Once more on top, and with the bias of a transposed convolution.
    std::vector<double> twice = dx;
    for (std::size_t i = 0; i < dx.size(); ++i)
      twice[i] +=
          1 + static_cast<double>(p.in_bias[i / at(s.in_height * s.in_width) % at(s.in_channels)]);
    CHECK(difference(p.backward_data(std::vector<T>(dx.size(), 1), 1, p.in_bias.data()), twice) <
          tolerance);
    const auto added =
        p.backward_weights({std::vector<T>(dw.size(), 1), std::vector<T>(dbias.size(), 1)}, 1);
    for (double& v : dw) v += 1;
    for (double& v : dbias) v += 1;
    CHECK(difference(added.dw, dw) < tolerance);
    CHECK(difference(added.dbias, dbias) < tolerance);
  }
}

}  // namespace

TEST_CASE("conv: im2col is the definition, forward and both gradients") {
  check_against_definition<float>(Convolution::im2col, 5e-6);
  check_against_definition<double>(Convolution::im2col, 1e-14);
}

TEST_CASE("conv: the ordered path is the definition, forward and both gradients") {
  check_against_definition<float>(Convolution::ordered, 5e-6);
  check_against_definition<double>(Convolution::ordered, 1e-14);
}
