#include "libcore/families/vae/pseudo_inputs.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/support/gradcheck.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

namespace logpx::pseudo_inputs_test {

using namespace logpx::vae;

namespace {

constexpr std::int64_t components = 3, latent = 2;

const std::vector<gradcheck::Case> cases = {
    {"log_mixture",
     {{{2, 4, latent}}, {{components}}, {{components, latent}}, {{components, latent}, 0.3, 2}},
     [](const auto& in) { return log_mixture(in[0], in[1], in[2], in[3]); }}};

std::vector<float> numbers(std::int64_t count, double scale, double shift) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < count; ++i)
    all.push_back(static_cast<float>(scale * std::sin(2.3 * static_cast<double>(i)) + shift));
  return all;
}

HeldRows two_patterns(std::int64_t count, std::int64_t dims) {
  return {.info = vectors_of(dims, 2), .rows = rows_of(patterns(count, dims), count), .first = 0};
}

Settings small_settings(const std::string& prior) {
  Settings settings;
  settings.model.latent = latent;
  settings.model.hidden = {8};
  settings.model.likelihood = "bernoulli";
  settings.model.prior = prior;
  settings.objective.estimator = Estimator::a;
  settings.training.batch = 50;
  settings.training.lr = 0.01;
  settings.training.epochs = 30;
  return settings;
}

double trained_bound(const Trainee& trainee) {
  Workers workers(1);
  const auto ranks = join_ranks();
  TrainingLoop loop(*trainee.task, trainee.options, {workers, *ranks}, {.seed = 1});
  const TrainingResult result = loop.run();
  trainee.task->finished(loop.weights(), workers);
  REQUIRE(result.metrics.front().first == "elbo_train");
  return result.metrics.front().second;
}

std::string refusal(const Settings& settings, const HeldRows& data) {
  try {
    static_cast<void>(make_trainee(settings, {.train = data.examples()}, Rng(1)));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.subject() + ' ' + error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("vae: a mixture as nodes has the slopes of its differences") {
  for (const gradcheck::Case& item : cases) gradcheck::run(item);
}

TEST_CASE("vae: a mixture as nodes is the density of the mixture that models keep") {
  const std::vector<float> weights = {0.2F, 0.7F, 0.1F}, means = numbers(6, 2, 0.3),
                           deviations = numbers(6, 0.4, 0.9), z = numbers(10, 3, 0);
  const MixtureForm form{
      .components = components, .dims = latent, .covariance = Covariance::diagonal};
  const GaussianMixture mixture(form, {weights, means, deviations});
  std::vector<double> nats(5);
  mixture.log_density(std::vector<double>(z.begin(), z.end()), nats);
  const auto doubles = [](std::span<const float> values) {
    return std::vector<double>(values.begin(), values.end());
  };
  Graph graph(Precision::f64);
  graph.output("nats",
               log_mixture(graph.input("z", {5, latent}), log(graph.input("weights", {components})),
                           graph.input("means", {components, latent}),
                           graph.input("deviations", {components, latent})));
  Executor<double> run(graph, {});
  const std::vector<double> given[] = {doubles(z), doubles(weights), doubles(means),
                                       doubles(deviations)};
  run.bind("z", given[0]);
  run.bind("weights", given[1]);
  run.bind("means", given[2]);
  run.bind("deviations", given[3]);
  run.forward();
  for (std::int64_t i = 0; i < 5; ++i)
    CHECK(run.output("nats")[i] == doctest::Approx(nats[at(i)]).epsilon(1e-7));
}

TEST_CASE("vae: a prior of pseudo-inputs is kept as the mixture of their codes, without them") {
  const HeldRows data = two_patterns(200, 6);
  const Trainee trainee =
      make_trainee(small_settings("vamp:4"), {.train = data.examples()}, Rng(1));
  auto& model = dynamic_cast<VaeModel&>(*trainee.model);
  const double bound = trained_bound(trainee);
  CHECK(model.config().prior == "mixture:4,diag");
  std::set<std::string> names;
  model.params([&](const TensorRef& tensor, TensorRole) { names.insert(tensor.name); });
  CHECK(names.contains("prior/means"));
  CHECK(!names.contains("pseudo/inputs"));
  // They are bits between 0 and 1, and their codes by the encoder are the components.
  const ParamSet& params = model.param_set();
  const auto u = params.view(params.find("pseudo/inputs")).span();
  Graph graph;
  const EncodedGaussian q = model.encode(sigmoid(graph.input("u", {4, 6})));
  graph.output("mean", q.mean);
  graph.output("log_var", q.log_var);
  Executor<float> run(graph, {});
  run.bind("u", u);
  run.bind_parameters(params.block());
  run.forward();
  const auto prior = model.prior_params()->numbers(params.block());
  for (std::int64_t e = 0; e < 4 * latent; ++e) {
    CHECK(prior.means[at(e)] == doctest::Approx(run.output("mean")[e]));
    CHECK(prior.factors[at(e)] == doctest::Approx(std::exp(run.output("log_var")[e] / 2)));
  }
  // The bound that training ended with is that of the model as it is kept.
  CHECK(trainee.task->evaluate(params.block(), *std::make_unique<Workers>(1), *join_ranks())
            .front()
            .second == doctest::Approx(bound));
}

TEST_CASE("vae: rows of two patterns are more probable under the codes of inputs than N(0, I)") {
  const HeldRows data = two_patterns(400, 10);
  const auto bound_by = [&](const char* prior) {
    return trained_bound(make_trainee(small_settings(prior), {.train = data.examples()}, Rng(1)));
  };
  CHECK(bound_by("vamp:2") > bound_by("normal") + 0.05);
}

TEST_CASE("vae: what pseudo-inputs cannot be learned by is refused") {
  const HeldRows data = two_patterns(20, 4);
  const auto with = [](const auto& change) {
    Settings settings = small_settings("vamp:3");
    change(settings);
    return settings;
  };
  CHECK(refusal(small_settings("vamp:20"), data).empty());
  CHECK(refusal(small_settings("vamp:21"), data) ==
        "--prior asks for 21 inputs, and there are 20 rows to begin with");
  for (const char* const prior : {"vamp:", "vamp:0", "vamp:4097", "mixture:3"})
    CHECK(refusal(small_settings(prior), data) ==
          std::string("--prior is ") + prior +
              ", expected normal, or vamp:K with K from 1 to 4096; --fit-prior fits mixtures to a "
              "trained model");
  CHECK(refusal(with([](Settings& s) { s.objective.estimator = Estimator::b; }), data) ==
        "--estimator b knows the KL from N(0, I) alone");
  CHECK(refusal(with([](Settings& s) { s.objective.objective = Objective::score_function; }),
                data) == "--objective score-function does not learn --prior vamp:K");
  CHECK(refusal(with([](Settings& s) { s.objective.algorithm = Algorithm::wake_sleep; }), data) ==
        "--algorithm is not aevb, by which --prior vamp:K is learned");
  CHECK(refusal(with([](Settings& s) {
                  s.objective.objective = Objective::iwae_dreg;
                  s.objective.estimator = Estimator::b;
                }),
                data)
            .empty());
}

}  // namespace logpx::pseudo_inputs_test
