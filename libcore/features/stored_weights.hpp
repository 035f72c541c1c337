// Tensors from a file, by name, each checked when it is asked for.
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/math/tensor_ref.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace logpx {

class StoredWeights {
 public:
  explicit StoredWeights(const std::vector<TensorRef>& tensors) : tensors_(tensors) {}

  [[nodiscard]] bool has(const std::string& name) const {
    return std::ranges::find(tensors_, name, &TensorRef::name) != tensors_.end();
  }
  [[nodiscard]] const TensorRef& find(const std::string& name) const {
    const auto found = std::ranges::find(tensors_, name, &TensorRef::name);
    if (found == tensors_.end()) fail(ErrorKind::data, name, "is missing among the weights");
    if (found->type != NumberType::f32) fail(ErrorKind::data, name, "is not of float32");
    return *found;
  }
  [[nodiscard]] std::span<const float> values(const std::string& name, const Shape& shape) const {
    const TensorRef& tensor = find(name);
    if (tensor.shape != shape)
      fail(ErrorKind::data, name,
           "has shape " + tensor.shape.text() + ", expected " + shape.text());
    return {reinterpret_cast<const float*>(tensor.bytes.data()),
            tensor.bytes.size() / sizeof(float)};
  }

 private:
  const std::vector<TensorRef>& tensors_;
};

}  // namespace logpx
