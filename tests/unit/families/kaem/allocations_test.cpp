// An update of training works in memory that earlier ones have made.   [kaem/README 12]
#include "libcore/families/kaem/family.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/support/allocations.hpp"

#include <doctest/doctest.h>

namespace logpx::allocations_test {

using namespace logpx::kaem;

namespace {

// Pictures of noise.
HeldRows pictures() {
  HeldRows held;
  held.info.name = "noise";
  held.info.content = Content::image;
  held.info.shape = {6, 6, 1};
  held.info.levels = 256;
  held.info.value_max = 255;
  held.rows.count = 40;
  held.rows.x.resize(40 * 36);
  const Substream noise = Rng(1).stream(Stream::test);
  for (std::size_t i = 0; i < held.rows.x.size(); ++i)
    held.rows.x[i] = static_cast<std::byte>(255 * noise.uniform(i));
  return held;
}

Settings settings_of(PriorKind prior) {
  Settings settings;
  settings.model.prior = prior;
  settings.model.latent = {3, 4};
  settings.model.curves.intervals = 6;
  settings.model.hidden = "7";
  settings.fit.samples = 20;
  settings.fit.resampler = Resampler::residual;
  settings.fit.ess = 1;  // every row is resampled
  settings.fit.no_grid_update = true;
  settings.training.batch = 20;
  return settings;
}

}  // namespace

TEST_CASE("kaem: no allocation in an update by importance sampling once an epoch has passed") {
  const HeldRows held = pictures();
  for (const PriorKind prior : {PriorKind::univariate, PriorKind::mixture}) {
    CAPTURE(static_cast<int>(prior));
    const Trainee trainee =
        make_trainee(settings_of(prior), {.train = Examples{held.info, held.rows, 0}}, Rng(1));
    Workers workers(1);  // with more, the clock says which memory is idle first
    const auto ranks = join_ranks();
    TrainOptions options;
    options.batch = 20;
    options.steps = 1000;
    TrainingLoop loop(*trainee.task, options, {workers, *ranks}, {});
    const std::int64_t none = allocations();
    static_cast<void>(loop.time_steps(5));
    const std::int64_t before = allocations();
    CHECK(before > none);  // the counter works
    static_cast<void>(loop.time_steps(6));
    CHECK(allocations() == before);
  }
}

}  // namespace logpx::allocations_test
