// Copies of tensors that go on changing where they live.
#pragma once

#include "libcore/math/tensor_ref.hpp"

#include <string>
#include <vector>

namespace logpx {

class Snapshot {
 public:
  // Takes their bytes; always the same tensors after the first time, and then without allocating.
  void take(const std::vector<TensorRef>& tensors);
  // Copies all back into the tensors that were taken from.
  void put_back() const;
  // The copies themselves, for checkpoints, each name after this prefix.
  [[nodiscard]] std::vector<TensorRef> refs(const std::string& prefix);

 private:
  std::vector<TensorRef> tensors_;
  std::vector<std::vector<std::byte>> copies_;
};

}  // namespace logpx
