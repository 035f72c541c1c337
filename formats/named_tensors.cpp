#include "formats/named_tensors.hpp"

#include "formats/h5/tensors.hpp"
#include "formats/h5/walk.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

using h5::ValueType;

bool holds_reals(ValueType type) { return type == ValueType::f32 || type == ValueType::f64; }

template <typename T>
bool all_finite(std::span<const std::byte> bytes) {
  const std::span<const T> values(reinterpret_cast<const T*>(bytes.data()),
                                  bytes.size() / sizeof(T));
  return std::all_of(values.begin(), values.end(), [](T value) { return std::isfinite(value); });
}

bool all_finite(ValueType type, std::span<const std::byte> bytes) {
  if (type == ValueType::f32) return all_finite<float>(bytes);
  return type != ValueType::f64 || all_finite<double>(bytes);
}

// In pruned models whole parts of tensors are 0: these tensors are compressed.
bool is_mostly_zeros(std::span<const std::byte> bytes) {
  constexpr std::size_t least_bytes = 1 << 12;
  return bytes.size() >= least_bytes &&
         std::ranges::count(bytes, std::byte{0}) * 2 > std::ssize(bytes);
}

NamedTensor read_parameter(const ArtifactFile& file, const std::string& set,
                           const std::string& name) {
  const std::string path = "/params/" + set + '/' + name;
  if (!file.has(path)) fail(ErrorKind::data, file.file().subject(path), "is missing");
  h5::Value value = h5::read(file.file(), path);
  if (!holds_reals(value.type))
    fail(ErrorKind::data, file.file().subject(path),
         std::string("is ") + h5::word_of(value.type) + ", expected f32 or f64");
  if (!all_finite(value.type, value.bytes))
    fail(ErrorKind::data, file.file().subject(path), "holds a value that is not finite");
  return {name, std::move(value)};
}

}  // namespace

void write_parameters(ArtifactWriter& writer, const ParameterViews& parameters) {
  h5::Value names{ValueType::str, {static_cast<std::int64_t>(parameters.raw.size())}, {}, {}};
  for (const TensorView& tensor : parameters.raw) {
    LOGPX_ASSERT(holds_reals(tensor.type));
    names.texts.push_back(tensor.name);
  }
  LOGPX_ASSERT(parameters.ema.empty() || parameters.ema.size() == parameters.raw.size());
  for (std::size_t i = 0; i < parameters.ema.size(); ++i)
    LOGPX_ASSERT(parameters.ema[i].name == parameters.raw[i].name &&
                 parameters.ema[i].shape == parameters.raw[i].shape &&
                 parameters.ema[i].type == parameters.raw[i].type);
  writer.dataset("/params/names", names);
  write_tensors(writer, "/params/raw", parameters.raw);
  write_tensors(writer, "/params/ema", parameters.ema);
}

Parameters read_parameters(const ArtifactFile& file) {
  Parameters parameters;
  const bool averaged = file.has("/params/ema");
  for (const std::string& name : file.read("/params/names", ValueType::str).texts) {
    parameters.raw.push_back(read_parameter(file, "raw", name));
    if (!averaged) continue;
    parameters.ema.push_back(read_parameter(file, "ema", name));
    const h5::Value &raw = parameters.raw.back().value, &ema = parameters.ema.back().value;
    if (ema.shape != raw.shape || ema.type != raw.type)
      fail(ErrorKind::data, file.file().subject("/params/ema/" + name),
           "has shape " + h5::shape_text(ema.shape) + ", but /params/raw/" + name + " has " +
               h5::shape_text(raw.shape));
  }
  return parameters;
}

void write_tensors(ArtifactWriter& writer, const std::string& group,
                   const std::vector<TensorView>& tensors) {
  for (const TensorView& tensor : tensors) {
    LOGPX_ASSERT(!tensor.name.empty() && tensor.name.front() != '/' && tensor.name.back() != '/');
    const std::string path = group + '/' + tensor.name;
    if (tensor.shape.empty() || !is_mostly_zeros(tensor.bytes)) {
      writer.dataset(path, tensor.type, tensor.shape, tensor.bytes);
      continue;
    }
    writer
        .column(path,
                {.type = tensor.type, .row_shape = {tensor.shape.begin() + 1, tensor.shape.end()}})
        .append(tensor.bytes);
  }
}

std::vector<NamedTensor> read_tensors(const ArtifactFile& file, const std::string& group) {
  std::vector<NamedTensor> tensors;
  for (const h5::Object& object : h5::list_objects(file.file()))
    if (object.kind == h5::ObjectKind::dataset && object.path.starts_with(group + '/'))
      tensors.push_back({object.path.substr(group.size() + 1), h5::read(file.file(), object.path)});
  return tensors;
}

void write_attributes(ArtifactWriter& writer, const Attributes& attributes) {
  for (const auto& [name, value] : attributes) writer.attribute(name, value);
}

Attributes read_attributes(const ArtifactFile& file, const std::vector<std::string>& known) {
  Attributes attributes;
  for (const std::string& name : h5::attribute_names(file.file(), "/")) {
    if (name == "kind" || name == "schema" || name == "content_hash") continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    attributes.emplace_back(name, file.find(name).value());
  }
  return attributes;
}

const h5::Value* find_tensor(const std::vector<NamedTensor>& tensors, const std::string& name) {
  for (const NamedTensor& tensor : tensors)
    if (tensor.name == name) return &tensor.value;
  return nullptr;
}

void require_finite(const std::vector<TensorView>& tensors, const std::string& subject) {
  for (const TensorView& tensor : tensors)
    if (!all_finite(tensor.type, tensor.bytes))
      fail(ErrorKind::numeric, subject, tensor.name + " holds a value that is not finite");
}

}  // namespace logpx
