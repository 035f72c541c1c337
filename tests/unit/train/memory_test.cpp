// A training run takes what was planned, and asks for no memory once it is under way. (A whole tool
// is measured from outside: tests/pipeline/memory.sh.)
#include "libcore/math/conv.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/blur_task.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/training.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include <malloc.h>

namespace logpx::memory_test {
namespace {

constexpr bool counts_memory = !testing::sanitized;  // there freed memory waits in quarantine

// "VmHWM" (the most since forget_peak) or "VmRSS", in bytes.
std::int64_t resident(const std::string& which) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(which + ':')) return 1024 * std::stoll(line.substr(which.size() + 1));
  return 0;
}

bool forget_peak() {
  malloc_trim(0);
  std::ofstream refs("/proc/self/clear_refs");
  refs << 5 << std::flush;
  return refs.good();
}

}  // namespace

TEST_CASE("memory: a net of convolutions takes what was planned within 10 % on every path") {
  if (!counts_memory || !forget_peak()) return;
  Workers workers(1);
  const auto ranks = join_ranks();
  for (const auto path : {ConvolutionChoice::im2col, ConvolutionChoice::onednn}) {
    TrainOptions options;
    options.conv = path;
    if (!convolution_available(options.convolution())) continue;
    options.batch = 16;
    options.shards = 1;
    options.steps = 2;
    options.eval_every = {0};
    forget_peak();
    const std::int64_t before = resident("VmRSS");
    BlurTask task({.images = 16, .channels = 32, .edge = 64});
    TrainingLoop loop(task, options, {workers, *ranks}, {});
    (void)loop.run();
    const auto taken = static_cast<double>(resident("VmHWM") - before);
    const auto planned = static_cast<double>(loop.memory_plan().total());
    CAPTURE(static_cast<int>(path));
    CHECK(taken < 1.1 * planned);
    CHECK(taken > 0.9 * planned);
  }
}

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

}  // namespace logpx::memory_test
