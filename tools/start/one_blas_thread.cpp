// What has to happen before main(), linked into each program that computes: only a program itself,
// not a library, may have an entry of .preinit_array, and decide for the whole process.
#include "libcore/base/memory_limit.hpp"
#include "libcore/math/blas.hpp"

#include <array>
#include <cstddef>
#include <cstring>

#include <limits.h>
#include <unistd.h>

namespace logpx {
namespace {

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

[[gnu::constructor]] void before_main() { end_blas_threads(); }

}  // namespace
}  // namespace logpx
