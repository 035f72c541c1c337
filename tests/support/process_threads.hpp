// The threads that the process has now, by their numbers; none where /proc does not tell.
#pragma once

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

namespace logpx {

using ThreadIds = std::set<std::string>;

[[nodiscard]] inline ThreadIds process_threads() {
  ThreadIds ids;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", absent))
    ids.insert(entry.path().filename().string());
  return ids;
}

// Whether no thread came since `before`. One that an earlier test has joined may still be leaving:
// the kernel strikes it from the list a moment after the join.
[[nodiscard]] inline bool no_thread_since(const ThreadIds& before) {
  return std::ranges::includes(before, process_threads());
}

}  // namespace logpx
