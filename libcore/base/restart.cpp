#include "libcore/base/restart.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace logpx {

void restart_with(const char* variable, const std::string& value, char** argv) {
  if (value.empty() || std::getenv(variable) != nullptr) return;
  std::error_code unknown;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  if (unknown || setenv(variable, value.c_str(), 0) != 0) return;
  execv(program.c_str(), argv);
}

}  // namespace logpx
