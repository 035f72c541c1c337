#include "libcore/base/error.hpp"
#include "libcore/base/parallel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace logpx::parallel_test {

TEST_CASE("parallel: every block runs once, for any number of threads") {
  for (const int threads : {1, 2, 4, 9}) {
    Workers workers(threads);
    CHECK(workers.threads() == threads);
    for (const std::int64_t blocks : {0, 1, 3, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(blocks));
      workers.run(blocks, [&](std::int64_t block) { ++runs[static_cast<std::size_t>(block)]; });
      for (const auto& count : runs) CHECK(count == 1);
    }
  }
}

TEST_CASE("parallel: an exception reaches the caller and the pool lives on") {
  Workers workers(3);
  for (int round = 0; round < 20; ++round) {
    try {
      workers.run(50, [](std::int64_t block) {
        if (block % 10 == 3) throw std::runtime_error(std::to_string(block));
      });
      FAIL("no exception");
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()) == "3");  // the first in order: nothing before it was skipped
    }
    std::atomic<int> sum = 0;
    workers.run(10, [&](std::int64_t block) { sum += static_cast<int>(block); });
    CHECK(sum == 45);
  }
}

}  // namespace logpx::parallel_test
