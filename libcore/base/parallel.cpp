#include "libcore/base/parallel.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <sched.h>
#include <set>
#include <system_error>
#include <thread>
#include <vector>

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

void run_blocks(Workers* workers, std::int64_t blocks,
                const std::function<void(std::int64_t)>& task) {
  if (workers != nullptr) return workers->run(blocks, task);
  for (std::int64_t block = 0; block < blocks; ++block) task(block);
}

}  // namespace logpx
