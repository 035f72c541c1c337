// How many threads are worth starting: what /sys and /proc say about cores and quotas.
#pragma once

#include <span>
#include <string>

namespace logpx {

// The number of cores that these CPUs (numbers) are hardware threads of; a CPU whose core is
// unknown counts as one. `root` is put before /sys, for tests.
[[nodiscard]] int physical_cores(std::span<const int> cpus, const std::string& root = "");

// The number of threads that the CPU quotas of the cgroup and its parents allow, rounded up; 0: no
// quota.
[[nodiscard]] int quota_threads(const std::string& root = "");

}  // namespace logpx
