// What the loop says when numbers or memory run out.
#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/train/graph_phase.hpp"
#include "tests/support/training.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace logpx::trouble_test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

struct Planted {
  MixtureModel model;
  MixtureTask task;
  TrainOptions options = small_options();
  explicit Planted(std::int64_t components = 4)
      : model({.components = components}), task(model, ring_points(256, 5, Rng(3)), {}) {
    model.initialise(Rng(7));
    options.batch = 128;
    options.lr_schedule = Curve::constant;
    options.lr_warmup = 0;
    options.clip_norm = 0;
  }
  TrainingResult run() {
    Workers workers(2);
    const auto ranks = join_ranks();
    return TrainingLoop(task, options, {workers, *ranks}, {}).run();
  }
  std::string message() {
    try {
      static_cast<void>(run());
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::numeric);
      return error.subject() + ": " + error.message();
    }
    return "";
  }
};

// The mean of sqrt(w x): finite where x is 0, but not its gradient.
class RootTask final : public TrainingTask {
 public:
  explicit RootTask(std::int64_t bad_row, float seed = 1.0F / 8) {
    w_ = params_.add("w", {});
    params_.view(w_)[0] = 1;
    GraphPhaseParts parts;
    parts.build = [this](std::int64_t rows, std::int64_t) {
      auto graph = std::make_unique<Graph>();
      const Var x = graph->input("x", {rows});
      graph->output("loss", sqrt(x * graph->parameter(params_, w_)));
      return graph;
    };
    parts.bind = [bad_row, seed](const Shard& shard, GraphInputs& to) {
      std::ranges::fill(to.seed(), seed);
      for (std::size_t i = 0; i < shard.rows.size(); ++i)
        to.values("x")[i] = shard.rows[i] == bad_row ? 0.0f : 1e-3f;
    };
    phase_ = std::make_unique<GraphPhase>(PhaseSettings{}, parts);
  }
  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return 8; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {phase_.get()}; }

 private:
  ParamSet params_;
  int w_ = 0;
  std::unique_ptr<Phase> phase_;
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("trouble: not-a-number in the data names the step, the rows and the first node") {
  Planted planted;
  planted.task.points()[2 * 17] = nan;
  const std::string message = planted.message();
  CAPTURE(message);
  CHECK(holds(message, "step "));
  CHECK(holds(message, "loss is not finite (term: loss)"));
  CHECK(holds(message, "rows "));
  CHECK(holds(message, ": components: nan at element "));
  CHECK(holds(message, "learning rate"));
  CHECK(holds(message, "no checkpoint yet"));
}

TEST_CASE("trouble: a gradient that is not finite is found in its own shard and in no other") {
  TrainOptions options;
  options.batch = options.shards = 8;
  Workers workers(1);
  const auto ranks = join_ranks();
  for (const std::int64_t row : {2, 5}) {
    RootTask task(row);
    TrainingLoop loop(task, options, {workers, *ranks}, {});
    try {
      static_cast<void>(loop.run());
      FAIL("went on");
    } catch (const Error& error) {
      CAPTURE(error.message());
      CHECK(holds(error.message(), "the norm of the gradient is not finite"));
      CHECK(holds(error.message(), "rows " + std::to_string(row) + ": sqrt (gradient): inf"));
    }
  }
}

TEST_CASE("trouble: a gradient that only the weights of the rows make infinite is found") {
  RootTask task(-1, 3e38F);  // times the 16 of the root's slope: finite from ones alone
  TrainOptions options;
  options.batch = options.shards = 8;
  Workers workers(1);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, options, {workers, *ranks}, {});
  CHECK_THROWS_WITH_AS(static_cast<void>(loop.run()), doctest::Contains("(gradient): inf"), Error);
}

TEST_CASE("trouble: not-a-number in a weight names the node that reads it") {
  Planted planted;
  ParamSet& params = planted.task.params();
  params.view(params.find("mixture/logits"))[1] = nan;
  CHECK(holds(planted.message(), ": mixture/mixture_nll: nan at element 0"));
}

TEST_CASE("trouble: a learning rate of a million names the node where it overflows") {
  Planted planted;
  planted.options.lr = 1e6;
  const std::string message = planted.message();
  CAPTURE(message);
  CHECK(holds(message, ": components: "));
  CHECK(holds(message, "learning rate 1e+06"));
}

TEST_CASE("trouble: skip:N leaves out so many steps and no more, and counts them") {
  Planted planted;
  planted.task.points()[2 * 17] = nan;
  planted.options.epochs = 2;
  planted.options.eval_every = {0};
  planted.options.on_nan = "skip:2";
  CHECK(planted.run().skipped == 2);
  planted.options.epochs = 3;
  CHECK(planted.message().starts_with("step "));
}

TEST_CASE("trouble: a run that does not fit says what is large and which batch would do") {
  Planted planted(512);  // components: activations weigh most
  Workers workers(1);
  const auto ranks = join_ranks();
  const TrainingLoop fits(planted.task, planted.options, {workers, *ranks}, {});
  try {
    const TrainingLoop loop(planted.task, planted.options, {workers, *ranks},
                            {.memory = fits.memory_plan().total() * 7 / 10});
    FAIL("was taken");
  } catch (const Error& error) {
    CAPTURE(error.message());
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.subject() == "--memory");
    CHECK(holds(error.message(), "activations "));
    CHECK(error.hint().starts_with("--batch "));
    planted.options.batch = std::stoll(error.hint().substr(8));
    CHECK_NOTHROW(TrainingLoop(planted.task, planted.options, {workers, *ranks},
                               {.memory = fits.memory_plan().total() * 7 / 10}));
  }
}

TEST_CASE("trouble: options that exclude each other or say nothing are refused") {
  const auto refused = [](auto change) {
    TrainOptions options;
    change(options);
    CHECK_THROWS_AS(options.validate(), Error);
  };
  refused([](TrainOptions& o) { o.shards = 3; });
  refused([](TrainOptions& o) { o.on_nan = "skip:"; });
  refused([](TrainOptions& o) { o.on_nan = "go-on"; });
  refused([](TrainOptions& o) { o.ema = 1; });
  refused([](TrainOptions& o) { o.clip_norm = o.clip_value = 1; });
  refused([](TrainOptions& o) {
    o.patience = 1;
    o.eval_every = {1, Interval::Unit::seconds};
  });
  CHECK(shard_count(100, ShardGrain::dense) == 2);
  CHECK(shard_count(256, ShardGrain::dense) == 8);
  CHECK(shard_count(7, ShardGrain::dense) == 1);
  CHECK(shard_count(7, ShardGrain::heavy) == 2);
}

}  // namespace logpx::trouble_test
