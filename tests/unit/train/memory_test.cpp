// A training run asks for no memory once it is under way. (That it takes what was planned is
// measured from outside: tests/pipeline/memory.sh.)
#include "tests/support/allocations.hpp"
#include "tests/support/training.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx {
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

}  // namespace logpx
