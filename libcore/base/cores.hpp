// How many threads are worth starting: what /sys and /proc say about cores and quotas.
#pragma once

#include <span>
#include <string>

namespace logpx {

// Cores that these CPUs (numbers) are hardware threads of; a CPU whose core the system does not
// name counts as one. `root` is put before /sys, for tests.
[[nodiscard]] int physical_cores(std::span<const int> cpus, const std::string& root = "");

// How many threads the CPU quotas of the cgroup and its parents keep busy, rounded up; 0: no quota.
[[nodiscard]] int quota_threads(const std::string& root = "");

}  // namespace logpx
