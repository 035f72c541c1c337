// How many threads are worth starting: what /sys and /proc say of cores and quotas.
// [spec/core.md section 11]
#pragma once

#include <span>
#include <string>

namespace logpx {

// Cores that these CPUs (numbers) are hardware threads of; a CPU whose core the system does not
// name counts as one. `root` stands before /sys: a folder of a test.
[[nodiscard]] int physical_cores(std::span<const int> cpus, const std::string& root = "");

// Threads that the cgroup's quota of CPU time keeps busy, its parents' included, rounded up; 0: no
// quota.
[[nodiscard]] int quota_threads(const std::string& root = "");

}  // namespace logpx
