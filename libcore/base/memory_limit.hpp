#pragma once

#include <initializer_list>
#include <sys/resource.h>

namespace logpx {

// Whether the shell or a batch system limits the memory of this program (ulimit -v, ulimit -d). It
// makes system calls only, so that it may be asked before libc is ready.
inline bool memory_is_limited() {
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) return true;
  }
  return false;
}

}  // namespace logpx
