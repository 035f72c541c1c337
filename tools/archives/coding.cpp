#include "tools/archives/coding.hpp"

#include <sys/utsname.h>

namespace logpx::compress {

std::string host_text() {
  utsname name{};
  return uname(&name) == 0 ? name.machine : "an unknown machine";
}

}  // namespace logpx::compress
