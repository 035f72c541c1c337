// Estimators of the same gradient: equal on average, with unequal noise.
#include "libcore/families/vae/baselines/gradients.hpp"

#include "libcore/det/draws.hpp"
#include "libcore/eval/gradient_study.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::gradients_test {

using namespace logpx::vae;

namespace {

constexpr std::int64_t dims = 6, count = 8;

struct Scene {
  DatasetInfo info = vectors_of(dims, 2);
  Rows rows = rows_of(patterns(count, dims), count);
  VaeModel model{config(), info};

  Scene() { model.initialise(Rng(3)); }
  static Config config() {
    Config config;
    config.latent = 2;
    config.hidden = {4};
    return config;
  }
  [[nodiscard]] Examples examples() const { return {info, rows, 0}; }
};

std::size_t elements_of(const ModelGradients& gradients) {
  std::int64_t elements = 0;
  for (const auto& part : gradients.parts()) elements += part.elements;
  return static_cast<std::size_t>(elements);
}

// The largest |mean difference| of two estimators on the same noise, in standard errors.
double largest_difference(const Scene& scene, const ModelGradients& gradients,
                          const std::string& one, const std::string& other) {
  constexpr std::uint32_t repeats = 3000;
  const std::size_t size = elements_of(gradients);
  std::vector<float> a(size), b(size);
  std::vector<double> sum(size), squares(size);
  for (std::uint32_t r = 0; r < repeats; ++r) {
    gradients.draw(scene.examples(), one, r, Rng(1), a);
    gradients.draw(scene.examples(), other, r, Rng(1), b);
    for (std::size_t e = 0; e < size; ++e) {
      const double off = static_cast<double>(a[e]) - static_cast<double>(b[e]);
      sum[e] += off;
      squares[e] += off * off;
    }
  }
  double largest = 0;
  for (std::size_t e = 0; e < size; ++e) {
    const double mean = sum[e] / repeats, variance = squares[e] / repeats - mean * mean;
    const double rounding = 1e-7;
    largest = std::max(largest, std::abs(mean) / (std::sqrt(variance / repeats) + rounding));
  }
  return largest;
}

// The encoder's part of the gradient of the mean bound, from one pass with this noise.
std::vector<float> gradient_of(const Scene& scene, const ObjectiveOptions& options,
                               float baseline) {
  Graph graph;
  build_objective(scene.model, options, graph, {count});
  const bool scored = options.objective == Objective::score_function;
  const bool pulled = options.objective == Objective::iwae_dreg;
  Executor<float> run(graph, {.from = scored ? "surrogate" : "loss", .parameters = true});
  std::vector<float> x(count * dims), noise(count * 2), gradient, pull(count, 1.0F);
  scene.model.reader().take(scene.examples(), evaluation_noise(scene.model.rules()), x);
  fill_normals(Rng(1).stream(Stream::test), 0, noise);
  gradient.resize(static_cast<std::size_t>(scene.model.param_set().block_size()));
  run.bind("x", x);
  run.bind("noise", noise);
  if (scored) run.bind("baseline", std::span(&baseline, 1));
  if (pulled) run.bind("pull", pull);
  run.bind_parameters(scene.model.param_set().block(), gradient);
  run.forward();
  run.backward();
  std::vector<float> kept;
  for (const ParamInfo& info : scene.model.param_set().infos())
    if (info.name.starts_with("encoder/"))
      for (std::int64_t e = 0; e < info.shape.elements(); ++e)
        kept.push_back(gradient[static_cast<std::size_t>(info.offset + e)]);
  return kept;
}

double total_variance(const EstimatorVariance& estimator) {
  double total = 0;
  for (const PartVariance& part : estimator.parts)
    total += part.variance * static_cast<double>(part.elements);
  return total;
}

}  // namespace

TEST_CASE("vae gradients: estimators of one bound agree on average and those of two do not") {
  const Scene scene;
  const auto gradients = make_gradients(scene.model, {});
  CHECK(gradients->parts().front().name.starts_with("encoder/"));
  for (const char* other : {"sgvb-a", "score-function", "score-function-baseline"}) {
    CAPTURE(other);
    CHECK(largest_difference(scene, *gradients, "sgvb-b", other) < 4);
  }
  CHECK(largest_difference(scene, *gradients, "iwae", "iwae-dreg") < 4);
  CHECK(largest_difference(scene, *gradients, "iwae", "sgvb-a") > 4);
}

TEST_CASE("vae gradients: with one weight iwae is sgvb-a and dreg its part along the path") {
  const Scene scene;
  const auto gradients = make_gradients(scene.model, {.k = 1});
  std::vector<float> a(elements_of(*gradients)), b(a.size());
  gradients->draw(scene.examples(), "sgvb-a", 5, Rng(1), a);
  gradients->draw(scene.examples(), "iwae", 5, Rng(1), b);
  for (std::size_t e = 0; e < a.size(); ++e) CHECK(a[e] == doctest::Approx(b[e]).epsilon(1e-4));
  CHECK(largest_difference(scene, *gradients, "sgvb-b", "iwae-dreg") < 4);

  // d log w = d log w along the path - d log q: two baselines of the score function tell d log q.
  ObjectiveOptions total, scored, pulled;
  total.estimator = Estimator::a;
  scored.objective = Objective::score_function;
  pulled.objective = Objective::iwae_dreg;
  pulled.k = 1;
  const auto all = gradient_of(scene, total, 0), path = gradient_of(scene, pulled, 0);
  const auto zero = gradient_of(scene, scored, 0), one = gradient_of(scene, scored, 1);
  for (std::size_t e = 0; e < all.size(); ++e) {
    const float score = zero[e] - one[e];  // of the loss: minus d log q
    CHECK(path[e] == doctest::Approx(all[e] + score).epsilon(1e-3).scale(1));
  }
}

TEST_CASE("vae gradients: on a trained model the closed divergence is the quieter one") {
  const std::int64_t n = 200;
  const DatasetInfo info = vectors_of(dims, 2);
  const Rows rows = rows_of(patterns(n, dims), n);
  Settings settings;
  settings.model = Scene::config();
  settings.training.batch = 50;
  settings.training.lr = 0.01;
  settings.training.epochs = 20;
  VaeModel model(settings.model, info);
  model.initialise(Rng(1));
  VaeTask task(model, settings.objective, {.train = Examples{info, rows, 0}, .valid = std::nullopt},
               Rng(1));
  Workers workers(2);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, settings.training, {workers, *ranks}, {.seed = 1});
  static_cast<void>(loop.run());
  const auto studied =
      study_gradients(*abilities(model).gradients, {info, rows, 0}, 400, Rng(1), workers);
  const auto variance = [&](const char* name) {
    return total_variance(*std::ranges::find(studied, name, &EstimatorVariance::estimator));
  };
  CHECK(variance("sgvb-b") < 0.9 * variance("sgvb-a"));
  CHECK(variance("score-function-baseline") < variance("score-function"));
  CHECK(variance("sgvb-a") < variance("score-function-baseline"));
}

}  // namespace logpx::gradients_test
