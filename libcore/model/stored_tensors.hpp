// What a draft takes out of a file before it builds (ModelDraft::take): tensors by name, which
// anyone may have written. Anything wrong is a data error that names the tensor, and nothing is
// copied before it has been checked.
//
//   const auto parents = stored_values<std::int32_t>(stored, "tree/parents", {.most = 4096});
#pragma once

#include "libcore/math/tensor_ref.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

struct StoredLimits {
  std::int64_t most = 0;   // elements
  std::int64_t least = 1;  // elements
  int rank = 1;
};

// The tensor of that name, with that type and rank, and as many elements as the limits allow.
[[nodiscard]] const TensorRef& stored_tensor(std::span<const TensorRef> stored,
                                             const std::string& name, NumberType type,
                                             const StoredLimits& limits);
// Whether there is one of that name: for constants that a model may lack.
[[nodiscard]] bool is_stored(std::span<const TensorRef> stored, const std::string& name);

template <typename T>
[[nodiscard]] std::vector<T> stored_values(std::span<const TensorRef> stored,
                                           const std::string& name, const StoredLimits& limits) {
  const TensorRef& tensor = stored_tensor(stored, name, number_type_of<T>(), limits);
  std::vector<T> values(tensor.bytes.size() / sizeof(T));
  std::copy(tensor.bytes.begin(), tensor.bytes.end(),
            std::as_writable_bytes(std::span(values)).begin());
  return values;
}
// Text is stored as u8, one byte for each element.
[[nodiscard]] std::string stored_text(std::span<const TensorRef> stored, const std::string& name,
                                      std::int64_t most);

}  // namespace logpx
