// A checkpoint of Inception v3 with few channels and random weights: the published names and
// kernels, with numbers that are easy to make.
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/features/inception_layout.hpp"
#include "libcore/math/tensor_ref.hpp"
#include "tests/support/random_values.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace logpx::testing {

class InceptionWeights {
 public:
  explicit InceptionWeights(std::int64_t classes = 3) {
    const std::int64_t width = add(inception_layout(), 3);
    store("fc.weight", {classes, width}, 0.3);
    store("fc.bias", {classes}, 1);
  }

  struct Stored {
    Shape shape;
    std::vector<float> values;
  };
  [[nodiscard]] Stored& of(const std::string& name) { return tensors_.at(name); }
  void erase(const std::string& name) { tensors_.erase(name); }
  [[nodiscard]] std::vector<TensorRef> tensors() {
    std::vector<TensorRef> list;
    for (auto& [name, stored] : tensors_)
      list.push_back(TensorRef::of<float>(name, stored.values, stored.shape));
    return list;
  }

 private:
  std::int64_t add(const LayerNode& node, std::int64_t channels) {
    using Kind = LayerNode::Kind;
    if (node.kind == Kind::pool) return channels;
    if (node.kind == Kind::convolution) return add_convolution(node, channels);
    std::int64_t joined = 0;
    for (const LayerNode& part : node.parts) {
      const std::int64_t out = add(part, channels);
      if (node.kind == Kind::sequence) channels = out;
      joined += out;
    }
    return node.kind == Kind::sequence ? channels : joined;
  }

  std::int64_t add_convolution(const LayerNode& node, std::int64_t in) {
    const std::int64_t out = 1 + static_cast<std::int64_t>(tensors_.size()) / 5 % 2;
    const double fan = static_cast<double>(in * node.kernel.y * node.kernel.x);
    store(node.name + ".conv.weight", {out, in, node.kernel.y, node.kernel.x}, std::sqrt(2 / fan));
    for (const char* part : {".bn.weight", ".bn.bias", ".bn.running_mean", ".bn.running_var"})
      store(node.name + part, {out}, 0.2);
    for (const char* positive : {".bn.weight", ".bn.running_var"})
      for (float& value : of(node.name + positive).values) value = 0.6F + std::fabs(value);
    for (float& value : of(node.name + ".bn.bias").values) value += 0.3F;
    return out;
  }

  void store(const std::string& name, const Shape& shape, double scale) {
    std::vector<float> values = random_values<float>(
        static_cast<std::uint32_t>(100 + tensors_.size()), at(shape.elements()));
    for (float& value : values) value *= static_cast<float>(scale);
    tensors_[name] = {shape, std::move(values)};
  }

  std::map<std::string, Stored> tensors_;
};

}  // namespace logpx::testing
