// Convolutions whose path gives way: to factors of 8 bits, or to ordered products.
#include "libcore/base/index.hpp"
#include "libcore/math/conv.hpp"
#include "libcore/math/repeatable.hpp"
#include "tests/support/random_values.hpp"
#include "tests/support/rounded_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

namespace logpx::conv_bf16_test {
namespace {

const std::vector<ConvShape> shapes = {
    {2, 17, 9, 7, 24, 3, 1, 1}, {3, 32, 8, 8, 16, {3, 5}, 2, {1, 2}}, {1, 3, 12, 5, 40, 3, 1, 1}};

struct Arrays {
  explicit Arrays(const ConvShape& s)
      : x(random_values<float>(1, at(s.images * s.in_channels * s.in_height * s.in_width))),
        w(random_values<float>(2, at(s.out_channels * s.in_channels * s.kernel.y * s.kernel.x))),
        bias(random_values<float>(3, at(s.out_channels))),
        dy(random_values<float>(4,
                                at(s.images * s.out_channels * s.out_height() * s.out_width()))) {}
  std::vector<float> x, w, bias, dy;
};

struct Results {
  std::vector<float> y, dx, dw;
  friend bool operator==(const Results&, const Results&) = default;
};

// dx and dw are added to ones.
Results convolve(const ConvShape& shape, const Arrays& a, Convolution path) {
  Results r{std::vector<float>(a.dy.size()), std::vector<float>(a.x.size(), 1),
            std::vector<float>(a.w.size(), 1)};
  std::vector<float> workspace(at(conv_workspace(shape, path)));
  ConvCall<float> call{.shape = shape,
                       .x = a.x.data(),
                       .w = a.w.data(),
                       .bias = a.bias.data(),
                       .y = r.y.data(),
                       .dy = a.dy.data(),
                       .dx = r.dx.data(),
                       .dw = r.dw.data(),
                       .beta = 1,
                       .workspace = workspace.data(),
                       .path = path};
  conv_forward(call);
  call.bias = nullptr;
  conv_backward_data(call);
  conv_backward_weights(call);
  return r;
}

bool close(const std::vector<float>& a, const std::vector<float>& b) {
  bool all = a.size() == b.size();
  for (std::size_t i = 0; all && i < a.size(); ++i)
    all = std::fabs(a[i] - b[i]) < 1e-4F * (1 + std::fabs(b[i]));
  return all;
}

}  // namespace

TEST_CASE("conv: bf16 convolves numbers rounded to 8 bits, and sums in float32") {
  if (!convolution_available(Convolution::bf16)) return;
  for (const ConvShape& shape : shapes) {
    CAPTURE(shape.in_channels);
    const Arrays arrays(shape);
    Arrays rounded = arrays;
    for (auto* values : {&rounded.x, &rounded.w, &rounded.dy})
      std::ranges::transform(*values, values->begin(), rounded_to_bf16);
    const Results got = convolve(shape, arrays, Convolution::bf16),
                  expected = convolve(shape, rounded, Convolution::im2col),
                  exact = convolve(shape, arrays, Convolution::im2col);
    CHECK(close(got.y, expected.y));
    CHECK_FALSE(close(got.y, exact.y));
    CHECK(close(got.dw, expected.dw));
    // With few channels this pass is unfolded, and rounds nothing.
    CHECK(close(got.dx, shape.in_channels > 4 ? expected.dx : exact.dx));
  }
}

TEST_CASE("conv: bf16 has the same bits in every thread") {
  if (!convolution_available(Convolution::bf16)) return;
  const Arrays arrays(shapes[0]);
  std::vector<Results> results(3);
  const auto work = [&](std::size_t i) {
    results[i] = convolve(shapes[0], arrays, Convolution::bf16);
  };
  work(0);
  std::thread one(work, 1), other(work, 2);
  one.join(), other.join();
  CHECK(results[1] == results[0]);
  CHECK(results[2] == results[0]);
}

TEST_CASE("conv: who needs repeatable numbers gets ordered products, whatever was planned") {
  for (const ConvShape& shape : shapes) {
    const Arrays arrays(shape);
    const Results fast = convolve(shape, arrays, best_convolution());
    const RepeatableFunctions repeatable;
    const Results expected = convolve(shape, arrays, Convolution::im2col);
    for (const Convolution path : {Convolution::onednn, Convolution::bf16})
      if (convolution_available(path)) CHECK(convolve(shape, arrays, path) == expected);
    CHECK(fast.y != expected.y);
  }
}

TEST_CASE("conv: graphs take the fastest path of the build, unless they are told") {
  CHECK(Numerics().convolution == best_convolution());
  CHECK(convolution_available(best_convolution()));
  CHECK(repeatable_numerics.convolution == Convolution::ordered);
}

}  // namespace logpx::conv_bf16_test
