// What a training says about its own length.
#include "libcore/train/pace.hpp"

#include "tests/support/training.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace logpx::pace_test {
namespace {

// Learns nothing, and takes its time for every row.
class SlowPhase final : public Phase {
 public:
  SlowPhase() : Phase({.gradient = false, .update = Update::none}) {}
  void run(const Shard& shard, std::span<const float>, const ShardSums&) override {
    rows += shard.count;
    std::this_thread::sleep_for(shard.count * std::chrono::milliseconds(400));
  }
  std::atomic<std::int64_t> rows = 0;
};

class SlowTask final : public TrainingTask {
 public:
  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return 640; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {&phase}; }

  SlowPhase phase;

 private:
  ParamSet params_;
};

std::vector<TrainingForecast> forecasts(std::int64_t steps) {
  MixtureModel model({.components = 6});
  model.initialise(Rng(7));
  MixtureTask task(model, ring_points(203, 5, Rng(3)), {});
  Workers workers(1);
  const auto ranks = join_ranks();
  TrainOptions options = small_options();
  options.steps = steps;
  std::vector<TrainingForecast> told;
  LoopSettings settings{.seed = 11};
  settings.foresee = [&](const TrainingForecast& ahead) { told.push_back(ahead); };
  (void)TrainingLoop(task, options, {workers, *ranks}, settings).run();
  return told;
}

}  // namespace

TEST_CASE("pace: a run says once, after its first steps, how long it will take") {
  const std::vector<TrainingForecast> told = forecasts(40);
  REQUIRE(told.size() == 1);
  CHECK(told[0].steps >= 36);
  CHECK(told[0].steps < 40);
  CHECK(told[0].step_seconds > 0);
  CHECK(told[0].total_seconds >= static_cast<double>(told[0].steps) * told[0].step_seconds);
  CHECK(forecasts(1).empty());  // over by then
}

TEST_CASE("pace: a long first step tells, and short ones when there are three more") {
  Pace pace;
  CHECK_FALSE(pace.is_known());
  pace.add_step(0.5);
  for (const double seconds : {0.1, 0.2}) pace.add_step(seconds);
  CHECK_FALSE(pace.is_known());
  pace.add_step(0.3);
  CHECK(pace.is_known());
  CHECK(pace.step_seconds() == doctest::Approx(0.2));  // without the first
  Pace slow;
  slow.add_step(90);
  CHECK(slow.is_known());
  CHECK(slow.step_seconds() == 90);
}

TEST_CASE("pace: before a training of slow steps, few rows tell how long one takes") {
  SlowTask task;
  TrainOptions options;
  options.batch = 64;
  Workers workers(1);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, options, {workers, *ranks}, {});
  CHECK(loop.forecast_step() > 1);
  CHECK(task.phase.rows >= 1);
  CHECK(task.phase.rows < 16);  // three whole steps have 192
}

}  // namespace logpx::pace_test
