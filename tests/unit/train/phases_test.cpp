// What a phase may ask of the step: gradients of what it names only, gradients of inputs and a look
// after the reverse pass, and a reverse pass through what an earlier phase has computed.
#include "libcore/base/index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/memory_plan.hpp"
#include "libcore/train/step.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace logpx::phases_test {
namespace {

constexpr std::int64_t data_rows = 12;

// Parameters "scale/w" [1] and "shift/b" [1], and whatever phases a test gives it.
class PairTask final : public TrainingTask {
 public:
  PairTask() {
    params_.add("scale/w", {1});
    params_.add("shift/b", {1});
    params_.view(0)[0] = 0.5f;
    params_.view(1)[0] = 0.25f;
  }
  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return data_rows; }
  [[nodiscard]] std::vector<Phase*> phases() override {
    std::vector<Phase*> list;
    for (const auto& phase : all) list.push_back(phase.get());
    return list;
  }
  [[nodiscard]] float scale() { return params_.view(0)[0]; }
  [[nodiscard]] float shift() { return params_.view(1)[0]; }
  [[nodiscard]] Var scale_of(Graph& graph) const { return graph.parameter(params_, 0); }
  [[nodiscard]] Var shift_of(Graph& graph) const { return graph.parameter(params_, 1); }
  [[nodiscard]] float* scale_in(std::span<float> block) { return params_.view(0, block).data; }

  std::vector<std::unique_ptr<Phase>> all;

 private:
  ParamSet params_;
};

TrainOptions plain_options(std::int64_t accumulate = 1) {
  TrainOptions options;
  options.optimizer.rule = OptimizerRule::sgd;
  options.batch = data_rows / accumulate;
  options.accumulate = accumulate;
  options.shards = 4;
  return options;
}

StepReport one_step(PairTask& task, std::int64_t accumulate = 1, double weight_decay = 0) {
  TrainOptions options = plain_options(accumulate);
  if (weight_decay > 0) {
    options.optimizer.rule = OptimizerRule::adamw;
    options.optimizer.weight_decay = weight_decay;
  }
  Workers workers(2);
  const auto ranks = join_ranks();
  StepRunner runner(task, options, {workers, *ranks});
  std::vector<std::int64_t> rows(data_rows);
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  return runner.run({}, {rows, 0}, 1.0);
}

float x_of(std::int64_t row) { return static_cast<float>(row % 5) - 1.5f; }

void bind_x(const Shard& shard, GraphInputs& inputs) {
  for (std::size_t i = 0; i < shard.rows.size(); ++i) inputs.values("x")[i] = x_of(shard.rows[i]);
}

// loss = (w x + b)^2 per row
GraphPhaseParts line_through(const PairTask& task) {
  GraphPhaseParts parts;
  parts.build = [&task](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    const Var x = graph->input("x", {rows});
    graph->output("loss", square(x * task.scale_of(*graph) + task.shift_of(*graph)));
    return graph;
  };
  parts.bind = bind_x;
  return parts;
}

// Writes `slope` where it is told to. Elsewhere it leaves the gradient to other phases or, where
// there are none, spoils it with NaN.
enum class Beside { spoiled, left };
class NamedPhase final : public Phase {
 public:
  NamedPhase(PhaseSettings settings, float slope, Beside beside = Beside::spoiled)
      : Phase(std::move(settings)), slope_(slope), beside_(beside) {}
  void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
    const auto share = static_cast<float>(shard.count) / static_cast<float>(shard.step_count);
    if (beside_ == Beside::spoiled)
      std::ranges::fill(sums.gradient, std::numeric_limits<float>::quiet_NaN());
    for (const BlockRange& range : sums.written)
      for (std::int64_t i = range.begin; i < range.end; ++i) sums.gradient[at(i)] = slope_ * share;
  }

 private:
  float slope_;
  Beside beside_;
};

}  // namespace

TEST_CASE("phases: no gradient but that of the named parameters is read, and no other moves") {
  for (const std::int64_t accumulate : {1, 3}) {
    PairTask task;
    task.all.push_back(
        std::make_unique<NamedPhase>(PhaseSettings{.terms = {}, .writes = {"shift"}}, 1.0f));
    CHECK(one_step(task, accumulate).trouble.empty());
    CHECK(task.scale() == 0.5f);
    CHECK(task.shift() == doctest::Approx(-0.75));
  }
  PairTask decayed;  // decay moves what is written and nothing else
  decayed.all.push_back(
      std::make_unique<NamedPhase>(PhaseSettings{.terms = {}, .writes = {"shift"}}, 0.0f));
  CHECK(one_step(decayed, 1, 0.5).trouble.empty());
  CHECK(decayed.scale() == 0.5f);
}

TEST_CASE("phases: each writes its own, and one update takes both") {
  for (const std::int64_t accumulate : {1, 3}) {
    PairTask task;
    task.all.push_back(std::make_unique<NamedPhase>(
        PhaseSettings{.terms = {}, .writes = {"scale"}, .update = Update::none}, 1.0f,
        Beside::left));
    task.all.push_back(std::make_unique<NamedPhase>(PhaseSettings{.terms = {}, .writes = {"shift"}},
                                                    2.0f, Beside::left));
    // Only over several micro-batches is there anything to add to.
    CHECK(joining_phases(task, plain_options(accumulate)) == std::vector<bool>(2, accumulate > 1));
    const StepReport report = one_step(task, accumulate);
    CHECK(report.trouble.empty());
    CHECK(report.norm == doctest::Approx(std::sqrt(5.0)));
    CHECK(task.scale() == doctest::Approx(-0.5));
    CHECK(task.shift() == doctest::Approx(-1.75));
  }
}

TEST_CASE("phases: gradients are added only where several write them, or one writes repeatedly") {
  const auto joining = [](const char* first, const char* second, int repeat) {
    PairTask task;
    task.all.push_back(std::make_unique<NamedPhase>(
        PhaseSettings{.terms = {}, .repeat = repeat, .writes = {first}, .update = Update::none},
        1.0f));
    task.all.push_back(
        std::make_unique<NamedPhase>(PhaseSettings{.terms = {}, .writes = {second}}, 1.0f));
    task.all.push_back(  // an update of its own
        std::make_unique<NamedPhase>(PhaseSettings{.terms = {}, .writes = {second}}, 1.0f));
    return joining_phases(task, plain_options(1));
  };
  CHECK(joining("scale", "shift", 1) == std::vector{false, false, false});
  CHECK(joining("shift", "shift", 1) == std::vector{true, true, false});
  CHECK(joining("scale", "shift", 2) == std::vector{true, true, false});
}

TEST_CASE("phases: a graph computes the gradients of the named parameters only, and the same") {
  PairTask both, one;
  both.all.push_back(std::make_unique<GraphPhase>(PhaseSettings{}, line_through(both)));
  one.all.push_back(
      std::make_unique<GraphPhase>(PhaseSettings{.writes = {"scale"}}, line_through(one)));
  CHECK(one_step(both).trouble.empty());
  CHECK(one_step(one).trouble.empty());
  CHECK(both.shift() != 0.25f);
  CHECK(one.shift() == 0.25f);
  CHECK(one.scale() == both.scale());
  const auto graph = line_through(one).build(3, 0);
  const Plan all = make_plan(*graph, {.from = "loss", .parameters = true}),
             named = make_plan(*graph, {.from = "loss", .parameters = true, .written = {"scale"}});
  CHECK(all.parameter_gradients.size() == 2);
  CHECK(named.parameter_gradients.size() == 1);
}

TEST_CASE("phases: an update of a phase's own is told the rate of the step") {
  struct Own final : Phase {
    explicit Own(double& rate) : Phase({.terms = {}, .update = Update::own}), seen(rate) {}
    void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
      CHECK(shard.place.rate == 1.0);
      std::ranges::fill(sums.gradient, 0.0f);
    }
    void update(const StepPlace& place, const PhaseSums&, Workers&) override { seen = place.rate; }
    double& seen;
  };
  PairTask task;
  double rate = 0;
  task.all.push_back(std::make_unique<Own>(rate));
  CHECK(one_step(task).trouble.empty());
  CHECK(rate == 1.0);
}

TEST_CASE("phases: gradients in flight change no byte") {
  std::vector<float> moved;
  for (const std::int64_t in_flight : {0, 1, 2, 3, 8}) {
    PairTask task;
    task.all.push_back(std::make_unique<GraphPhase>(PhaseSettings{.gradients_in_flight = in_flight},
                                                    line_through(task)));
    CHECK(one_step(task, 3).trouble.empty());
    if (moved.empty()) moved = {task.scale(), task.shift()};
    CHECK(moved == std::vector<float>{task.scale(), task.shift()});
  }
}

// The gradient of z = w x, an input, becomes that of w, which is not in the graph.
TEST_CASE("phases: gradients of inputs become those of parameters that are not in the graph") {
  PairTask whole, parted;
  whole.all.push_back(std::make_unique<GraphPhase>(PhaseSettings{}, line_through(whole)));
  GraphPhaseParts parts;
  parts.build = [&parted](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    const Var z = graph->input("z", {rows});
    graph->output("loss", square(z + parted.shift_of(*graph)));
    return graph;
  };
  parts.bind = [&parted](const Shard& shard, GraphInputs& inputs) {
    for (std::size_t i = 0; i < shard.rows.size(); ++i)
      inputs.values("z")[i] = parted.scale() * x_of(shard.rows[i]);
  };
  parts.inputs = {"z"};
  double seen = 0;
  parts.after = [&parted](const Shard& shard, const Executor<float>& done, const ShardSums& sums) {
    double slope = 0;
    for (std::size_t i = 0; i < shard.rows.size(); ++i)
      slope += static_cast<double>(done.gradient("z").span()[i]) *
               static_cast<double>(x_of(shard.rows[i]));
    *parted.scale_in(sums.gradient) = static_cast<float>(slope);
    sums.terms[1] += slope;
  };
  parts.finish = [&seen](const StepPlace&, const PhaseSums& sums) { seen = sums.terms[1]; };
  parted.all.push_back(std::make_unique<GraphPhase>(PhaseSettings{.extra_sums = 1}, parts));
  CHECK(one_step(whole).trouble.empty());
  CHECK(one_step(parted).trouble.empty());
  CHECK(parted.shift() == whole.shift());
  CHECK(parted.scale() == doctest::Approx(whole.scale()).epsilon(1e-6));
  CHECK(seen == doctest::Approx(0.5 - static_cast<double>(parted.scale())).epsilon(1e-6));
}

namespace {

// Identity; counts how often it goes forward.
struct Counted final : TypedOp<Counted> {
  explicit Counted(std::atomic<int>& count) : forwards(count) {}
  std::atomic<int>& forwards;
  const char* name() const override { return "counted"; }
  Shape infer(std::span<const Shape> in) const override { return in[0]; }
  Keeps keeps() const override { return {}; }
  template <typename T>
  void forward(const Frame<T>& f) const {
    ++forwards;
    for (std::int64_t i = 0; i < f.out().size(); ++i) f.out()[i] = f.in(0)[i];
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    f.add_gradient(0, [&](std::int64_t i) { return f.upstream()[i]; });
  }
};

// Samples (items, not rows) become pictures in one phase; another one gives each a gradient.
struct Pictures {
  std::atomic<int> forwards = 0;
  PairTask task;

  GraphPhaseParts generator() {
    GraphPhaseParts parts;
    parts.build = [this](std::int64_t rows, std::int64_t) {
      auto graph = std::make_unique<Graph>();
      const Var z = graph->input("x", {rows});
      const Var y = tanh(z * task.scale_of(*graph) + task.shift_of(*graph));
      graph->output("picture", graph->apply(std::make_unique<Counted>(forwards), {y}));
      return graph;
    };
    parts.bind = [](const Shard& shard, GraphInputs& inputs) {
      for (std::size_t i = 0; i < shard.places.size(); ++i)
        inputs.values("x")[i] = x_of(shard.places[i]);
    };
    parts.from = "picture";
    return parts;
  }
  enum class Forward { once, again };
  explicit Pictures(Forward forward) {
    constexpr std::int64_t items = 10;
    auto make = std::make_unique<GraphPhase>(PhaseSettings{.name = "make",
                                                           .terms = {"picture"},
                                                           .items = items,
                                                           .gradient = false,
                                                           .update = Update::none},
                                             generator());
    GraphPhaseParts pull = generator();
    pull.bind = [bind = pull.bind](const Shard& shard, GraphInputs& inputs) {
      bind(shard, inputs);
      for (std::size_t i = 0; i < shard.places.size(); ++i)
        inputs.seed()[i] = static_cast<float>(1 + shard.places[i]) / 100;
    };
    const PhaseSettings back{.name = "pull", .terms = {}, .items = items};
    auto second = forward == Forward::once ? std::make_unique<GraphPhase>(back, pull, *make)
                                           : std::make_unique<GraphPhase>(back, pull);
    task.all.push_back(std::move(make));
    task.all.push_back(std::move(second));
  }
};

}  // namespace

TEST_CASE("phases: a later phase goes back through what an earlier one has computed") {
  Pictures once(Pictures::Forward::once), twice(Pictures::Forward::again);
  for (Pictures* pictures : {&once, &twice})
    for (int step = 0; step < 3; ++step) CHECK(one_step(pictures->task).trouble.empty());
  CHECK(once.task.scale() == twice.task.scale());
  CHECK(once.task.shift() == twice.task.shift());
  CHECK(once.task.scale() != 0.5f);
  CHECK(once.forwards == 3 * 4);       // steps and shards
  CHECK(twice.forwards == 2 * 3 * 4);  // and phases
}

TEST_CASE("phases: executors that wait for a later phase are planned for each shard") {
  Pictures once(Pictures::Forward::once), twice(Pictures::Forward::again);
  const auto activations = [](Pictures& pictures) {
    for (const ModuleMemory& part :
         plan_memory(pictures.task, plain_options(), {.threads = 1}).parts)
      if (part.module == "activations") return part.bytes;
    return std::int64_t{-1};
  };
  // Items 10 in 4 shards: two of 2 and two of 3. One worker has one executor of each size, and the
  // phase that goes back has none of its own.
  CHECK(activations(once) ==
        2 * once.task.all[0]->arena_bytes({2}) + 2 * once.task.all[0]->arena_bytes({3}));
  CHECK(once.task.all[1]->arena_bytes({3}) == 0);
  CHECK(activations(twice) ==
        twice.task.all[0]->arena_bytes({2}) + twice.task.all[0]->arena_bytes({3}) +
            twice.task.all[1]->arena_bytes({2}) + twice.task.all[1]->arena_bytes({3}));
}

}  // namespace logpx::phases_test
