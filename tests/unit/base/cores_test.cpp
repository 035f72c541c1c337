// Counting cores and quotas of machines that we do not have: folders in the shape of /sys.

#include "libcore/base/parallel.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sched.h>

namespace logpx::cores_test {

using logpx::testing::ScratchFolder;

namespace {

void put(const ScratchFolder& root, const std::string& path, const std::string& line) {
  const std::filesystem::path whole = root / path;
  std::filesystem::create_directories(whole.parent_path());
  std::ofstream(whole) << line << '\n';
}

}  // namespace

TEST_CASE("cores: two hardware threads of one core count once, whichever of them are allowed") {
  const ScratchFolder root;
  const std::string siblings[] = {"0,4", "1,5", "2,6", "3,7", "0,4", "1,5", "2,6", "3,7"};
  for (int cpu = 0; cpu < 8; ++cpu)
    put(root, "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list",
        siblings[cpu]);
  const auto count = [&](const std::vector<int>& cpus) { return physical_cores(cpus, root / ""); };
  CHECK(count({0, 1, 2, 3, 4, 5, 6, 7}) == 4);
  CHECK(count({0, 4}) == 1);
  CHECK(count({0, 1}) == 2);
  CHECK(count({4, 5, 6}) == 3);
  CHECK(count({6, 8, 9}) == 3);  // of 8 and 9 nothing is known
}

TEST_CASE("cores: the quota is the least of a cgroup and its parents, rounded up") {
  const ScratchFolder root;
  CHECK(quota_threads(root / "") == 0);
  put(root, "sys/fs/cgroup/cpu.max", "max 100000");
  CHECK(quota_threads(root / "") == 0);
  put(root, "sys/fs/cgroup/cpu.max", "350000 100000");
  CHECK(quota_threads(root / "") == 4);
  put(root, "proc/self/cgroup", "0::/jobs/ours");
  put(root, "sys/fs/cgroup/jobs/ours/cpu.max", "max 100000");
  CHECK(quota_threads(root / "") == 4);
  put(root, "sys/fs/cgroup/jobs/cpu.max", "50000 100000");
  CHECK(quota_threads(root / "") == 1);
  put(root, "sys/fs/cgroup/jobs/cpu.max", "nonsense");
  CHECK(quota_threads(root / "") == 4);
}

TEST_CASE("cores: no more threads than the affinity mask allows") {
  if (std::getenv("LOGPX_THREADS") != nullptr) return;  // then it decides
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  CHECK(available_threads() <= CPU_COUNT(&before));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(available_threads() == 1);
  sched_setaffinity(0, sizeof before, &before);
}

}  // namespace logpx::cores_test
