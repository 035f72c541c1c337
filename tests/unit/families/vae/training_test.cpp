// VAEs that are trained here: bounds, estimators, probabilistic PCA.
#include "libcore/families/registry.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/math/special.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx::training_test {

using namespace logpx::vae;

namespace {

TrainingResult train(VaeModel& model, const Settings& settings, const TaskData& data) {
  model.initialise(Rng(1));
  VaeTask task(model, settings.objective, data, Rng(1));
  Workers workers(1);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, settings.training, {workers, *ranks}, {.seed = 1});
  return loop.run();
}

double metric(const TrainingResult& result, const std::string& name) {
  for (const auto& [key, value] : result.metrics)
    if (key == name) return value;
  return std::nan("");
}

Settings small_settings() {
  Settings settings;
  settings.model.latent = 2;
  settings.model.hidden = {8};
  settings.training.batch = 50;
  settings.training.lr = 0.01;
  settings.training.epochs = 20;
  return settings;
}

// Parameters of a linear decoder with one variance for all dimensions.
struct LinearDecoder {
  std::int64_t latent, dims;
  std::vector<double> w, b;  // [latent, dims], [dims]
  double log_s2;

  explicit LinearDecoder(VaeModel& model) : latent(model.latent()), dims(model.dims()) {
    const auto tensor = [&](const char* name) {
      const auto view = model.param_set().view(model.param_set().find(name));
      return std::vector<double>(view.span().begin(), view.span().end());
    };
    w = tensor("decoder/mean/w");
    b = tensor("decoder/mean/b");
    log_s2 = tensor("decoder/log_var")[0];
  }
  [[nodiscard]] double weight(std::int64_t j, std::int64_t d) const {
    return w[static_cast<std::size_t>(j * dims + d)];
  }

  // The bound of one x under q = N(mean, diag e^log_var), in closed form.
  [[nodiscard]] double elbo(const double* x, const float* mean, const float* log_var) const {
    double error = 0, kl = 0;
    for (std::int64_t d = 0; d < dims; ++d) {
      double r = x[d] - b[static_cast<std::size_t>(d)];
      for (std::int64_t j = 0; j < latent; ++j) {
        r -= weight(j, d) * static_cast<double>(mean[j]);
        error += weight(j, d) * weight(j, d) * std::exp(static_cast<double>(log_var[j]));
      }
      error += r * r;
    }
    for (std::int64_t j = 0; j < latent; ++j) {
      const auto m = static_cast<double>(mean[j]), s = static_cast<double>(log_var[j]);
      kl += 0.5 * (m * m + std::exp(s) - s - 1);
    }
    const double log_scale = static_cast<double>(dims) * (std::log(2 * std::numbers::pi) + log_s2);
    return -0.5 * (log_scale + error / std::exp(log_s2)) - kl;
  }

  // |W W' + s2 I - C| / |C|
  [[nodiscard]] double distance_to(const std::vector<double>& c) const {
    double apart = 0, whole = 0;
    for (std::int64_t d = 0; d < dims; ++d)
      for (std::int64_t e = 0; e < dims; ++e) {
        double covariance = d == e ? std::exp(log_s2) : 0;
        for (std::int64_t j = 0; j < latent; ++j) covariance += weight(j, d) * weight(j, e);
        const double expected = c[static_cast<std::size_t>(d * dims + e)];
        apart += (covariance - expected) * (covariance - expected);
        whole += expected * expected;
      }
    return std::sqrt(apart / whole);
  }
};

}  // namespace

TEST_CASE("vae: training raises the bound, whatever the objective") {
  const std::int64_t n = 400, dims = 8;
  const std::vector<std::uint8_t> x = patterns(n, dims);
  const DatasetInfo info = vectors_of(dims, 2);
  const Rows rows = rows_of(x, n);
  const TaskData data{.train = Examples{info, rows, 0}, .valid = std::nullopt};
  // Independent dims cost 8 ln 2 = 5.545 nats; the best is ln 2 + 8 H(0.1) = 3.294.
  std::vector<ObjectiveOptions> all(7);
  all[1].estimator = Estimator::a;
  all[2].objective = Objective::beta;
  all[2].beta = 0.8;
  all[3].objective = Objective::iwae;
  all[4].objective = Objective::iwae_dreg;
  all[5].objective = Objective::score_function;
  all[6].samples = 3;
  for (const ObjectiveOptions& objective : all) {
    CAPTURE(static_cast<int>(objective.objective));
    Settings settings = small_settings();
    settings.objective = objective;
    VaeModel model(settings.model, info);
    const TrainingResult result = train(model, settings, data);
    const double elbo = metric(result, "elbo_train");
    CHECK(elbo > -4.6);
    CHECK(elbo < -3.2);
  }
}

TEST_CASE("vae: constant data train to a bound near 0 without a NaN") {
  for (const std::int64_t dims : {1, 6}) {
    for (const std::int64_t n : {1, 30}) {
      const std::vector<std::uint8_t> x(static_cast<std::size_t>(n * dims), 0);
      const DatasetInfo info = vectors_of(dims, 2);
      const Rows rows = rows_of(x, n);
      Settings settings = small_settings();
      settings.model.latent = 1;
      settings.training.batch = 1;
      settings.training.steps = 600;
      settings.training.lr = 0.05;
      VaeModel model(settings.model, info);
      const auto result =
          train(model, settings, {.train = Examples{info, rows, 0}, .valid = std::nullopt});
      CHECK(metric(result, "elbo_train") > -0.1);
      CHECK(metric(result, "elbo_train") <= 0);
    }
  }
}

TEST_CASE("golden/vae/ppca_ml" * testing::of_numbers) {
  const Json* entry = golden::field("vae", "ppca_ml");
  if (!entry) return;
  const golden_layer::Values points = golden_layer::tensor(entry->at("x"));
  const std::int64_t n = points.shape[0], dims = points.shape[1];
  const DatasetInfo info = vectors_of(dims, 0);
  const std::vector<float> x(points.data.begin(), points.data.end());
  Rows rows;
  rows.count = n;
  const auto bytes = std::as_bytes(std::span(x));
  rows.x.assign(bytes.begin(), bytes.end());
  Settings settings;
  Settings::presets().apply("ppca", settings);
  settings.model.latent = entry->at("q").integer();
  settings.training.batch = n;
  settings.training.eval_every = {0};
  VaeModel model(settings.model, info);
  train(model, settings, {.train = Examples{info, rows, 0}, .valid = std::nullopt});

  const LinearDecoder decoder(model);
  const Posterior q = abilities(model).latents->encode({info, rows, 0});
  double elbo = 0;
  for (std::int64_t i = 0; i < n; ++i)
    elbo += decoder.elbo(points.data.data() + i * dims, q.mean.data() + i * q.dims,
                         q.log_var.data() + i * q.dims);
  elbo /= static_cast<double>(n);
  CHECK(std::abs(elbo - golden::real(entry->at("mean_log_likelihood"))) < 1e-3);

  CHECK(decoder.distance_to(golden_layer::tensor(entry->at("C")).data) < 0.01);
}

TEST_CASE("vae: the gradient passes the limits of a latent's log-variance") {
  const DatasetInfo info = vectors_of(6, 2);
  VaeModel model({.latent = 1, .hidden = {4}}, info);
  model.initialise(Rng(1));
  const int bias = model.param_set().find("encoder/log_var/b");
  model.param_set().view(bias)[0] = -25;
  Graph graph;
  const EncodedGaussian q = model.encode(model.target(graph, 1, 1).x);
  graph.output("kl", analytic_kl(q));
  Executor<float> run(graph, {.from = "kl", .parameters = true});
  const std::vector<float> x(6, 1);
  run.bind("x", x);
  std::vector<float> gradient(model.param_set().block().size());
  run.bind_parameters(model.param_set().block(), gradient);
  run.forward();
  run.backward();
  // KL = (mean^2 + e^log_var - log_var - 1) / 2 pulls the latent back with its whole slope, 1/2.
  CHECK(static_cast<double>(run.output("kl")[0]) > 6);
  CHECK(model.param_set().view(bias, std::span<float>(gradient))[0] == doctest::Approx(-0.5));
}

TEST_CASE("vae: a latent that ends at a limit of its log-variance is a concern") {
  const std::vector<std::uint8_t> bits = patterns(40, 6);
  const Rows rows = rows_of(bits, 40);
  const DatasetInfo info = vectors_of(6, 2);
  VaeModel model({.latent = 3, .hidden = {4}}, info);
  model.initialise(Rng(1));
  VaeTask task(model, {}, {.train = Examples{info, rows, 0}, .valid = {}}, Rng(1));
  Workers workers(1);
  const auto ranks = join_ranks();
  const auto concerns = [&] { return task.concerns(model.param_set().block(), workers, *ranks); };
  CHECK(concerns().empty());
  const auto bias = model.param_set().view(model.param_set().find("encoder/log_var/b"));
  bias[1] = -20;
  bias[2] = 30;
  REQUIRE(concerns().size() == 2);
  CHECK(concerns()[0].find("latent 1 ended at -14, its least value") != std::string::npos);
  CHECK(concerns()[1].find("latent 2 ended at 10, its largest value") != std::string::npos);
}

}  // namespace logpx::training_test
