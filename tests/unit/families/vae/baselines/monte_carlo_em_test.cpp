// Monte Carlo EM: chains that follow the posterior, and decoders that learn from them.
#include "libcore/families/vae/baselines/monte_carlo_em.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/math/quadrature.hpp"
#include "libcore/math/special.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"
#include "libcore/train/step.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace logpx::monte_carlo_em_test {

using namespace logpx::vae;

namespace {

ObjectiveOptions mcem() { return {.algorithm = Algorithm::mcem}; }

std::vector<float> state_of(TrainingTask& task, const std::string& name) {
  for (const TensorRef& tensor : task.state())
    if (tensor.name == name) {
      std::vector<float> values(tensor.bytes.size() / sizeof(float));
      std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
      return values;
    }
  return {};
}

double metric(const Metrics& metrics, const std::string& name) {
  for (const auto& [key, value] : metrics)
    if (key == name) return value;
  return std::nan("");
}

// Makes steps on all rows at once, at a learning rate of 0 unless said.
void make_steps(VaeTask& task, int count, double rate = 0) {
  TrainOptions options;
  options.optimizer.rule = OptimizerRule::sgd;
  options.batch = task.rows();
  Workers workers(2);
  const auto ranks = join_ranks();
  StepRunner runner(task, options, {workers, *ranks});
  std::vector<std::int64_t> order(static_cast<std::size_t>(task.rows()));
  std::iota(order.rbegin(), order.rend(), 0);  // places are not rows
  for (int step = 0; step < count; ++step)
    REQUIRE(runner.run({.seed = 5, .step = step}, {order, 0}, rate).trouble.empty());
}

// One latent, x = w z + b + noise of variance s2, for `n` equal rows: p(z|x) is known.
struct Line {
  double w = 0.8, b = 0.3, s2 = 0.5, x = 1.5;
  DatasetInfo info = vectors_of(1, 0);
  Rows rows;
  VaeModel model;

  explicit Line(std::int64_t n)
      : model({.latent = 1,
               .encoder = NetworkKind::linear,
               .inference = Inference::none,
               .likelihood = "gaussian-fixed",
               .obs_std = std::to_string(std::sqrt(s2)),
               .init_output_bias = OutputBias::zero},
              info) {
    ParamSet& params = model.param_set();
    params.view(params.find("decoder/mean/w"))[0] = static_cast<float>(w);
    params.view(params.find("decoder/mean/b"))[0] = static_cast<float>(b);
    rows.count = n;
    const std::vector<float> all(static_cast<std::size_t>(n), static_cast<float>(x));
    const auto bytes = std::as_bytes(std::span(all));
    rows.x.assign(bytes.begin(), bytes.end());
  }
  [[nodiscard]] double variance() const { return 1 / (1 + w * w / s2); }
  [[nodiscard]] double mean() const { return variance() * w * (x - b) / s2; }
};

struct Moments {
  double mean = 0, variance = 0;
};
Moments moments(const std::vector<float>& values) {
  Moments m;
  const auto n = static_cast<double>(values.size());
  for (const float v : values) m.mean += static_cast<double>(v) / n;
  for (const float v : values) m.variance += std::pow(static_cast<double>(v) - m.mean, 2) / n;
  return m;
}

// Exact log p(x) of a model with one latent, by quadrature.
double mean_evidence(const VaeModel& model, const Examples& examples) {
  const NormalQuadrature rule = normal_quadrature(64);
  const auto nodes = rule.nodes.size();
  const auto n = static_cast<std::size_t>(examples.rows.count);
  std::vector<float> z;
  for (const double node : rule.nodes) z.insert(z.end(), n, static_cast<float>(node));
  std::vector<double> prior(nodes * n), likelihood(nodes * n);
  const auto joint = abilities(model).latents->joint(examples, static_cast<std::int64_t>(nodes));
  joint->evaluate(z, {prior, likelihood}, {});
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> terms;
    for (std::size_t k = 0; k < nodes; ++k)
      terms.push_back(rule.log_weights[k] + likelihood[k * n + i]);
    sum += log_sum_exp(terms);
  }
  return sum / static_cast<double>(n);
}

}  // namespace

// False alarm: 0.003 per comparison for a correct sampler, with a seed that is fixed.
TEST_CASE("mcem: chains that know x have its posterior's moments within 3 standard errors") {
  const std::int64_t n = 2000;
  Line line(n);
  VaeTask task(line.model, mcem(), {.train = Examples{line.info, line.rows, 0}, .valid = {}},
               Rng(1));
  const Moments start = moments(state_of(task, "chains"));
  CHECK(std::abs(start.mean) < 3 * std::sqrt(1.0 / n));
  CHECK(std::abs(start.variance - 1) < 3 * std::sqrt(2.0 / n));
  make_steps(task, 60);
  const Moments end = moments(state_of(task, "chains"));
  CHECK(std::abs(end.mean - line.mean()) < 3 * std::sqrt(line.variance() / n));
  CHECK(std::abs(end.variance - line.variance()) < 3 * line.variance() * std::sqrt(2.0 / n));
}

TEST_CASE("mcem: chains that x tells nothing keep the prior's moments; the step size adapts") {
  const std::int64_t n = 2000;
  Line line(n);
  line.model.param_set().view(line.model.param_set().find("decoder/mean/w"))[0] = 0;
  VaeTask task(line.model, mcem(), {.train = Examples{line.info, line.rows, 0}, .valid = {}},
               Rng(1));
  make_steps(task, 60);
  const Moments end = moments(state_of(task, "chains"));
  CHECK(std::abs(end.mean) < 3 * std::sqrt(1.0 / n));
  CHECK(std::abs(end.variance - 1) < 3 * std::sqrt(2.0 / n));
  Workers workers(1);
  const auto ranks = join_ranks();
  const Metrics metrics = task.evaluate(line.model.param_set().block(), workers, *ranks);
  CHECK(metric(metrics, "hmc_step") > 0.2);
  CHECK(metric(metrics, "hmc_non_finite") == 0);
  // E log N(z; 0, 1) + log N(x; b, s2)
  const double expected = -0.5 * (std::log(2 * 3.14159265358979) + 1) -
                          0.5 * (std::log(2 * 3.14159265358979 * line.s2) +
                                 (line.x - line.b) * (line.x - line.b) / line.s2);
  CHECK(metric(metrics, "log_joint_train") == doctest::Approx(expected).epsilon(0.03));
}

TEST_CASE("mcem: chains start from the prior at every visit when told so") {
  const std::int64_t n = 500;
  Line line(n);
  ObjectiveOptions options = mcem();
  options.mcem_restart = true;
  options.leapfrog = 1;
  VaeTask task(line.model, options, {.train = Examples{line.info, line.rows, 0}, .valid = {}},
               Rng(1));
  make_steps(task, 40);  // one leapfrog step of a small size: still where it started
  CHECK(std::abs(moments(state_of(task, "chains")).mean) < line.mean() / 2);
}

TEST_CASE("mcem: a proposal of no finite energy is rejected and counted") {
  const std::int64_t n = 20;
  Line line(n);
  line.model.param_set().view(line.model.param_set().find("decoder/mean/w"))[0] = 1e30F;
  VaeTask task(line.model, mcem(), {.train = Examples{line.info, line.rows, 0}, .valid = {}},
               Rng(1));
  const std::vector<float> before = state_of(task, "chains");
  TrainOptions options;
  options.batch = n;
  Workers workers(1);
  const auto ranks = join_ranks();
  StepRunner runner(task, options, {workers, *ranks});
  std::vector<std::int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  CHECK(runner.run({}, {order, 0}, 0).trouble == "loss is not finite (term: loss)");
  CHECK(state_of(task, "chains") == before);
  const Metrics metrics = task.evaluate(line.model.param_set().block(), workers, *ranks);
  CHECK(metric(metrics, "hmc_non_finite") == n);
  CHECK(metric(metrics, "hmc_step") < 0.1);
}

TEST_CASE("mcem: learns a decoder; samples seen are rows times updates; any size of data") {
  const std::int64_t dims = 8;
  for (const std::int64_t n : {1, 30, 400}) {  // a batch of 50
    CAPTURE(n);
    const std::vector<std::uint8_t> bits = patterns(n, dims);
    const DatasetInfo info = vectors_of(dims, 2);
    const Rows rows = rows_of(bits, n);
    VaeModel model({.latent = 1, .hidden = {8}, .inference = Inference::none}, info);
    model.initialise(Rng(1));
    ObjectiveOptions objective = mcem();
    objective.m_steps = 3;
    VaeTask task(model, objective, {.train = Examples{info, rows, 0}, .valid = {}}, Rng(1));
    CHECK_FALSE(abilities(model).latents->has_posterior());
    const double before = mean_evidence(model, {info, rows, 0});
    TrainOptions options;
    options.batch = 50;
    options.samples_seen = 40 * 3 * n;
    options.lr = 0.01;
    Workers workers(1);
    const auto ranks = join_ranks();
    const TrainingResult result = TrainingLoop(task, options, {workers, *ranks}, {}).run();
    CHECK(result.epochs == 40);
    CHECK(result.samples == 40 * 3 * n);
    const double evidence = mean_evidence(model, {info, rows, 0});
    CHECK(evidence > before);
    // Independent dims cost 5.545 nats; the best of many rows is 3.294.
    if (n == 400) CHECK(evidence > -4);
    if (n == 400) CHECK(evidence < -3.2);
  }
}

TEST_CASE("mcem: a minibatch of one row, and of rows over several micro-batches") {
  const std::int64_t n = 9, dims = 3;
  const std::vector<std::uint8_t> bits = patterns(n, dims);
  const DatasetInfo info = vectors_of(dims, 2);
  const Rows rows = rows_of(bits, n);
  std::vector<std::vector<float>> chains;
  for (const std::int64_t accumulate : {1, 4}) {
    VaeModel model({.latent = 2, .hidden = {4}, .inference = Inference::none}, info);
    model.initialise(Rng(1));
    VaeTask task(model, mcem(), {.train = Examples{info, rows, 0}, .valid = {}}, Rng(1));
    const std::vector<float> before = state_of(task, "chains");
    TrainOptions options;
    options.batch = accumulate == 1 ? 4 : 1;
    options.accumulate = accumulate;
    options.epochs = 1;
    options.lr = 1e-30;
    Workers workers(2);
    const auto ranks = join_ranks();
    TrainingLoop(task, options, {workers, *ranks}, {.seed = 4}).run();
    chains.push_back(state_of(task, "chains"));
    int moved = 0;
    for (std::size_t i = 0; i < before.size(); ++i) moved += chains.back()[i] != before[i];
    CHECK(moved > std::ssize(before) / 2);
  }
  // Noise goes by the place in the step: how a step is cut does not show, but for rounding.
  for (std::size_t i = 0; i < chains[0].size(); ++i)
    CHECK(chains[1][i] == doctest::Approx(chains[0][i]).epsilon(1e-4));
}

TEST_CASE("mcem: options of its own and those of encoders are refused where they do nothing") {
  const auto unread = [](const ObjectiveOptions& settled, const std::string& given) {
    ObjectiveOptions said;
    Fields fields;
    said.describe(fields);
    fields.set(given, Origin::option);
    try {
      refuse_unread(fields, settled);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const ObjectiveOptions usual;  // the value does not matter, but that somebody has said it
  CHECK(unread(ObjectiveOptions{}, "m_steps=" + std::to_string(usual.m_steps)) ==
        "--m-steps: goes with --algorithm mcem");
  CHECK(unread(mcem(), "m_steps=2").empty());
  CHECK(unread(mcem(), "estimator=b") == "--estimator: goes with --objective elbo or beta");
  const Config centred{.inference = Inference::none, .center = true};
  CHECK_THROWS_AS(centred.validate(vectors_of(2, 2)), Error);
}

}  // namespace logpx::monte_carlo_em_test
