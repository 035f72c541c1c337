#include "libcore/math/blas_turn.hpp"

#include "libcore/math/memory_limit.hpp"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>

#include <sys/mman.h>

namespace logpx {
namespace {

constexpr std::size_t buffer_bytes = (std::size_t{128} << 20) + (std::size_t{1} << 20);

bool has_room() {
  void* const place =
      mmap(nullptr, buffer_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return place != MAP_FAILED && munmap(place, buffer_bytes) == 0;
}

bool takes_turns() {
  static const bool limited = memory_is_limited();
  return limited;
}

struct Turns {
  std::mutex mutex;
  std::condition_variable ended;
  int buffers = 0, taken = 0;
};

Turns& turns() {
  static Turns all;
  return all;
}

}  // namespace

BlasTurn::BlasTurn(void (*take_buffer)()) {
  if (!takes_turns()) return;
  Turns& all = turns();
  std::unique_lock lock(all.mutex);
  if (all.taken == all.buffers && has_room()) {
    take_buffer();
    ++all.buffers;
  }
  if (all.buffers == 0) throw std::bad_alloc();
  all.ended.wait(lock, [&] { return all.taken < all.buffers; });
  ++all.taken;
}

BlasTurn::~BlasTurn() {
  if (!takes_turns()) return;
  Turns& all = turns();
  const std::lock_guard lock(all.mutex);
  --all.taken;
  all.ended.notify_one();
}

}  // namespace logpx
