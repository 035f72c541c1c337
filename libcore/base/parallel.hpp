// Fixed blocks handed to threads. What a block computes may depend on its number only, never on the
// thread or on how many there are: that is how every result stays the same for any --threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace logpx {

// How many threads are worth starting: what /sys and /proc say about cores and quotas.

// The number of cores that these CPUs (numbers) are hardware threads of; a CPU whose core is
// unknown counts as one. `root` is put before /sys, for tests.
[[nodiscard]] int physical_cores(std::span<const int> cpus, const std::string& root = "");

// The number of threads that the CPU quotas of the cgroup and its parents allow, rounded up; 0: no
// quota.
[[nodiscard]] int quota_threads(const std::string& root = "");

// Cores that the affinity mask and the cgroup quota allow; LOGPX_THREADS overrides. At least 1.
[[nodiscard]] int available_threads();

class Workers {
 public:
  // threads = 0: available_threads(). The pool sleeps on a condition variable when idle.
  explicit Workers(int threads = 0);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  [[nodiscard]] int threads() const;

  // Runs task(0) .. task(blocks - 1), each once, the caller taking part, and returns when all are
  // done. The first exception by block number is thrown again here. Not reentrant.
  void run(std::int64_t blocks, const std::function<void(std::int64_t)>& task);

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

// The same by the caller alone where there are none.
void run_blocks(Workers* workers, std::int64_t blocks,
                const std::function<void(std::int64_t)>& task);

}  // namespace logpx
