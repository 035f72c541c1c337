#include "libcore/math/conv.hpp"
#include "libcore/math/tensor.hpp"

#include "tests/bench/bench.hpp"

#include <algorithm>

namespace logpx::bench {

namespace {

struct Layer {
  const char* name;
  ConvShape shape;
};

// The shapes that models use; a transposed convolution is named by its own direction.
const std::vector<Layer> layers = {
    {"3x3 128->128 at 32x32", {8, 128, 32, 32, 128, 3, 1, 1}},
    {"3x3 32->32 at 32x32", {8, 32, 32, 32, 32, 3, 1, 1}},
    {"1x1 128->128 at 32x32", {8, 128, 32, 32, 128, 1, 1, 0}},
    {"4x4 s2 transposed 256->128 at 4->8", {32, 128, 8, 8, 256, 4, 2, 1}},
    {"4x4 s2 transposed 128->64 at 8->16", {32, 64, 16, 16, 128, 4, 2, 1}},
    {"4x4 s2 transposed 64->3 at 16->32", {32, 3, 32, 32, 64, 4, 2, 1}},
    {"5x5 s2 3->64 at 32->16", {32, 3, 32, 32, 64, 5, 2, 2}}};

double flops_of(const ConvShape& s) {
  return 2.0 * static_cast<double>(s.images * s.out_channels * s.out_height() * s.out_width() *
                                   s.in_channels * s.kernel.y * s.kernel.x);
}

struct Path {
  Convolution path;
  const char* name;
  std::optional<double> floor;
};

void bench_layer(Bench& bench, const Layer& layer, const Path& path) {
  const ConvShape& s = layer.shape;
  // Aligned as in models: what loads of 64 bytes cost depends on where they begin.
  const auto filled = [](std::int64_t n) {
    Tensor<float> tensor({n});
    std::ranges::fill(tensor.span(), 0.5f);
    return tensor;
  };
  const std::int64_t in = s.images * s.in_channels * s.in_height * s.in_width;
  const std::int64_t out = s.images * s.out_channels * s.out_height() * s.out_width();
  const std::int64_t weights = s.out_channels * s.in_channels * s.kernel.y * s.kernel.x;
  Tensor<float> x = filled(in), dx = filled(in), y = filled(out), dy = filled(out);
  Tensor<float> w = filled(weights), dw = filled(weights);
  Tensor<float> workspace = filled(conv_workspace(s, path.path));
  const ConvCall<float> call{.shape = s,
                             .x = x.data(),
                             .w = w.data(),
                             .y = y.data(),
                             .dy = dy.data(),
                             .dx = dx.data(),
                             .dw = dw.data(),
                             .workspace = workspace.data(),
                             .path = path.path};
  const std::vector<double> seconds =
      bench.seconds({[&] { conv_forward(call); }, [&] { conv_backward_data(call); },
                     [&] { conv_backward_weights(call); }});
  const char* const parts[] = {"forward", "data", "weights"};
  const double flops = flops_of(s);
  const std::string name = std::string(layer.name) + " " + path.name + " ";
  for (std::size_t i = 0; i < 3; ++i)
    bench.add({.name = name + parts[i],
               .value = 1e-9 * flops / seconds[i],
               .unit = "GFLOP/s",
               .share = flops / seconds[i] / bench.peak(),
               .floor = {},
               .of = "sgemm 1024"});
  const double rate = 3 * flops / (seconds[0] + seconds[1] + seconds[2]);
  bench.add({.name = name + "all",
             .value = 1e-9 * rate,
             .unit = "GFLOP/s",
             .share = rate / bench.peak(),
             .floor = path.floor,
             .of = "sgemm 1024"});
}

}  // namespace

void bench_conv(Bench& bench) {
  for (const Layer& layer : layers) {
    if (convolution_available(Convolution::onednn))
      bench_layer(bench, layer, {Convolution::onednn, "onednn", 0.60});
    bench_layer(bench, layer, {Convolution::im2col, "im2col", 0.40});
    bench_layer(bench, layer, {Convolution::ordered, "ordered", {}});
  }
}

}  // namespace logpx::bench
