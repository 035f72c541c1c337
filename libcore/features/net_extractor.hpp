// An extractor that is a network: its input are unit_rows, and executors are kept for blocks.
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/features/extractor.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/math/tensor_ref.hpp"
#include "libcore/nn/site.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// Tensors from a file, by name, each checked when it is asked for.
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

// A data error that names the extractor if rows are not pictures.
void require_pictures(const DatasetInfo& data, const std::string& extractor);
// [rows, C, H, W] of such pictures.
[[nodiscard]] Shape picture_shape(const DatasetInfo& data, std::int64_t rows);

class NetExtractor : public Extractor {
 public:
  void extract(const Examples& examples, const FeatureBlock& out) const final;

 protected:
  explicit NetExtractor(ExtractorInfo info);
  // Nodes from the input x, pictures [rows,C,H,W], to features [rows, width] and, if there are
  // classes, to logits.
  struct Outputs {
    Var features;
    std::optional<Var> logits = {};
  };
  [[nodiscard]] virtual Outputs nodes(Var x) const = 0;
  // The shape of the input for so many rows, and its values.
  [[nodiscard]] virtual Shape input_shape(std::int64_t rows) const {
    return picture_shape(info_.data, rows);
  }
  virtual void fill_input(const Examples& examples, std::span<float> x) const;

  ParamSet params_;

 private:
  mutable ExecutorPool passes_;
};

}  // namespace logpx
