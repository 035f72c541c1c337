#include "libcore/base/error.hpp"
#include "libcore/features/inception_layout.hpp"
#include "libcore/features/kinds.hpp"
#include "libcore/features/resize.hpp"
#include "tests/support/inception_weights.hpp"
#include "tests/support/picture_rows.hpp"
#include "tests/support/plain_maps.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::inception_test {

using namespace logpx::testing;

namespace {

std::unique_ptr<Extractor> inception(InceptionWeights& weights, const DatasetInfo& data) {
  return make_extractor(parse_extractor("inception-v3"),
                        {.data = data, .tensors = weights.tensors()});
}

// The network by plain loops, normalisations as they are written and not folded.
PlainMaps plain(const LayerNode& node, PlainMaps x, InceptionWeights& weights) {
  switch (node.kind) {
    case LayerNode::Kind::pool: return pooled(x, node.pooling);
    case LayerNode::Kind::sequence:
      for (const LayerNode& part : node.parts) x = plain(part, std::move(x), weights);
      return x;
    case LayerNode::Kind::join: {
      PlainMaps all;
      for (const LayerNode& part : node.parts) {
        const PlainMaps side = plain(part, x, weights);
        all.channels += side.channels;
        all.height = side.height;
        all.width = side.width;
        all.values.insert(all.values.end(), side.values.begin(), side.values.end());
      }
      return all;
    }
    case LayerNode::Kind::convolution: break;
  }
  const auto bn = [&](const char* part, std::int64_t c) {
    return static_cast<double>(weights.of(node.name + ".bn." + part).values[at(c)]);
  };
  return convolved(x,
                   {.w = weights.of(node.name + ".conv.weight").values,
                    .size = node.kernel,
                    .stride = node.stride,
                    .pad = node.pad},
                   [&](std::int64_t c, double y) {
                     const double scaled =
                         (y - bn("running_mean", c)) / std::sqrt(bn("running_var", c) + 0.001);
                     return std::max(0.0, bn("weight", c) * scaled + bn("bias", c));
                   });
}

// Output pixel i looks at i * in / 299.
PlainMaps resized(const HeldRows& held, std::int64_t row) {
  const auto& shape = held.info.shape;
  const std::int64_t side = inception_side;
  PlainMaps maps{.channels = 3, .height = side, .width = side};
  const auto pixel = [&](std::int64_t c, std::int64_t y, std::int64_t x) {
    y = std::min(y, shape[0] - 1);
    x = std::min(x, shape[1] - 1);
    const std::int64_t channel = std::min(c, shape[2] - 1);
    const std::int64_t place = (y * shape[1] + x) * shape[2] + channel;
    return static_cast<double>(held.rows.x[at(row * held.info.dims() + place)]);
  };
  for (std::int64_t c = 0; c < 3; ++c)
    for (std::int64_t i = 0; i < side; ++i)
      for (std::int64_t j = 0; j < side; ++j) {
        const double y = static_cast<double>(i * shape[0]) / static_cast<double>(side),
                     x = static_cast<double>(j * shape[1]) / static_cast<double>(side);
        const auto y0 = static_cast<std::int64_t>(y), x0 = static_cast<std::int64_t>(x);
        const double fy = y - std::floor(y), fx = x - std::floor(x);
        const double v = (1 - fy) * ((1 - fx) * pixel(c, y0, x0) + fx * pixel(c, y0, x0 + 1)) +
                         fy * ((1 - fx) * pixel(c, y0 + 1, x0) + fx * pixel(c, y0 + 1, x0 + 1));
        maps.values.push_back((v - 128) / 128);
      }
  return maps;
}

std::string complaint(InceptionWeights& weights) {
  const HeldRows held = random_pictures(1, {8, 8, 3});
  try {
    (void)inception(weights, held.info);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("inception: features and logits are those of plain loops over the published layout") {
  InceptionWeights weights;
  const HeldRows held = random_pictures(1, {20, 31, 3});
  const auto extractor = inception(weights, held.info);
  std::vector<float> features(at(extractor->info().width)), logits(3);
  extractor->extract({held.info, held.rows, 0}, {features, logits});
  const PlainMaps maps = plain(inception_layout(), resized(held, 0), weights);
  REQUIRE(maps.channels == extractor->info().width);
  CHECK(maps.height == 8);
  double scale = 0;
  for (std::int64_t c = 0; c < maps.channels; ++c) scale = std::max(scale, maps.mean(c));
  CHECK(scale > 0.01);
  for (std::int64_t c = 0; c < maps.channels; ++c)
    CHECK(std::fabs(static_cast<double>(features[at(c)]) - maps.mean(c)) <= 2e-4 * scale);
  for (std::size_t k = 0; k < 3; ++k) {
    double sum = static_cast<double>(weights.of("fc.bias").values[k]);
    for (std::size_t c = 0; c < features.size(); ++c)
      sum += static_cast<double>(weights.of("fc.weight").values[k * features.size() + c]) *
             maps.mean(static_cast<std::int64_t>(c));
    CHECK(static_cast<double>(logits[k]) == doctest::Approx(sum).epsilon(2e-4));
  }
}

TEST_CASE("inception: the layout has the 94 convolutions of the published network") {
  std::int64_t convolutions = 0, flat = 0, tall = 0;
  const auto count = [&](const auto& self, const LayerNode& node) -> void {
    for (const LayerNode& part : node.parts) self(self, part);
    if (node.kind != LayerNode::Kind::convolution) return;
    ++convolutions;
    flat += node.kernel == PerAxis(1, 7) ? 1 : 0;
    tall += node.kernel == PerAxis(7, 1) ? 1 : 0;
  };
  count(count, inception_layout());
  CHECK(convolutions == 94);
  CHECK(flat == 13);
  CHECK(tall == 13);
}

TEST_CASE("inception: without a dense layer there are no logits") {
  InceptionWeights weights;
  weights.erase("fc.weight");
  const HeldRows held = random_pictures(1, {8, 8, 3});
  CHECK(inception(weights, held.info)->info().classes == 0);
}

TEST_CASE("inception: a tensor that is missing or does not fit is named") {
  InceptionWeights missing;
  missing.erase("Mixed_6b.branch7x7_2.conv.weight");
  CHECK(complaint(missing) == "Mixed_6b.branch7x7_2.conv.weight: is missing among the weights");
  InceptionWeights turned;
  Shape& shape = turned.of("Mixed_6b.branch7x7_2.conv.weight").shape;
  std::swap(shape[2], shape[3]);
  CHECK(complaint(turned) == "Mixed_6b.branch7x7_2.conv.weight: has shape " + shape.text() +
                                 ", expected [C," + std::to_string(shape[1]) + ",1,7]");
  InceptionWeights short_norm;
  short_norm.of("Conv2d_2b_3x3.bn.bias") = {{7}, std::vector<float>(7)};
  CHECK(complaint(short_norm).starts_with("Conv2d_2b_3x3.bn.bias: has shape [7], expected ["));
  InceptionWeights negative;
  negative.of("Conv2d_2b_3x3.bn.running_var").values[0] = -1;
  CHECK(complaint(negative) == "Conv2d_2b_3x3.bn.running_var: element 0 is negative");
  InceptionWeights classes;
  classes.of("fc.weight").shape[0] = 1;
  CHECK(complaint(classes).starts_with("fc.weight: has shape [1,"));
}

TEST_CASE("inception: a picture of the wanted size is not resized, and a constant one stays") {
  const std::vector<float> same = {1, 2, 3, 4}, one(12, 0.25F);
  std::vector<float> out(4);
  resize_bilinear(same, {.planes = 1, .height = 2, .width = 2}, 2, out);
  CHECK(out == same);
  std::vector<float> grown(50);
  resize_bilinear(one, {.planes = 2, .height = 2, .width = 3}, 5, grown);
  CHECK(grown == std::vector<float>(50, 0.25F));
  std::vector<float> line(9);
  resize_bilinear(std::vector<float>{0, 1}, {.planes = 1, .height = 1, .width = 2}, 3, line);
  CHECK(line[0] == 0);
  CHECK(line[1] == doctest::Approx(2.0 / 3));  // beyond the last pixel lies the last pixel
  CHECK(line[2] == 1);
}

}  // namespace logpx::inception_test
