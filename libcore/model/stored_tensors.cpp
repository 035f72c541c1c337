#include "libcore/model/stored_tensors.hpp"

#include "libcore/base/error.hpp"

namespace logpx {
namespace {

const TensorRef* find_stored(std::span<const TensorRef> stored, const std::string& name) {
  const auto found = std::ranges::find(stored, name, &TensorRef::name);
  return found == stored.end() ? nullptr : &*found;
}

const char* word_of_type(NumberType type) {
  switch (type) {
    case NumberType::f32: return "f32";
    case NumberType::f64: return "f64";
    case NumberType::i32: return "i32";
    case NumberType::i64: return "i64";
    case NumberType::u8: break;
  }
  return "u8";
}

}  // namespace

bool is_stored(std::span<const TensorRef> stored, const std::string& name) {
  return find_stored(stored, name) != nullptr;
}

const TensorRef& stored_tensor(std::span<const TensorRef> stored, const std::string& name,
                               NumberType type, const StoredLimits& limits) {
  const TensorRef* const tensor = find_stored(stored, name);
  if (tensor == nullptr) fail(ErrorKind::data, name, "is missing");
  if (tensor->type != type || tensor->shape.rank() != limits.rank)
    fail(ErrorKind::data, name,
         std::string("is ") + word_of_type(tensor->type) + " of shape " + tensor->shape.text() +
             ", expected " + word_of_type(type) + " of rank " + std::to_string(limits.rank));
  const std::int64_t elements = tensor->shape.elements();
  const std::string most = std::to_string(limits.most);
  if (elements < limits.least || elements > limits.most)
    fail(ErrorKind::data, name,
         "has " + std::to_string(elements) + " elements, expected " +
             (limits.least == limits.most ? most : std::to_string(limits.least) + " to " + most));
  return *tensor;
}

std::string stored_text(std::span<const TensorRef> stored, const std::string& name,
                        std::int64_t most) {
  const TensorRef& tensor = stored_tensor(stored, name, NumberType::u8, {.most = most, .least = 0});
  return {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()};
}

}  // namespace logpx
