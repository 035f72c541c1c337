#include "libcore/base/error.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/grad/plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace logpx::plan_test {
namespace {

std::vector<float> ramp(std::int64_t n, float step) {
  std::vector<float> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = step * (static_cast<float>(i * 37 % 101) - 50);
  return values;
}

// A chain of blocks with residuals, each of them a region that may be computed again.
void build_blocks(Graph& graph, ParamSet& params, int blocks) {
  Var x = graph.input("x", {6, 8});
  for (int i = 0; i < blocks; ++i) {
    const Graph::Scope scope(graph, "block" + std::to_string(i));
    const std::string name = std::to_string(i);
    const int w = params.add(name + "/w", {8, 8}), b = params.add(name + "/b", {8});
    const Graph::Recompute region(graph);
    const Var h =
        linear(x, graph.parameter(params, w), graph.parameter(params, b), Activation::silu);
    const Var scaled = softmax(h) * tanh(h);
    x = x + relu(scaled.rows(0, 6) + 0.1) * sigmoid(h);
  }
  graph.output("loss", sum(square(x)));
  graph.output("x", x);
}

struct Outcome {
  std::vector<float> loss, x, input_gradient, gradients;
  std::int64_t bytes = 0;
};

Outcome run_blocks(int blocks, bool recompute, Reuse reuse) {
  ParamSet params;
  Graph graph;
  build_blocks(graph, params, blocks);
  const std::vector<float> weights = ramp(params.block_size(), 0.01F), x = ramp(48, 0.02F);
  Outcome outcome;
  outcome.gradients.assign(weights.size(), 0.0F);
  Executor<float> run(graph, {.from = "loss",
                              .parameters = true,
                              .inputs = {"x"},
                              .recompute = recompute,
                              .reuse = reuse});
  run.bind("x", x);
  run.bind_parameters(weights, outcome.gradients);
  run.forward();
  run.backward();
  const auto copy = [](View<const float> v) {
    return std::vector<float>(v.data, v.data + v.size());
  };
  outcome.loss = copy(run.output("loss"));
  outcome.x = copy(run.output("x"));
  outcome.input_gradient = copy(run.gradient("x"));
  outcome.bytes = run.arena_bytes();
  return outcome;
}

bool same_bytes(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void check_same(const Outcome& a, const Outcome& b) {
  CHECK(same_bytes(a.loss, b.loss));
  CHECK(same_bytes(a.x, b.x));
  CHECK(same_bytes(a.input_gradient, b.input_gradient));
  CHECK(same_bytes(a.gradients, b.gradients));
}

int count_steps(const Plan& plan, Plan::StepKind kind) {
  return static_cast<int>(std::count_if(plan.steps.begin(), plan.steps.end(),
                                        [&](const Plan::Step& s) { return s.kind == kind; }));
}

}  // namespace

TEST_CASE("plan: shared memory and recomputation do not change a byte") {
  const Outcome oracle = run_blocks(4, false, Reuse::nothing);
  CHECK(std::isfinite(oracle.loss[0]));
  CHECK(std::any_of(oracle.gradients.begin(), oracle.gradients.end(),
                    [](float g) { return g != 0; }));
  for (const bool recompute : {false, true})
    for (const Reuse reuse : {Reuse::memory, Reuse::nothing})
      check_same(oracle, run_blocks(4, recompute, reuse));
}

TEST_CASE("plan: reuse needs less memory than none, recomputation less than keeping") {
  const std::int64_t apart = run_blocks(8, false, Reuse::nothing).bytes,
                     shared = run_blocks(8, false, Reuse::memory).bytes,
                     again = run_blocks(8, true, Reuse::memory).bytes;
  CHECK(shared < apart);
  CHECK(again < shared * 3 / 4);
}

TEST_CASE("plan: live buffers never overlap") {
  ParamSet params;
  Graph graph;
  build_blocks(graph, params, 5);
  const Plan plan =
      make_plan(graph, {.from = "loss", .parameters = true, .inputs = {"x"}, .recompute = true});
  for (std::size_t i = 0; i < plan.buffers.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Plan::Buffer &a = plan.buffers[i], &b = plan.buffers[j];
      const bool together = a.first <= b.last && b.first <= a.last;
      const bool apart = a.offset + a.elements <= b.offset || b.offset + b.elements <= a.offset;
      CHECK((!together || apart || a.elements == 0 || b.elements == 0));
    }
  for (const Plan::Buffer& buffer : plan.buffers) {
    CHECK(buffer.offset % 16 == 0);
    CHECK(buffer.offset + buffer.elements <= plan.arena_elements);
  }
}

TEST_CASE("plan: nodes that no output needs are not run") {
  Graph graph;
  const Var x = graph.input("x", {4});
  (void)exp(x);
  (void)log(exp(x));
  graph.output("y", tanh(x));
  CHECK(count_steps(make_plan(graph, {}), Plan::StepKind::forward) == 1);
}

TEST_CASE("plan: backward visits only what lies between the start and what is wanted") {
  Graph graph;
  const Var x = graph.input("x", {4}), z = graph.input("z", {4});
  graph.output("side", exp(exp(x)));
  graph.output("y", tanh(x) * sigmoid(z));
  const Plan plan = make_plan(graph, {.from = "y", .inputs = {"z"}});
  CHECK(count_steps(plan, Plan::StepKind::backward) == 2);
  CHECK(count_steps(plan, Plan::StepKind::forward) == 5);
}

TEST_CASE("plan: a chain of in-place ops takes one buffer, what is still read is left alone") {
  Graph graph;
  const Var x = graph.input("x", {1024});
  graph.output("y", exp(tanh(exp(x + 1.0) * 2.0)));
  CHECK(make_plan(graph, {}).arena_elements == 1024);

  Graph kept;
  const Var a = exp(kept.input("x", {1024}));
  kept.output("y", tanh(a) + a);
  CHECK(make_plan(kept, {}).arena_elements == 2 * 1024);
}

TEST_CASE("plan: a start that depends on nothing wanted is refused") {
  Graph graph;
  graph.output("y", exp(graph.input("x", {4})));
  CHECK_THROWS_AS((void)make_plan(graph, {.from = "y", .parameters = true}), Error);
}

TEST_CASE("plan: memory is told per module, largest first, and adds up to the peak") {
  ParamSet params;
  Graph graph;
  build_blocks(graph, params, 3);
  const Plan plan = make_plan(graph, {.from = "loss", .parameters = true});
  const std::vector<ModuleMemory> modules = peak_by_module(graph, plan);
  std::int64_t total = 0;
  for (const ModuleMemory& module : modules) total += module.bytes;
  CHECK(modules.size() >= 3);
  CHECK(std::is_sorted(modules.begin(), modules.end(),
                       [](const auto& a, const auto& b) { return a.bytes > b.bytes; }));
  CHECK(total <= plan.arena_bytes(Precision::f32));
  CHECK(static_cast<double>(total) >= 0.8 * static_cast<double>(plan.arena_bytes(Precision::f32)));
}

}  // namespace logpx::plan_test
