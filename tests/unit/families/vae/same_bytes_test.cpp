// For every algorithm: the same bytes for any number of threads, and when a run is interrupted.
#include "libcore/base/error.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/support/training.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <set>

namespace logpx::same_bytes_test {

using namespace logpx::vae;

namespace {

// Everything that a checkpoint holds at the end.
std::string trained(const ObjectiveOptions& objective, int threads,
                    const std::set<std::int64_t>& stops) {
  const std::int64_t n = 45, dims = 6;
  const std::vector<std::uint8_t> bits = patterns(n, dims);
  const DatasetInfo info = vectors_of(dims, 2);
  const Rows rows = rows_of(bits, n);
  Config config{.latent = 2, .hidden = {5}};
  if (objective.algorithm == Algorithm::mcem) config.inference = Inference::none;
  TrainOptions options;
  options.batch = 20;
  options.shards = 4;
  options.epochs = 3;
  options.lr = 0.02;
  options.optimizer.rule = OptimizerRule::adagrad;
  options.eval_every = {2, Interval::Unit::steps};
  options.keep_best = true;
  MemorySink sink;
  for (bool resuming = false;; resuming = true) {
    VaeModel model(config, info);
    model.initialise(Rng(1));
    VaeTask task(model, objective, {.train = Examples{info, rows, 0}, .valid = {}}, Rng(1));
    Workers workers(threads);
    const auto ranks = join_ranks();
    TrainingLoop loop(task, options, {workers, *ranks},
                      {.seed = 9, .sink = &sink, .stop_asked = [&](std::int64_t step) {
                         return stops.contains(step) ? SIGINT : 0;
                       }});
    if (resuming) loop.restore(sink.saved());
    try {
      loop.run();
      return bytes_of(sink.saved());
    } catch (const Interrupted&) {
      continue;
    }
  }
}

}  // namespace

TEST_CASE("vae: every algorithm gives the same bytes for any threads and resumed at any step") {
  std::vector<ObjectiveOptions> all(4);
  all[1].algorithm = Algorithm::wake_sleep;
  all[2].algorithm = Algorithm::mcem;
  all[3].algorithm = Algorithm::mcem;
  all[3].mcem_restart = true;
  std::set<std::string> different;
  for (const ObjectiveOptions& objective : all) {
    CAPTURE(static_cast<int>(objective.algorithm));
    const std::string whole = trained(objective, 1, {});
    different.insert(whole);
    CHECK(trained(objective, 2, {}) == whole);
    CHECK(trained(objective, 4, {}) == whole);
    for (const std::int64_t stop : {1, 2, 3, 4, 5, 6, 7, 8})
      CHECK(trained(objective, 1, {stop}) == whole);
    CHECK(trained(objective, 2, {2, 5}) == whole);
  }
  CHECK(different.size() == all.size());
}

}  // namespace logpx::same_bytes_test
