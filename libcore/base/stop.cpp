#include "libcore/base/stop.hpp"

#include "libcore/base/error.hpp"

#include <array>
#include <atomic>
#include <climits>
#include <cstring>
#include <utility>

#include <unistd.h>

namespace logpx::stop {
namespace {

volatile std::sig_atomic_t first_signal = 0;

struct Slot {
  std::atomic<bool> taken{false};  // by an owner
  std::atomic<bool> armed{false};  // its path is complete
  std::array<char, PATH_MAX> path{};
};
std::array<Slot, 16> slots;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

int requested() { return first_signal; }

void check() {
  if (first_signal != 0) throw Interrupted(first_signal);
}

void on_signal(int signal) noexcept {
  if (first_signal == 0) {
    first_signal = signal;
    return;
  }
  if (signal == SIGHUP) return;
  for (Slot& slot : slots)
    if (slot.armed) unlink(slot.path.data());
  _exit(128 + signal);
}

void reset() { first_signal = 0; }

Temporary::Temporary(const std::string& path) {
  if (path.size() + 1 > PATH_MAX) return;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    bool expected = false;
    if (!slots[i].taken.compare_exchange_strong(expected, true)) continue;
    std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
    slots[i].armed = true;
    slot_ = static_cast<int>(i);
    return;
  }
}

Temporary::~Temporary() {
  if (slot_ < 0) return;
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  slot.armed = false;
  slot.taken = false;
}

Temporary::Temporary(Temporary&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

Temporary& Temporary::operator=(Temporary&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

}  // namespace logpx::stop
