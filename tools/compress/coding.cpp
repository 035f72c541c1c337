#include "tools/compress/coding.hpp"

#include "tools/common/version.hpp"

#include <sys/utsname.h>

namespace logpx::compress {

std::string program_text() { return std::string("logpx ") + version(); }

std::string host_text() {
  utsname name{};
  return uname(&name) == 0 ? name.machine : "an unknown machine";
}

}  // namespace logpx::compress
