// Executors that one phase leaves as they are for a later phase of the same step, each for the
// shard that it has worked on: what its forward pass has computed is still there.
#pragma once

#include "libcore/train/phase.hpp"

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace logpx {

class HeldExecutors {
 public:
  void leave(const Shard& shard, ExecutorPool::Loan loan);
  // The executor of the same items; a phase that finds none is a programmer's mistake.
  [[nodiscard]] ExecutorPool::Loan take(const Shard& shard);
  // Gives back what nobody took, when a step has ended early.
  void clear();

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::int64_t, ExecutorPool::Loan>> held_;  // by the shard's first item
};

}  // namespace logpx
