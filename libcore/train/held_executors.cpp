#include "libcore/train/held_executors.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {

void HeldExecutors::leave(const Shard& shard, ExecutorPool::Loan loan) {
  const std::lock_guard lock(mutex_);
  held_.emplace_back(shard.first, std::move(loan));
}

ExecutorPool::Loan HeldExecutors::take(const Shard& shard) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find(held_, shard.first, [](const auto& held) { return held.first; });
  LOGPX_ASSERT(found != held_.end());
  ExecutorPool::Loan loan = std::move(found->second);
  held_.erase(found);
  return loan;
}

void HeldExecutors::clear() {
  const std::lock_guard lock(mutex_);
  held_.clear();
}

}  // namespace logpx
