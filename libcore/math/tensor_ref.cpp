#include "libcore/math/tensor_ref.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {
namespace {

const TensorRef* find(std::span<const TensorRef> tensors, const std::string& name) {
  const auto at = std::find_if(tensors.begin(), tensors.end(),
                               [&](const TensorRef& tensor) { return tensor.name == name; });
  return at == tensors.end() ? nullptr : &*at;
}

}  // namespace

void fill_tensors(std::span<const TensorRef> to, std::span<const TensorRef> from) {
  for (const TensorRef& source : from)
    if (find(to, source.name) == nullptr) fail(ErrorKind::data, source.name, "is not expected");
  for (const TensorRef& target : to) {
    const TensorRef* source = find(from, target.name);
    if (source == nullptr) fail(ErrorKind::data, target.name, "is missing");
    if (source->shape != target.shape)
      fail(ErrorKind::data, target.name,
           "has shape " + source->shape.text() + ", expected " + target.shape.text());
    if (source->type != target.type)
      fail(ErrorKind::data, target.name, "has another number type than expected");
    std::copy(source->bytes.begin(), source->bytes.end(), target.bytes.begin());
  }
}

}  // namespace logpx
