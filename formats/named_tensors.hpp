// Tensors under names, as models and checkpoints hold them: borrowed when written, owned when read.
#pragma once

#include "formats/artifact.hpp"
#include "formats/h5/value.hpp"

#include <span>
#include <string>
#include <vector>

namespace logpx {

// Names are relative paths: "encoder/hidden1/weight".
struct TensorView {
  std::string name;
  h5::ValueType type = h5::ValueType::f32;
  h5::Shape shape;
  std::span<const std::byte> bytes;

  template <typename T>
  static TensorView of(std::string name, std::span<const T> elements, h5::Shape shape) {
    return {std::move(name), h5::value_type_of<T>(), std::move(shape), std::as_bytes(elements)};
  }
};

struct NamedTensor {
  std::string name;
  h5::Value value;

  friend bool operator==(const NamedTensor&, const NamedTensor&) = default;
};

// Parameters in the order of their creation, and their running averages where there are any: same
// names, same shapes. f32 or f64.
struct ParameterViews {
  std::vector<TensorView> raw, ema;
};
struct Parameters {
  std::vector<NamedTensor> raw, ema;
};

// /params/names [T], /params/raw/NAME, /params/ema/NAME. Values that are not finite are a data
// error when read: a model may come from anyone.
void write_parameters(ArtifactWriter& writer, const ParameterViews& parameters);
[[nodiscard]] Parameters read_parameters(const ArtifactFile& file);

// GROUP/NAME; read back in the bytewise order of names.
void write_tensors(ArtifactWriter& writer, const std::string& group,
                   const std::vector<TensorView>& tensors);
[[nodiscard]] std::vector<NamedTensor> read_tensors(const ArtifactFile& file,
                                                    const std::string& group);

// Root attributes other than the `known` ones and kind, schema and content_hash.
using Attributes = std::vector<std::pair<std::string, h5::Value>>;
void write_attributes(ArtifactWriter& writer, const Attributes& attributes);
[[nodiscard]] Attributes read_attributes(const ArtifactFile& file,
                                         const std::vector<std::string>& known);

// nullptr when there is none of that name.
[[nodiscard]] const h5::Value* find_tensor(const std::vector<NamedTensor>& tensors,
                                           const std::string& name);
// A numeric error that names the first tensor with a value that is not finite.
void require_finite(const std::vector<TensorView>& tensors, const std::string& subject);

}  // namespace logpx
