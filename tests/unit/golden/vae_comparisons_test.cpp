// The comparison systems of the VAE against tests/golden/vae.json: their graphs in float and in
// double, the leapfrog steps and the update in float.
#include "libcore/families/vae/baselines/wake_sleep.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/families/vae/sample.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/optim.hpp"
#include "libcore/math/hmc.hpp"
#include "libcore/model/latent_decoder.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/vae_golden.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::vae_comparisons_test {

using namespace logpx::vae;
using golden_layer::Values;

namespace {

const golden_vae::Decoding bernoulli = {"bernoulli", 2, {"logits"}};

struct Tiny {
  const Json& entry;
  VaeModel model;
  std::map<std::string, Values> parameters;
  Values x;

  explicit Tiny(const Json& wake_sleep)
      : entry(wake_sleep),
        model(golden_vae::config_of(entry.at("params"), bernoulli),
              vectors_of(golden_layer::tensor(entry.at("x")).shape[1], 2)),
        parameters(golden_vae::parameters_of(entry.at("params"), bernoulli)),
        x(golden_layer::tensor(entry.at("x"))) {
    for (const ParamInfo& info : model.param_set().infos())
      std::ranges::copy(parameters.at(info.name).data,
                        model.param_set().view(model.param_set().find(info.name)).data);
  }
  [[nodiscard]] std::int64_t rows() const { return x.shape[0]; }
  [[nodiscard]] Values first_row() const {
    return {{1, x.shape[1]}, {x.data.begin(), x.data.begin() + x.shape[1]}};
  }
};

Var output_of(Graph& graph, const std::string& name) {
  const int output = graph.find_output(name);
  const NodeInput& at = graph.outputs()[static_cast<std::size_t>(output)].value;
  return {graph, at.node, at.shape, at.offset};
}

std::vector<float> floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

Values one_copy(Values of_rows) {  // [M,J] to [1,M,J]
  of_rows.shape = {1, of_rows.shape[0], of_rows.shape[1]};
  return of_rows;
}

using Build = void (*)(const VaeModel&, Graph&, std::int64_t rows);

// y = -loss, with the gradient of its mean.
golden_layer::Case ascent(const Tiny& tiny, Build build, const std::string& loss,
                          std::map<std::string, Values> inputs) {
  return {.params = &tiny.model.param_set(),
          .parameters = tiny.parameters,
          .inputs = std::move(inputs),
          .upstream = std::vector<double>(static_cast<std::size_t>(tiny.rows()),
                                          1 / static_cast<double>(tiny.rows())),
          .build = [&tiny, build, loss](Graph& graph) {
            build(tiny.model, graph, tiny.rows());
            return -output_of(graph, loss);
          }};
}

// The mean, and the gradients: those expected, and nothing for all others.
void check_ascent(const golden_layer::Computed& computed, double objective, const Json& gradients,
                  double value_tolerance, double gradient_tolerance) {
  const double mean =
      std::reduce(computed.y.begin(), computed.y.end()) / static_cast<double>(computed.y.size());
  CHECK(mean == doctest::Approx(objective).epsilon(value_tolerance));
  const auto expected = golden_vae::parameters_of(gradients, bernoulli);
  double largest = 0;
  for (const auto& [name, values] : expected)
    largest = std::max(largest, golden_layer::largest_of(values.data));
  for (const auto& [name, values] : computed.gradients) {
    const auto found = expected.find(name);
    const std::vector<double> none(values.size());
    golden_layer::check_close("gradient to " + name, values,
                              found == expected.end() ? none : found->second.data,
                              gradient_tolerance, found == expected.end() ? 0 : largest);
  }
}

}  // namespace

TEST_CASE("golden/vae/wake_sleep") {
  const Json* entry = golden::field("vae", "wake_sleep");
  if (!entry) return;
  Tiny tiny(*entry);
  const auto tensor = [&](const char* name) { return golden_layer::tensor(entry->at(name)); };
  const auto wake = ascent(tiny, build_wake, "wake_loss",
                           {{"x", tiny.x}, {"noise", one_copy(tensor("wake_eps"))}});
  const auto sleep =
      ascent(tiny, build_sleep, "sleep_loss", {{"x", tensor("sleep_x")}, {"z", tensor("sleep_z")}});
  const double wake_objective = golden::real(entry->at("wake_objective")),
               sleep_objective = golden::real(entry->at("sleep_objective"));
  const Json &wake_gradients = entry->at("grad_wake"), &sleep_gradients = entry->at("grad_sleep");
  check_ascent(golden_layer::compute<double>(wake), wake_objective, wake_gradients, 1e-10, 1e-10);
  check_ascent(golden_layer::compute<double>(sleep), sleep_objective, sleep_gradients, 1e-10,
               1e-10);
  const golden_layer::Computed waking = golden_layer::compute<float>(wake),
                               sleeping = golden_layer::compute<float>(sleep);
  check_ascent(waking, wake_objective, wake_gradients, 2e-5, 2e-4);
  check_ascent(sleeping, sleep_objective, sleep_gradients, 2e-5, 2e-4);

  // One step on the sum of both.
  ParamSet& params = tiny.model.param_set();
  std::vector<float> descent(static_cast<std::size_t>(params.block_size()));
  for (const ParamInfo& info : params.infos())
    for (std::size_t i = 0; i < waking.gradients.at(info.name).size(); ++i)
      descent[static_cast<std::size_t>(info.offset) + i] = -static_cast<float>(
          waking.gradients.at(info.name)[i] + sleeping.gradients.at(info.name)[i]);
  OptimizerOptions plain;
  plain.rule = OptimizerRule::sgd;
  Optimizer optimizer(params, plain);
  Workers workers(1);
  optimizer.step(optimizer.select(), {.theta = params.block(), .gradient = descent},
                 {.rate = golden::real(entry->at("lr"))}, workers);
  const auto after = golden_vae::parameters_of(entry->at("params_after_sgd_ascent"), bernoulli);
  REQUIRE(after.size() == params.infos().size());
  for (const ParamInfo& info : params.infos()) {
    const auto values = params.view(params.find(info.name)).span();
    golden_layer::check_close(info.name, {values.begin(), values.end()}, after.at(info.name).data,
                              2e-5);
  }
}

TEST_CASE("golden/vae/wake_sleep: dreams are drawn with the uniforms of their dimensions") {
  const Json* entry = golden::field("vae", "wake_sleep");
  if (!entry) return;
  const Tiny tiny(*entry);
  Graph graph;
  build_decoder(tiny.model, graph, tiny.rows());
  Executor<float> run(graph, {});
  const Values z = golden_layer::tensor(entry->at("sleep_z")),
               u = golden_layer::tensor(entry->at("sleep_u")),
               x = golden_layer::tensor(entry->at("sleep_x"));
  const std::vector<float> bound(z.data.begin(), z.data.end());
  run.bind("z", bound);
  run.bind_parameters(tiny.model.param_set().block());
  run.forward();
  const DecodedHeads heads(tiny.model.likelihood(), run);
  for (std::int64_t i = 0; i < tiny.rows(); ++i)
    for (std::int64_t d = 0; d < x.shape[1]; ++d) {
      const auto e = static_cast<std::size_t>(i * x.shape[1] + d);
      const double p = tiny.model.likelihood().mean(heads.row(i), static_cast<std::size_t>(d));
      CHECK((u.data[e] < p ? 1 : 0) == x.data[e]);
    }
}

TEST_CASE("golden/vae/hmc: log p(x,z) of the family and its gradient") {
  const Json* entry = golden::field("vae", "wake_sleep");
  const Json* item = golden::field("vae", "hmc");
  if (!entry || !item) return;
  const Tiny tiny(*entry);
  const Values z0 = one_copy(golden_layer::tensor(item->at("z0")));
  const auto check = [&](const golden_layer::Computed& computed, double tolerance) {
    CHECK(computed.y[0] ==
          doctest::Approx(golden::real(item->at("log_joint_0"))).epsilon(tolerance));
    golden_layer::check_close("gradient", computed.gradients.at("z"),
                              golden_layer::tensor(item->at("grad_log_joint_0")).data,
                              10 * tolerance);
  };
  const golden_layer::Case at_start{.params = &tiny.model.param_set(),
                                    .parameters = tiny.parameters,
                                    .inputs = {{"x", tiny.first_row()}, {"z", z0}},
                                    .wanted = {"z"},
                                    .upstream = {1},
                                    .build = [&](Graph& graph) {
                                      build_joint(tiny.model, graph, 1, 1);
                                      return output_of(graph, "log_joint");
                                    }};
  check(golden_layer::compute<double>(at_start), 1e-11);
  check(golden_layer::compute<float>(at_start), 2e-5);
}

TEST_CASE("golden/vae/hmc: leapfrog steps over the family's graph, there and back") {
  const Json* entry = golden::field("vae", "wake_sleep");
  const Json* item = golden::field("vae", "hmc");
  if (!entry || !item) return;
  const Tiny tiny(*entry);
  Graph graph;
  build_joint(tiny.model, graph, 1, 1);
  Executor<float> run(graph, {.from = "log_joint", .inputs = {"z"}});
  const std::vector<float> x = floats(tiny.first_row().data);
  run.bind("x", x);
  run.bind_parameters(tiny.model.param_set().block());
  const ChainDensity density = [&](std::span<const float> z, std::span<double> log_density,
                                   std::span<float> slope) {
    run.bind("z", z);
    run.forward();
    log_density[0] = static_cast<double>(run.output("log_joint")[0]);
    run.backward();
    std::ranges::copy(run.gradient("z").span(), slope.begin());
  };
  const auto numbers = [&](const char* name) { return golden_layer::tensor(item->at(name)).data; };
  const std::vector<double> steps = {golden::real(item->at("step"))};
  const Trajectory trajectory{static_cast<int>(item->at("leapfrog_steps").integer()), steps};
  const std::vector<float> z0 = floats(numbers("z0")), v0 = floats(numbers("v0"));
  std::vector<float> v = v0;
  ChainStates states = start_chains(z0, tiny.model.latent(), density);
  leapfrog(states, v, density, trajectory);
  golden_layer::check_close("z1", {states.z.begin(), states.z.end()}, numbers("z1"), 2e-5);
  golden_layer::check_close("v1", {v.begin(), v.end()}, numbers("v1"), 2e-5);
  CHECK(states.log_density[0] ==
        doctest::Approx(golden::real(item->at("log_joint_1"))).epsilon(2e-5));
  for (float& each : v) each = -each;
  leapfrog(states, v, density, trajectory);
  for (std::size_t j = 0; j < v.size(); ++j) {
    CHECK(std::abs(states.z[j] - z0[j]) < 1e-4F);
    CHECK(std::abs(v[j] + v0[j]) < 1e-4F);
  }
}

}  // namespace logpx::vae_comparisons_test
