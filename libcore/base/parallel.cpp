#include "libcore/base/parallel.hpp"

#include "libcore/base/cores.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <sched.h>

namespace logpx {

int available_threads() {
  if (const char* text = std::getenv("LOGPX_THREADS"); text != nullptr) {
    const int wanted = std::atoi(text);
    if (wanted >= 1) return std::min(wanted, 1024);
  }
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
  // Hardware threads of one core share its arithmetic units: a second one adds next to nothing.
  int threads =
      cpus.empty() ? static_cast<int>(std::thread::hardware_concurrency()) : physical_cores(cpus);
  if (const int quota = quota_threads(); quota > 0) threads = std::min(threads, quota);
  return std::max(threads, 1);
}

struct Workers::Pool {
  struct Failure {
    std::int64_t block;
    std::exception_ptr error;
  };

  std::mutex mutex;
  std::condition_variable wake, done;
  std::vector<std::thread> threads;
  const std::function<void(std::int64_t)>* task = nullptr;
  std::int64_t blocks = 0;
  std::atomic<std::int64_t> next{0};
  std::uint64_t round = 0;
  std::size_t busy = 0;
  bool closing = false;
  std::vector<Failure> failures;

  void take_blocks() {
    while (true) {
      const std::int64_t block = next.fetch_add(1);
      if (block >= blocks) return;
      try {
        (*task)(block);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failures.push_back({block, std::current_exception()});
        next = blocks;  // nothing further is begun
      }
    }
  }

  void work() {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return closing || round != seen; });
      if (closing) return;
      seen = round;
      lock.unlock();
      take_blocks();
      lock.lock();
      if (--busy == 0) done.notify_one();
    }
  }
};

Workers::Workers(int threads) : pool_(std::make_unique<Pool>()) {
  LOGPX_ASSERT(threads >= 0);
  if (threads == 0) threads = available_threads();
  pool_->failures.reserve(static_cast<std::size_t>(threads));  // a failure may be want of memory
  try {
    for (int i = 1; i < threads; ++i)
      pool_->threads.emplace_back([pool = pool_.get()] { pool->work(); });
  } catch (const std::system_error&) {
    // No room for so many (ulimit -v, ulimit -u): those that run do all the work.
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(pool_->mutex);
    pool_->closing = true;
  }
  pool_->wake.notify_all();
  for (std::thread& thread : pool_->threads) thread.join();
}

int Workers::threads() const { return static_cast<int>(pool_->threads.size()) + 1; }

void Workers::run(std::int64_t blocks, const std::function<void(std::int64_t)>& task) {
  Pool& pool = *pool_;
  {
    const std::lock_guard lock(pool.mutex);
    LOGPX_ASSERT(pool.busy == 0 && pool.task == nullptr);
    pool.task = &task;
    pool.blocks = blocks;
    pool.next = 0;
    pool.failures.clear();
    pool.busy = pool.threads.size();
    ++pool.round;
  }
  pool.wake.notify_all();
  pool.take_blocks();
  std::unique_lock lock(pool.mutex);
  pool.done.wait(lock, [&] { return pool.busy == 0; });
  pool.task = nullptr;
  if (pool.failures.empty()) return;
  const auto first =
      std::min_element(pool.failures.begin(), pool.failures.end(),
                       [](const auto& a, const auto& b) { return a.block < b.block; });
  std::rethrow_exception(first->error);
}

}  // namespace logpx
