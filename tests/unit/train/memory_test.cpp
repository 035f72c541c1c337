// Memory of a training run: as planned, and none asked for once it is under way.
#include "tests/support/allocations.hpp"
#include "tests/support/training.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include <malloc.h>

namespace logpx {
namespace {

std::int64_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::atoll(line.c_str() + 6) * 1024;
  return 0;
}

}  // namespace

TEST_CASE("memory: no allocation in a step after the first epoch has shown every shard") {
  for (const std::int64_t accumulate : {1, 2}) {
    TrainingCase c{.options = small_options()};
    c.options.eval_every = {0};
    c.options.accumulate = accumulate;
    c.options.epochs = 6;
    MixtureModel model({.components = c.components});
    model.initialise(Rng(7));
    MixtureTask task(model, ring_points(c.rows, 5, Rng(3)), c.task);
    Workers workers(1);  // with more, which executor is first asked for depends on the clock
    const auto ranks = join_ranks();
    std::vector<std::int64_t> counts;
    counts.reserve(100);
    TrainingLoop loop(task, c.options, {workers, *ranks},
                      {.checkpoint_every = {0}, .stop_asked = [&](std::int64_t) {
                         counts.push_back(allocations());
                         return 0;
                       }});
    static_cast<void>(loop.run());
    const std::size_t per_epoch = counts.size() / 6;
    REQUIRE(per_epoch >= 2);
    CHECK(counts[per_epoch - 1] > counts.front());  // the counter does count
    CHECK(counts.back() == counts[per_epoch - 1]);
  }
}

#ifndef __SANITIZE_ADDRESS__  // whose shadow is memory too
TEST_CASE("memory: what a run takes is within 10 % of its plan") {
  TrainingCase c{.options = small_options(), .rows = 4096, .components = 3000};
  c.options.batch = 1024;
  c.options.shards = 8;
  c.options.steps = 2;
  c.options.eval_every = {0};
  for (const int threads : {1, 2}) {
    CAPTURE(threads);
    malloc_trim(0);
    const std::int64_t before = resident_bytes();
    MixtureModel model({.components = c.components});
    model.initialise(Rng(7));
    MixtureTask task(model, ring_points(c.rows, 5, Rng(3)), {});
    Workers workers(threads);
    const auto ranks = join_ranks();
    TrainingLoop loop(task, c.options, {workers, *ranks}, {});
    static_cast<void>(loop.time_steps(2));
    const std::int64_t after = resident_bytes();
    const auto plan = static_cast<double>(loop.memory_plan().total());
    CAPTURE(plan);
    CHECK(plan > 3e6);
    CHECK(std::abs(static_cast<double>(after - before) - plan) < 0.1 * plan);
  }
}
#endif

}  // namespace logpx
