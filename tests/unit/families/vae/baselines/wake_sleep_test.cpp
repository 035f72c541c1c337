// Wake-sleep: what its two phases ascend, and that it learns.
#include "libcore/families/vae/baselines/wake_sleep.hpp"

#include "libcore/families/vae/family.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/families/vae/sample.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/model/latent_decoder.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"
#include "libcore/train/step.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::wake_sleep_test {

using namespace logpx::vae;

namespace {

constexpr std::int64_t dims = 5;

struct Step {
  std::vector<float> theta;  // after one step of size 1
  std::vector<double> terms;
};

// One step of stochastic gradient descent on six rows.
Step one_step(VaeModel& model, const Examples& rows, std::int64_t shards) {
  const std::vector<float> before(model.param_set().block().begin(),
                                  model.param_set().block().end());
  VaeTask task(model, {.algorithm = Algorithm::wake_sleep}, {.train = rows, .valid = {}}, Rng(1));
  TrainOptions options;
  options.optimizer.rule = OptimizerRule::sgd;
  options.batch = rows.rows.count;
  options.shards = shards;
  Workers workers(2);
  const auto ranks = join_ranks();
  StepRunner runner(task, options, {workers, *ranks});
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows.rows.count));
  std::iota(order.begin(), order.end(), 0);
  CHECK(runner.run({.seed = 3, .step = 7}, {order, 0}, 1).trouble.empty());
  Step step{{model.param_set().block().begin(), model.param_set().block().end()},
            {runner.terms().begin(), runner.terms().end()}};
  std::ranges::copy(before, model.param_set().block().begin());
  return step;
}

struct Gradient {
  double loss = 0;
  std::vector<float> values;
};

// For the mean loss of a graph with these inputs.
Gradient gradient_of(const VaeModel& model, const Graph& graph, const std::string& loss,
                     const std::vector<std::pair<std::string, std::vector<float>>>& inputs) {
  Executor<float> run(graph, {.from = loss, .parameters = true});
  for (const auto& [name, values] : inputs) run.bind(name, values);
  Gradient g{.values = std::vector<float>(model.param_set().block().size())};
  run.bind_parameters(model.param_set().block(), g.values);
  run.forward();
  const auto losses = run.output(loss).span();
  const std::vector<float> seed(losses.size(), 1 / static_cast<float>(losses.size()));
  for (const float value : losses)
    g.loss += static_cast<double>(value) / static_cast<double>(losses.size());
  run.backward(seed);
  return g;
}

std::vector<float> normals(Stream stream, std::size_t count) {
  std::vector<float> values(count);
  fill_normals(Rng(3).stream(stream, 7), 0, values);
  return values;
}

}  // namespace

TEST_CASE("wake-sleep: a step descends both losses from the same parameters in any shards") {
  const std::int64_t n = 6, latent = 2;
  const std::vector<std::uint8_t> bits = patterns(n, dims);
  const DatasetInfo info = vectors_of(dims, 2);
  const Rows rows = rows_of(bits, n);
  VaeModel model(
      {.latent = latent, .hidden = {4}, .init = "normal:0.5", .init_output_bias = OutputBias::zero},
      info);
  model.initialise(Rng(2));
  const auto theta = model.param_set().block();

  Graph wake, decoder, sleep;
  build_wake(model, wake, n);
  build_decoder(model, decoder, n);
  build_sleep(model, sleep, n);
  const std::size_t latents = static_cast<std::size_t>(n * latent);
  const std::vector<float> z = normals(Stream::sleep_z, latents);
  Executor<float> dreamer(decoder, {});
  dreamer.bind("z", z);
  dreamer.bind_parameters(theta);
  dreamer.forward();
  const DecodedHeads heads(model.likelihood(), dreamer);
  std::vector<float> dreams;
  for (std::int64_t i = 0; i < n; ++i) {
    DrawCursor draws(Rng(3).stream(Stream::sleep_x, 7), static_cast<std::uint64_t>(i * dims));
    for (std::size_t d = 0; d < dims; ++d)
      dreams.push_back(static_cast<float>(model.likelihood().draw(heads.row(i), d, draws)));
  }
  CHECK(std::ranges::count(dreams, 0.0F) + std::ranges::count(dreams, 1.0F) == n * dims);
  const std::vector<float> x(bits.begin(), bits.end());
  const Gradient awake = gradient_of(model, wake, "wake_loss",
                                     {{"x", x}, {"noise", normals(Stream::wake_eps, latents)}}),
                 asleep = gradient_of(model, sleep, "sleep_loss", {{"x", dreams}, {"z", z}});

  for (const std::int64_t shards : {1, 2, 4}) {
    CAPTURE(shards);
    const Step step = one_step(model, {info, rows, 0}, shards);
    REQUIRE(step.terms.size() == 2);
    CHECK(step.terms[0] == doctest::Approx(awake.loss).epsilon(1e-5));
    CHECK(step.terms[1] == doctest::Approx(asleep.loss).epsilon(1e-5));
    for (const ParamInfo& p : model.param_set().infos())
      for (std::int64_t i = p.offset; i < p.offset + p.shape.elements(); ++i) {
        CAPTURE(p.name);
        const auto e = static_cast<std::size_t>(i);
        const bool of_decoder = p.name.starts_with("decoder/");
        CHECK((of_decoder ? asleep : awake).values[e] == 0);
        const double down = static_cast<double>((of_decoder ? awake : asleep).values[e]);
        CHECK(std::abs(static_cast<double>(theta[e] - step.theta[e]) - down) < 1e-5);
      }
  }
}

TEST_CASE("wake-sleep: every likelihood and network dreams and learns") {
  const std::int64_t n = 40, side = 4;
  std::vector<std::uint8_t> levels;
  DrawCursor draws(Rng(6).stream(Stream::test));
  for (std::int64_t i = 0; i < n * side * side; ++i)
    levels.push_back(static_cast<std::uint8_t>(draws.below(4)));
  DatasetInfo info = vectors_of(side * side, 4);
  info.content = Content::image;
  info.shape = {side, side, 1};
  const Rows rows = rows_of(levels, n);
  for (const NetworkKind network : {NetworkKind::mlp, NetworkKind::conv, NetworkKind::linear})
    for (const std::string likelihood : {"gaussian", "gaussian-fixed", "logistic256",
                                         "logistic-mix256", "beta-binomial", "categorical"}) {
      CAPTURE(static_cast<int>(network));
      CAPTURE(likelihood);
      VaeModel model({.latent = 3,
                      .encoder = network,
                      .hidden = {6},
                      .conv_width = 0.1,
                      .likelihood = likelihood,
                      .obs_std = "learn",
                      .components = 2,
                      .init_output_bias = OutputBias::zero},
                     info);
      model.initialise(Rng(1));
      VaeTask task(model, {.algorithm = Algorithm::wake_sleep},
                   {.train = Examples{info, rows, 0}, .valid = {}}, Rng(1));
      TrainOptions options;
      options.batch = 16;
      options.epochs = 3;
      options.lr = 0.01;
      options.shards = 2;
      Workers workers(1);
      const auto ranks = join_ranks();
      const auto elbo = [&] {
        return task.evaluate(model.param_set().block(), workers, *ranks)[0].second;
      };
      const double before = elbo();
      TrainingLoop(task, options, {workers, *ranks}, {}).run();
      CHECK(elbo() > before);
    }
}

TEST_CASE("wake-sleep: the bound comes near the evidence on data that q can tell apart") {
  const std::int64_t n = 400;
  const std::vector<std::uint8_t> bits = patterns(n, 8);
  const DatasetInfo info = vectors_of(8, 2);
  const Rows rows = rows_of(bits, n);
  VaeModel model({.latent = 2, .hidden = {8}}, info);
  model.initialise(Rng(1));
  VaeTask task(model, {.algorithm = Algorithm::wake_sleep},
               {.train = Examples{info, rows, 0}, .valid = {}}, Rng(1));
  TrainOptions options;
  options.batch = 50;
  options.epochs = 60;
  options.lr = 0.01;
  Workers workers(1);
  const auto ranks = join_ranks();
  const auto result = TrainingLoop(task, options, {workers, *ranks}, {}).run();
  // Independent dims cost 5.545 nats; the best is 3.294.
  CHECK(result.metrics[0].first == "elbo_train");
  CHECK(result.metrics[0].second > -4.9);
  CHECK(result.metrics[0].second < -3.2);
}

TEST_CASE("wake-sleep: q far beyond its limits finds back") {
  const std::int64_t n = 50;
  const std::vector<std::uint8_t> bits = patterns(n, dims);
  const DatasetInfo info = vectors_of(dims, 2);
  const Rows rows = rows_of(bits, n);
  VaeModel model({.latent = 1, .hidden = {4}}, info);
  model.initialise(Rng(1));
  model.param_set().view(model.param_set().find("encoder/log_var/b"))[0] = 40;
  VaeTask task(model, {.algorithm = Algorithm::wake_sleep},
               {.train = Examples{info, rows, 0}, .valid = {}}, Rng(1));
  TrainOptions options;
  options.batch = n;
  options.steps = 500;
  options.optimizer.rule = OptimizerRule::sgd;
  options.lr = 0.5;
  Workers workers(1);
  const auto ranks = join_ranks();
  TrainingLoop(task, options, {workers, *ranks}, {}).run();
  CHECK(task.evaluate(model.param_set().block(), workers, *ranks)[0].second > -10);
}

}  // namespace logpx::wake_sleep_test
