// How many threads the process has now; 0 where /proc does not tell.
#pragma once

#include <cstddef>
#include <filesystem>

namespace logpx {

[[nodiscard]] inline std::size_t process_threads() {
  std::size_t count = 0;
  std::error_code absent;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/self/task", absent))
    ++count;
  return count;
}

}  // namespace logpx
