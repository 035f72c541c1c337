// Copies of tensors that go on changing where they live.
#pragma once

#include "libcore/math/tensor_ref.hpp"

#include <string>
#include <vector>

namespace logpx {

class Snapshot {
 public:
  // Copies their bytes. After the first time the tensors must be the same, and nothing is
  // allocated.
  void take(const std::vector<TensorRef>& tensors);
  // Copies all back into the tensors from which they were taken.
  void put_back() const;
  // The copies themselves, for checkpoints, with this prefix before each name.
  [[nodiscard]] std::vector<TensorRef> refs(const std::string& prefix);

 private:
  std::vector<TensorRef> tensors_;
  std::vector<std::vector<std::byte>> copies_;
};

}  // namespace logpx
