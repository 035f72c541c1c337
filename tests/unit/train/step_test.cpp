// How phases make up a step: gradients that wait for a later phase, updates of a family's own,
// repeats, items that are no rows.
#include "libcore/train/step.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace logpx::step_test {
namespace {

// Every gradient is `slope`, in shares of its items; counts what it was given.
class SlopePhase final : public Phase {
 public:
  SlopePhase(PhaseSettings settings, float slope) : Phase(std::move(settings)), slope_(slope) {}
  void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
    const auto share = static_cast<float>(shard.count) / static_cast<float>(shard.step_count);
    std::ranges::fill(sums.gradient, slope_ * share);
    sums.terms[0] += static_cast<double>(shard.count);
    if (sums.terms.size() > 1) sums.terms[1] += static_cast<double>(std::ssize(shard.rows));
  }
  void compute_by(const Numerics&) override {}
  void update(const StepPlace&, const PhaseSums& sums, Workers&) override {
    own_updates.push_back(static_cast<double>(sums.gradient[0]));
  }
  void finish(const StepPlace& place, const PhaseSums& sums) override {
    repeats.push_back(place.repeat);
    last_sums.assign(sums.terms.begin(), sums.terms.end());
  }
  std::vector<double> own_updates, last_sums;
  std::vector<int> repeats;

 private:
  float slope_;
};

class SlopeTask final : public TrainingTask {
 public:
  explicit SlopeTask(std::vector<Phase*> phases) : phases_(std::move(phases)) {
    params_.add("theta/w", {20});
    params_.add("phi/w", {3});
  }
  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return 100; }
  [[nodiscard]] std::vector<Phase*> phases() override { return phases_; }
  void add_phase(Phase& phase) { phases_.push_back(&phase); }
  void updated(const StepPlace&, Optimizer*) override {
    if (limit_phi) params_.view(1)[0] = 8;
  }
  bool limit_phi = false;

 private:
  ParamSet params_;
  std::vector<Phase*> phases_;
};

// Sets theta/w to the number of updates that it has made.
class CountingPhase final : public Phase {
 public:
  explicit CountingPhase(std::span<float> counted)
      : Phase({.name = "count", .gradient = false, .update = Update::own, .moves = {"theta"}}),
        counted_(counted) {}
  void run(const Shard&, std::span<const float>, const ShardSums&) override {}
  void compute_by(const Numerics&) override {}
  void update(const StepPlace&, const PhaseSums&, Workers&) override {
    for (float& value : counted_) value += 1;
  }
  std::span<float> counted_;
};

StepReport one_step(SlopeTask& task, std::int64_t accumulate = 1) {
  TrainOptions options;
  options.optimizer.rule = OptimizerRule::sgd;
  options.batch = 10;
  options.accumulate = accumulate;
  options.shards = 4;
  Workers workers(2);
  const auto ranks = join_ranks();
  StepRunner runner(task, options, {workers, *ranks});
  std::vector<std::int64_t> rows(static_cast<std::size_t>(10 * accumulate));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  return runner.run({}, {rows, 0}, 1.0);
}

}  // namespace

TEST_CASE("step: gradients of a phase without an update join those of the next") {
  for (const std::int64_t accumulate : {1, 3}) {
    SlopePhase wake({.name = "wake", .terms = {"rows"}, .update = Update::none}, 1);
    SlopePhase sleep({.name = "sleep", .terms = {"items"}, .items = 7}, 2);
    SlopeTask task({&wake, &sleep});
    CHECK(one_step(task, accumulate).trouble.empty());
    CHECK(task.params().view(0)[19] == doctest::Approx(-3));
    CHECK(wake.last_sums[0] == 10.0 * static_cast<double>(accumulate));
    CHECK(sleep.last_sums[0] == 7);
  }
}

TEST_CASE("step: a phase repeats with an update each time, and moves what it names") {
  SlopePhase many({.name = "m-step", .terms = {"rows"}, .repeat = 5, .moves = {"theta"}}, 1);
  SlopeTask task({&many});
  CHECK(one_step(task).trouble.empty());
  CHECK(task.params().view(0)[0] == doctest::Approx(-5));
  CHECK(task.params().view(1)[0] == 0);
  CHECK(many.repeats == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("step: an update of a phase's own gets the sums, and the optimiser stays away") {
  SlopePhase count({.name = "count", .terms = {"rows"}, .extra_sums = 1, .update = Update::own},
                   0.5f);
  SlopeTask task({&count});
  CHECK(one_step(task, 2).norm == 0);
  REQUIRE(count.own_updates.size() == 1);
  CHECK(count.own_updates[0] == doctest::Approx(0.5));
  CHECK(count.last_sums == std::vector<double>{20, 20});
  CHECK(task.params().view(0)[0] == 0);
}

// Gathers the numbers of its rows: those of other shards are left at zero.
class GatheringPhase final : public Phase {
 public:
  GatheringPhase()
      : Phase({.name = "gather",
               .terms = {},
               .extra_sums = 1,
               .sums_per_row = 2,
               .gradient = false,
               .update = Update::none}) {}
  void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
    sums.terms[0] += 1;
    for (std::size_t i = 0; i < shard.rows.size(); ++i)
      sums.terms[1 + 2 * (static_cast<std::size_t>(shard.first) + i)] =
          static_cast<double>(shard.rows[i]);
  }
  void compute_by(const Numerics&) override {}
  void finish(const StepPlace&, const PhaseSums& sums) override {
    gathered.assign(sums.terms.begin(), sums.terms.end());
  }
  std::vector<double> gathered;
};

TEST_CASE("step: what a phase knows of each row is gathered over shards and micro-batches") {
  for (const std::int64_t accumulate : {1, 3}) {
    GatheringPhase gather;
    SlopeTask task({&gather});
    CHECK(one_step(task, accumulate).trouble.empty());
    REQUIRE(std::ssize(gather.gathered) == 1 + 2 * 10 * accumulate);
    CHECK(gather.gathered[0] == 4.0 * static_cast<double>(accumulate));
    for (std::size_t row = 0; row < static_cast<std::size_t>(10 * accumulate); ++row) {
      CHECK(gather.gathered[1 + 2 * row] == static_cast<double>(row));
      CHECK(gather.gathered[2 + 2 * row] == 0);
    }
  }
}

TEST_CASE("step: the average follows updates of a phase's own and of the task") {
  SlopeTask task({});
  CountingPhase count(task.params().view(0).span());
  SlopePhase slope({.name = "slope", .terms = {"rows"}, .moves = {"phi"}}, 1);
  task.add_phase(count);
  SUBCASE("beside the optimiser") { task.add_phase(slope); }
  SUBCASE("beside the task") { task.limit_phi = true; }
  TrainOptions options;
  options.optimizer.rule = OptimizerRule::sgd;
  options.batch = 10;
  options.ema = 0.5;
  Workers workers(2);
  const auto ranks = join_ranks();
  StepRunner runner(task, options, {workers, *ranks});
  std::vector<std::int64_t> rows(10);
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  for (std::int64_t step = 0; step < 2; ++step) (void)runner.run({.step = step}, {rows, 0}, 1.0);
  const View<float> theta = task.params().view(0, runner.average());
  const View<float> phi = task.params().view(1, runner.average());
  CHECK(theta[0] == 1.25f);  // 0, 0.5, 1.25 after 1 and 2
  CHECK(theta[19] == 1.25f);
  if (task.limit_phi) CHECK(phi[0] == 6.0f);     // 0, 4, 6 after 8 and 8
  else CHECK(phi[0] == doctest::Approx(-1.25));  // once per step here too
}

}  // namespace logpx::step_test
