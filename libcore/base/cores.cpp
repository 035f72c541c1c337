#include "libcore/base/cores.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

namespace logpx {
namespace {

// The first line of a small file of the system; "" when it is not there.
std::string first_line(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return "";
  char text[4096] = {};
  const bool read = std::fgets(text, sizeof text, file) != nullptr;
  std::fclose(file);
  return read ? std::string(text, std::string(text).find_last_not_of('\n') + 1) : "";
}

// The quota of one group: "max 100000" or "200000 100000", quota and period in microseconds.
int threads_of(const std::string& group) {
  long long quota = 0, period = 0;
  const std::string line = first_line(group + "/cpu.max");
  if (std::sscanf(line.c_str(), "%lld %lld", &quota, &period) != 2) return 0;
  if (quota <= 0 || period <= 0) return 0;
  return static_cast<int>(std::min((quota + period - 1) / period, 1LL << 20));
}

}  // namespace

int physical_cores(std::span<const int> cpus, const std::string& root) {
  std::set<std::string> cores;
  for (const int cpu : cpus) {
    const std::string number = std::to_string(cpu);
    const std::string siblings = first_line(root + "/sys/devices/system/cpu/cpu" + number +
                                            "/topology/thread_siblings_list");
    cores.insert(siblings.empty() ? number : siblings);
  }
  return static_cast<int>(cores.size());
}

int quota_threads(const std::string& root) {
  const std::string mount = root + "/sys/fs/cgroup", line = first_line(root + "/proc/self/cgroup");
  std::string group = line.starts_with("0::/") ? line.substr(3) : "/";  // version 2
  int least = 0;
  while (true) {
    const std::string folder = group == "/" ? mount : mount + group;
    if (const int threads = threads_of(folder); threads > 0)
      least = least == 0 ? threads : std::min(least, threads);
    if (group == "/") return least;
    group.resize(std::max<std::size_t>(group.rfind('/'), 1));
  }
}

}  // namespace logpx
