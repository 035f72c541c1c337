// What a run chooses by its evaluations: whose weights it keeps, and at which rate it learns.
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "tests/support/training.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <set>

namespace logpx::choices_test {
namespace {

class DownhillPhase final : public Phase {
 public:
  DownhillPhase() : Phase({.terms = {}}) {}
  void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
    const auto share = static_cast<float>(shard.count) / static_cast<float>(shard.step_count);
    std::ranges::fill(sums.gradient, 0.0F);
    sums.gradient[0] = share;
  }
  void compute_by(const Numerics&) override {}
};

// Goes down by the rate in every step, past the place where the metric is best.
class DownhillTask final : public TrainingTask {
 public:
  DownhillTask() { params_.add("w", {}); }
  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return 8; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {&phase_}; }
  [[nodiscard]] std::vector<TensorRef> state() override { return {TensorRef::of("age", age_)}; }
  void updated(const StepPlace&, Optimizer*) override { age_[0] += 1; }
  Metrics evaluate(std::span<const float> weights, Workers&, Ranks&) override {
    if (!evaluates) return {};
    const double away = static_cast<double>(weights[0]) - best_at;
    return {{"score", -away * away}};
  }
  [[nodiscard]] Aim aim() const override { return Aim::maximise; }

  bool evaluates = true;
  double best_at = -2;
  float weight() { return params_.view(0)[0]; }
  float age() { return age_[0]; }

 private:
  ParamSet params_;
  DownhillPhase phase_;
  Tensor<float> age_{Shape{1}};
};

TrainOptions downhill_options() {
  TrainOptions options;
  options.optimizer.rule = OptimizerRule::sgd;
  options.lr = 0.5;
  options.batch = 8;
  options.steps = 10;
  options.eval_every = {1, Interval::Unit::steps};
  return options;
}

struct Walk {
  DownhillTask task;
  MemorySink sink;
  TrainingResult result;
  std::vector<float> average;
  std::optional<RateProbe> probe;
  std::string bytes() const { return bytes_of(sink.saved()); }
};

// To the end, in one process after another: the k-th is stopped when it asks the stops[k]-th time.
std::unique_ptr<Walk> walk(const TrainOptions& options, std::vector<int> stops = {},
                           double best_at = -2) {
  const auto ranks = join_ranks();
  Workers workers(2);
  auto sink = std::make_unique<MemorySink>();
  for (bool resuming = false;; resuming = true) {
    auto one = std::make_unique<Walk>();
    one->task.best_at = best_at;
    int asked = 0;
    const int stop = stops.empty() ? 0 : stops.front();
    if (!stops.empty()) stops.erase(stops.begin());
    TrainingLoop loop(one->task, options, {workers, *ranks},
                      {.sink = sink.get(),
                       .stop_asked = [&](std::int64_t) { return ++asked == stop ? SIGINT : 0; }});
    if (resuming) loop.restore(sink->saved());
    try {
      one->result = loop.run();
    } catch (const Interrupted&) {
      continue;
    }
    one->average.assign(loop.weights().begin(), loop.weights().end());
    one->probe = loop.rate_probe();
    one->sink = std::move(*sink);
    return one;
  }
}

std::string refusal(const TrainOptions& options, bool evaluates = true) {
  DownhillTask task;
  task.evaluates = evaluates;
  const auto ranks = join_ranks();
  Workers workers(1);
  try {
    static_cast<void>(TrainingLoop(task, options, {workers, *ranks}, {}).run());
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.subject();
  }
  return "";
}

}  // namespace

TEST_CASE("train: --keep-best ends with the weights and the state of the best evaluation") {
  TrainOptions options = downhill_options();
  const auto last = walk(options);
  CHECK(last->task.weight() == -5.0f);
  CHECK(last->result.kept_step == 10);
  options.keep_best = true;
  const auto best = walk(options);
  CHECK(best->task.weight() == -2.0f);
  CHECK(best->task.age() == 4.0f);
  CHECK(best->result.best_step == 4);
  CHECK(best->result.kept_step == 4);
  CHECK(best->result.steps == 10);
  // What is judged and kept is the average, where there is one: 0 0.25 0.875 ... by halves.
  options.ema = 0.5;
  const auto average = walk(options);
  CHECK(average->result.best_step == 5);
  CHECK(average->task.weight() == -2.5f);
  CHECK(average->average[0] == -2.015625f);
}

TEST_CASE("train: the best weights outlive a process") {
  TrainOptions options = downhill_options();
  options.keep_best = true;
  options.ema = 0.5;
  const auto whole = walk(options);
  for (int stop = 1; stop <= 10; ++stop) {
    const auto resumed = walk(options, {stop});
    CHECK(resumed->bytes() == whole->bytes());
    CHECK(resumed->task.weight() == whole->task.weight());
    CHECK(resumed->average == whole->average);
    CHECK(resumed->result.kept_step == whole->result.kept_step);
  }
}

TEST_CASE("train: an automatic rate is that of the best probe from the same start") {
  TrainOptions options = downhill_options();
  options.lr_candidates = {0.125, 0.25, 0.5, 1};
  options.lr_probe = 6;
  options.lr = 0.25;
  const std::string fixed = walk(options, {}, -1.5)->bytes();
  options.lr.text = "auto";
  const auto chosen = walk(options, {}, -1.5);
  CHECK(chosen->result.rate == 0.25);
  REQUIRE(chosen->probe);
  CHECK(chosen->probe->steps == 6);
  CHECK(chosen->probe->rates == options.lr_candidates);
  REQUIRE(chosen->probe->values.size() == 4);
  CHECK(chosen->probe->values[0] == -0.5625);
  CHECK(chosen->probe->values[1] == 0.0);
  CHECK(chosen->probe->values[3] == -20.25);
  CHECK(chosen->task.weight() == -2.5f);
  CHECK(chosen->task.age() == 10.0f);
  CHECK(chosen->sink.lines().size() == 10);  // a probe leaves no history
  // Except for what was seen, the checkpoint is that of a run with this rate.
  CHECK(chosen->bytes().find(fixed.substr(0, 64)) == 0);
}

TEST_CASE("train: a run stopped in its probes or after them ends as one that was not") {
  TrainOptions options = downhill_options();
  options.lr_candidates = {0.125, 0.25, 0.5, 1};
  options.lr_probe = 3;
  options.lr.text = "auto";
  const auto whole = walk(options);
  CHECK(whole->result.rate == 0.5);
  for (const int stop : {1, 4, 12, 13, 17}) {
    CAPTURE(stop);
    const auto resumed = walk(options, {stop});
    CHECK(resumed->bytes() == whole->bytes());
    CHECK(resumed->probe->values == whole->probe->values);
  }
}

TEST_CASE("train: a rate with which training runs away is never chosen") {
  TrainingCase c{.options = small_options()};
  c.options.lr_candidates = {1e-4, 0.02, 1e30};
  c.options.lr_probe = 20;
  c.options.lr.text = "auto";
  const auto outcome = train(c);
  CHECK(outcome->result.rate == 0.02);
  c.threads = 3;
  CHECK(train(c)->bytes == outcome->bytes);
  c.options.lr_candidates = {1e30};
  CHECK_THROWS_WITH_AS(train(c), "--lr auto: training ran away with every rate that was probed",
                       Error);
}

TEST_CASE("train: the length of a run may be said in rows") {
  TrainingCase c{.options = small_options()};  // 203 rows, batch 64: the fourth step has 11
  for (const auto& [rows, steps] :
       {std::pair<int, int>{0, 0}, {1, 1}, {64, 1}, {65, 2}, {203, 4}, {204, 5}, {406, 8}}) {
    c.options.samples_seen = rows;
    const auto outcome = train(c);
    CHECK(outcome->result.steps == steps);
    CHECK(outcome->result.samples >= rows);
  }
}

TEST_CASE("train: choices that contradict each other or lack their evaluation are refused") {
  const auto refused = [](auto change) {
    TrainOptions options = downhill_options();
    change(options);
    return refusal(options);
  };
  CHECK(refused([](TrainOptions&) {}).empty());
  CHECK(refused([](TrainOptions& o) { o.samples_seen = 5; }) == "--samples-seen");
  CHECK(refused([](TrainOptions& o) { o.keep_best = o.keep_last = true; }) == "--keep-last");
  CHECK(refused([](TrainOptions& o) { o.lr.text = "auto"; }) == "--lr auto");
  CHECK(refused([](TrainOptions& o) { o.lr.text = "fast"; }) == "--lr");
  CHECK(refused([](TrainOptions& o) { o.lr.text = "-1"; }) == "--lr");
  TrainOptions options = downhill_options();
  options.keep_best = true;
  CHECK(refusal(options, false) == "--keep-best");
  options.keep_best = false;
  options.patience = 3;
  CHECK(refusal(options, false) == "--patience");
  options.patience = 0;
  options.lr_candidates = {0.1};
  options.lr.text = "auto";
  CHECK(refusal(options, false) == "--lr auto");
}

TEST_CASE("train: --lr-probe is an option where rates can be probed and nowhere else") {
  TrainOptions plain, probing;
  probing.lr_candidates = {0.01, 0.1};
  Fields without, with;
  plain.describe(without);
  probing.describe(with);
  CHECK(without.find_option("--lr-probe") == nullptr);
  REQUIRE(with.find_option("--lr-probe") != nullptr);
  CHECK(with.find_option("--lr")->metavar() == "R|auto");
}

TEST_CASE("train: --lr-schedule sigmoid goes between two rates within (0, 1)") {
  TrainOptions options;
  Fields fields;
  options.describe(fields);
  fields.find_option("--lr-schedule")->read("sigmoid", "--lr-schedule", Origin::option);
  CHECK_THROWS_AS(options.validate(), Error);  // its last rate is 0
  options.lr = 0.9;
  options.lr_final = 0.1;
  CHECK_NOTHROW(options.validate());
  const Schedule schedule = options.schedule(10);
  CHECK(schedule.rate(0) == doctest::Approx(0.9));
  CHECK(schedule.rate(5) == doctest::Approx(0.5));
  CHECK(schedule.rate(10) == doctest::Approx(0.1));
}

TEST_CASE("train: weights worse than those that training began with are told apart") {
  TrainOptions options = downhill_options();  // from -4 past the best place to -9
  const auto whole = walk(options);
  CHECK(whole->result.first_metric == -4);
  CHECK(whole->result.declined);
  CHECK(walk(options, {3, 2})->result.declined);
  options.keep_best = true;
  CHECK_FALSE(walk(options)->result.declined);
  options.keep_best = false;
  options.steps = 8;
  options.lr = 0.501;  // to -4.016
  CHECK_FALSE(walk(options)->result.declined);
  options.lr = 0.51;  // to -4.33
  CHECK(walk(options)->result.declined);
  options.steps = 4;
  CHECK_FALSE(walk(options)->result.declined);
}

}  // namespace logpx::choices_test
