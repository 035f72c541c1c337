// inception-v3: the pool features that published FIDs use, and class scores if the weights have
// them. Pictures are resized to 299x299 and become (v - 128) / 128 for v in 0..255.
//
// Each normalisation is folded into its convolution: with s = gamma / sqrt(variance + 0.001),
//   w' = w s,   b' = beta - mean s
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/features/inception_layout.hpp"
#include "libcore/features/kinds.hpp"
#include "libcore/features/net_extractor.hpp"
#include "libcore/features/resize.hpp"
#include "libcore/features/unit_rows.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_reduce.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr double normalisation_epsilon = 0.001;
constexpr std::int64_t most_channels = 8192, pictures_at_once = 4;

class Inception final : public NetExtractor {
 public:
  Inception(const ExtractorWords& words, const ExtractorParts& parts)
      : NetExtractor({.name = words.text, .data = parts.data, .block = pictures_at_once}) {
    const StoredWeights stored(parts.tensors);
    info_.width = add_parameters(layout_, stored, 3);
    if (stored.has("fc.weight")) add_classes(stored);
    fill_parameters(layout_, stored);
    if (info_.classes > 0) fill_classes(stored);
  }

 private:
  // Adds the tensors of all convolutions, and returns how many channels come out.
  std::int64_t add_parameters(const LayerNode& node, const StoredWeights& stored,
                              std::int64_t channels) {
    switch (node.kind) {
      case LayerNode::Kind::pool: return channels;
      case LayerNode::Kind::sequence:
        for (const LayerNode& part : node.parts) channels = add_parameters(part, stored, channels);
        return channels;
      case LayerNode::Kind::join: {
        std::int64_t sum = 0;
        for (const LayerNode& part : node.parts) sum += add_parameters(part, stored, channels);
        return sum;
      }
      case LayerNode::Kind::convolution: break;
    }
    const std::string name = node.name + ".conv.weight";
    const Shape& shape = stored.find(name).shape;
    const std::int64_t out = shape.rank() == 4 ? shape[0] : 0;
    const Shape expected{out, channels, node.kernel.y, node.kernel.x};
    if (shape != expected || out < 1 || out > most_channels)
      fail(ErrorKind::data, name,
           "has shape " + shape.text() + ", expected [C," + std::to_string(channels) + "," +
               std::to_string(node.kernel.y) + "," + std::to_string(node.kernel.x) + "]");
    params_.add(node.name + "/w", shape);
    params_.add(node.name + "/b", {out});
    return out;
  }

  void add_classes(const StoredWeights& stored) {
    const Shape& shape = stored.find("fc.weight").shape;
    const std::int64_t classes = shape.rank() == 2 ? shape[0] : 0;
    if (classes < 2 || classes > most_channels || shape[1] != info_.width)
      fail(
          ErrorKind::data, "fc.weight",
          "has shape " + shape.text() + ", expected [classes," + std::to_string(info_.width) + "]");
    info_.classes = classes;
    params_.add("fc/w", {info_.width, classes});
    params_.add("fc/b", {classes});
  }

  [[nodiscard]] std::span<float> parameter(const std::string& name) {
    return params_.view(params_.find(name)).span();
  }

  void fill_parameters(const LayerNode& node, const StoredWeights& stored) {
    for (const LayerNode& part : node.parts) fill_parameters(part, stored);
    if (node.kind == LayerNode::Kind::convolution) fold(node.name, stored);
  }

  void fold(const std::string& name, const StoredWeights& stored) {
    const auto w = parameter(name + "/w"), b = parameter(name + "/b");
    const Shape channels{std::ssize(b)};
    const auto weights =
        stored.values(name + ".conv.weight", stored.find(name + ".conv.weight").shape);
    const auto gamma = stored.values(name + ".bn.weight", channels),
               beta = stored.values(name + ".bn.bias", channels),
               mean = stored.values(name + ".bn.running_mean", channels),
               variance = stored.values(name + ".bn.running_var", channels);
    const std::size_t each = w.size() / b.size();
    for (std::size_t c = 0; c < b.size(); ++c) {
      if (!(variance[c] >= 0))
        fail(ErrorKind::data, name + ".bn.running_var",
             "element " + std::to_string(c) + " is negative");
      const double scale = static_cast<double>(gamma[c]) /
                           std::sqrt(static_cast<double>(variance[c]) + normalisation_epsilon);
      b[c] =
          static_cast<float>(static_cast<double>(beta[c]) - static_cast<double>(mean[c]) * scale);
      for (std::size_t e = c * each; e < (c + 1) * each; ++e)
        w[e] = static_cast<float>(static_cast<double>(weights[e]) * scale);
    }
  }

  // PyTorch keeps a dense layer as [out, in].
  void fill_classes(const StoredWeights& stored) {
    const auto from = stored.values("fc.weight", {info_.classes, info_.width});
    const auto to = parameter("fc/w");
    for (std::int64_t c = 0; c < info_.classes; ++c)
      for (std::int64_t d = 0; d < info_.width; ++d)
        to[at(d * info_.classes + c)] = from[at(c * info_.width + d)];
    std::ranges::copy(stored.values("fc.bias", {info_.classes}), parameter("fc/b").begin());
  }

  [[nodiscard]] Shape input_shape(std::int64_t rows) const override {
    return {rows, 3, inception_side, inception_side};
  }
  void fill_input(const Examples& examples, std::span<float> x) const override {
    const Planes planes{3 * examples.rows.count, info_.data.shape[0], info_.data.shape[1]};
    std::vector<float> pictures(at(examples.rows.count * info_.data.dims()));
    unit_rows(examples, info_.data, pictures);
    resize_bilinear(pictures, planes, inception_side, x);
    for (float& value : x) value = (value * 255 - 128) / 128;
  }

  [[nodiscard]] Var parameter_node(Var x, const std::string& name) const {
    return x.graph().parameter(params_, params_.find(name));
  }
  [[nodiscard]] Var built(const LayerNode& node, Var x) const {
    switch (node.kind) {
      case LayerNode::Kind::pool: return pool(x, node.pooling);
      case LayerNode::Kind::sequence:
        for (const LayerNode& part : node.parts) x = built(part, x);
        return x;
      case LayerNode::Kind::join: {
        std::vector<Var> sides;
        for (const LayerNode& part : node.parts) sides.push_back(built(part, x));
        return concat(sides, 1);
      }
      case LayerNode::Kind::convolution: break;
    }
    const Graph::Scope scope(x.graph(), node.name);
    return conv2d(x, parameter_node(x, node.name + "/w"), parameter_node(x, node.name + "/b"),
                  {.stride = node.stride, .pad = node.pad, .activation = Activation::relu});
  }
  [[nodiscard]] Outputs nodes(Var x) const override {
    const Var maps = built(layout_, x);
    const Shape shape = maps.shape();
    const Var features = mean(maps.reshape({shape[0], shape[1], shape[2] * shape[3]}), 2);
    if (info_.classes == 0) return {.features = features};
    return {.features = features,
            .logits = linear(features, parameter_node(x, "fc/w"), parameter_node(x, "fc/b"))};
  }

  LayerNode layout_ = inception_layout();
};

}  // namespace

std::unique_ptr<Extractor> make_inception(const ExtractorWords& words, ExtractorParts parts) {
  require_pictures(parts.data, words.text);
  return std::make_unique<Inception>(words, parts);
}

}  // namespace logpx
