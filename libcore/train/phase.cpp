#include "libcore/train/phase.hpp"

namespace logpx {

std::int64_t Phase::arena_bytes(GraphSize size) const {
  std::int64_t bytes = 0;
  for (const ExecutorPool* pool : pools_) bytes += pool->arena_bytes(size);
  return bytes;
}

std::vector<ModuleMemory> Phase::modules(GraphSize size) const {
  const ExecutorPool* largest = nullptr;
  for (const ExecutorPool* pool : pools_)
    if (largest == nullptr || pool->arena_bytes(size) > largest->arena_bytes(size)) largest = pool;
  return largest == nullptr ? std::vector<ModuleMemory>() : largest->modules(size);
}

void Phase::recompute(bool on) {
  for (ExecutorPool* pool : pools_) pool->request().recompute = on;
}

void Phase::compute_by(const Numerics& numerics) {
  for (ExecutorPool* pool : pools_) pool->request().numerics = numerics;
}

}  // namespace logpx
