// While one lives, the tensors that this thread makes may take this many bytes in all; more is a
// data error. It is for models of unknown origin: a short config can ask for any size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logpx {

class TensorBudget {
 public:
  explicit TensorBudget(std::uint64_t bytes);
  ~TensorBudget();
  TensorBudget(const TensorBudget&) = delete;
  TensorBudget& operator=(const TensorBudget&) = delete;
  static void spend(std::size_t bytes);

 private:
  static thread_local TensorBudget* active_;
  std::uint64_t left_;
  TensorBudget* outer_;
};

}  // namespace logpx
