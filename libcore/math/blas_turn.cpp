#include "libcore/math/blas_turn.hpp"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <new>

#include <limits.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace logpx {
namespace {

constexpr std::size_t buffer_bytes = (std::size_t{128} << 20) + (std::size_t{1} << 20);

bool has_limit(decltype(RLIMIT_AS) resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool memory_is_limited() {  // by the shell or a batch system
  static const bool limited = has_limit(RLIMIT_AS) || has_limit(RLIMIT_DATA);
  return limited;
}

// OpenBLAS starts a thread per core when it is loaded, and each of them allocates a buffer. We use
// none of these threads, and only an environment variable can say so early enough: under a memory
// limit the program starts itself again with that variable set. This runs before the constructors
// of all libraries, libc's included, and so it makes system calls only.
void start_with_one_blas_thread(int, char** argv, char** environment) {
  if (!memory_is_limited()) return;
  static std::array<char, 32> one{"OPENBLAS_NUM_THREADS=1"};
  const std::size_t name = std::strlen("OPENBLAS_NUM_THREADS=");
  static std::array<char*, 4096> words;
  std::size_t count = 0;
  for (char** word = environment; *word != nullptr; ++word) {
    if (std::strcmp(*word, one.data()) == 0 || count + 2 == words.size()) return;
    if (std::strncmp(*word, one.data(), name) != 0) words[count++] = *word;
  }
  words[count] = one.data();
  static std::array<char, PATH_MAX> program;
  if (readlink("/proc/self/exe", program.data(), program.size() - 1) > 0)
    execve(program.data(), argv, words.data());
}

[[gnu::section(".preinit_array"),
  gnu::used]] void (*first_of_all)(int, char**, char**) = start_with_one_blas_thread;

bool has_room() {
  void* const place =
      mmap(nullptr, buffer_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return place != MAP_FAILED && munmap(place, buffer_bytes) == 0;
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
  if (!memory_is_limited()) return;
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
  if (!memory_is_limited()) return;
  Turns& all = turns();
  const std::lock_guard lock(all.mutex);
  --all.taken;
  all.ended.notify_one();
}

}  // namespace logpx
