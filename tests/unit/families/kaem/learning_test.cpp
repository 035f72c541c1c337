// Fits to data whose prior is known: x is z with a little noise.   [kaem/README 5]
#include "libcore/base/index.hpp"
#include "libcore/data/real_vectors.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/eval/prior_facts.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/math/inverse_cdf.hpp"
#include "libcore/math/panel_cdf.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/support/sanitizers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

namespace logpx::learning_test {

using namespace logpx::kaem;

namespace {

constexpr double noise = 0.05;
// x = z + noise, z from `draw`.
HeldRows noisy_rows(const std::function<double(DrawCursor&)>& draw, std::int64_t rows = 4000) {
  DrawCursor draws(Rng(2).stream(Stream::test));
  std::vector<float> x;
  for (std::int64_t i = 0; i < rows; ++i)
    x.push_back(static_cast<float>(draw(draws) + noise * draws.normal()));
  HeldRows held{.info = real_vectors(1), .rows = {}};
  held.info.n = held.rows.count = rows;
  held.rows.x.resize(x.size() * sizeof(float));
  std::memcpy(held.rows.x.data(), x.data(), held.rows.x.size());
  return held;
}

Settings settings_of_one_latent() {
  Settings settings;
  settings.model.latent = {1, 1};
  settings.model.coupling = CouplingChoice::independent;
  settings.model.generator.kind = GeneratorKind::mlp;
  settings.model.hidden = "auto:0";
  settings.model.mean_activation = Squash::none;
  settings.model.obs_std = "0.05";
  settings.fit.freeze = {"generator"};
  settings.fit.train_noise = 0;
  settings.fit.samples = 200;
  settings.fit.resampler = Resampler::none;
  settings.fit.no_grid_update = true;
  settings.training.batch = 100;
  settings.training.steps = 2000;
  settings.training.lr = 5e-3;
  return settings;
}

std::unique_ptr<Model> fitted(const Settings& settings, const HeldRows& data,
                              const std::function<void(ParamSet&)>& start) {
  Trainee trainee = make_trainee(settings, {.train = data.examples()}, Rng(1));
  ParamSet& params = trainee.task->params();
  params.view(params.find("generator/dense0/w"))[0] = 1;
  params.view(params.find("generator/dense0/b"))[0] = 0;
  start(params);
  Workers workers(2);
  const auto ranks = join_ranks();
  TrainingLoop(*trainee.task, trainee.options, {workers, *ranks}, {.seed = 1}).run();
  trainee.model->params([](const TensorRef&, TensorRole) {});  // forgets tables of earlier numbers
  return std::move(trainee.model);
}

}  // namespace

TEST_CASE("kaem learning: the density of a known prior with three modes is found within KL 0.02" *
          testing::of_numbers) {
  const auto energy = [](double z) { return 1.5 * std::cos(6 * z); };
  PriorComponent known{
      .breaks = {-1.5, 1.5},
      .energy = [&](std::span<const double> z,
                    std::span<double> f) { std::ranges::transform(z, f.begin(), energy); },
      .base = {.kind = BaseDensity::Kind::gaussian}};
  const InverseCdf inverse(density_of(known), {});
  const HeldRows data =
      noisy_rows([&](DrawCursor& draws) { return inverse.quantile(draws.uniform53()); });
  const std::unique_ptr<Model> model = fitted(settings_of_one_latent(), data, [](ParamSet&) {});
  const auto flat = [](std::span<const double>, std::span<double> f) { std::ranges::fill(f, 0.0); };
  const PanelCdf truth(density_of(known));
  const auto divergence_from = [&](const PriorComponent& other) {
    const PanelCdf density(density_of(other));
    return truth.expectation([&](std::span<const double> z, std::span<double> values) {
      for (std::size_t i = 0; i < z.size(); ++i)
        values[i] = truth.log_density(z[i]) - density.log_density(z[i]);
    });
  };
  const double start =
                   divergence_from({.breaks = known.breaks, .energy = flat, .base = known.base}),
               end = divergence_from(abilities(*model).prior->component(0, 0));
  CHECK(start > 0.3);
  CHECK(end >= 0);
  CHECK(end < 0.02);
}

TEST_CASE("kaem 14.11: a trained prior whose energy is a quadratic is told as x^2" *
          testing::of_numbers) {
  const auto draw = [](DrawCursor& draws) {
    double z = 2;
    while (std::abs(z) > 1.5) z = 0.1 + 0.6 * draws.normal();
    return z;
  };
  const HeldRows data = noisy_rows(draw, 100'000);
  Settings settings = settings_of_one_latent();
  settings.model.curves = {.basis = CurveBasis::bspline, .intervals = 4, .degree = 3};
  settings.model.activation = Activation::none;
  settings.model.base = BaseMeasure::none;
  settings.model.domain = {-1.5, 1.5};
  settings.training.batch = 400;
  settings.training.lr = 0.02;
  settings.training.lr_schedule = Curve::cosine;
  const std::unique_ptr<Model> model = fitted(settings, data, [](ParamSet&) {});
  const ComponentFacts facts = examine(abilities(*model).prior->component(0, 0), {});
  const SymbolicFit& best = facts.symbolic.best();
  CHECK(symbolic_functions()[at(best.formula.function)].name == std::string("x^2"));
  CHECK(best.r2 > 0.999);
  CHECK(facts.kl_to_symbolic < 0.02);
}

TEST_CASE("kaem learning: weights of a mixture are found within 0.05" * testing::of_numbers) {
  const HeldRows data = noisy_rows([](DrawCursor& draws) {
    const double middle = draws.uniform() < 0.7 ? -0.6 : 0.6;
    return middle + 0.15 * draws.normal();
  });
  Settings settings = settings_of_one_latent();
  settings.model.prior = PriorKind::mixture;
  settings.model.latent = {2, 1};
  settings.model.alpha = MixtureWeights::learned;
  settings.model.base = BaseMeasure::learnable_gaussian;
  settings.model.domain = {-1.5, 1.5};
  const std::unique_ptr<Model> model = fitted(settings, data, [](ParamSet& params) {
    const View<float> mean = params.view(params.find("prior/base_mean"));
    const View<float> log_sd = params.view(params.find("prior/base_log_sd"));
    mean[0] = -0.4F;
    mean[1] = 0.4F;
    log_sd[0] = log_sd[1] = -1;
  });
  CHECK(abilities(*model).prior->component(0, 0).weight ==
        doctest::Approx(0.7).epsilon(0.05 / 0.7));
  CHECK(abilities(*model).prior->component(0, 1).weight ==
        doctest::Approx(0.3).epsilon(0.05 / 0.3));
}

namespace {

// Sums of latents by the prior, [rows, Q].
std::vector<float> prior_sums(const KaemModel& model, std::int64_t rows) {
  const PriorForm& form = model.prior_form();
  const PriorValues values = model.prior_values(model.param_set().block());
  PriorDraws draws;
  DrawSpace space;
  resize_draws(form, rows, draws);
  prior_uniforms(form, Rng(7).stream(Stream::evaluation), 0, draws.u);
  for (std::int64_t feature = 0; feature < form.features(); ++feature) {
    EnergyTables tables(values.energies, feature, Inversion::hermite);
    draw_feature(values, tables, draws, space);
  }
  std::vector<float> s(at(rows * form.n_q));
  latent_sums(form, draws, s);
  return s;
}

// Means and variances of what the first layer makes of these, [2,C].
std::vector<float> own_statistics(const KaemModel& model, const std::vector<float>& s) {
  Graph graph;
  const std::int64_t latents = model.prior_form().n_q;
  static_cast<void>(model.heads(graph.input("s", {std::ssize(s) / latents, latents}),
                                {.statistics = Decoding::Statistics::own}));
  Executor<float> run(graph, {});
  GraphInputs inputs(graph, "");
  inputs.bind_to(run);
  std::ranges::copy(s, inputs.values("s").begin());
  run.bind_parameters(model.param_set().block());
  run.forward();
  const std::span<const float> own = run.output("statistics0").span();
  return {own.begin(), own.end()};
}

}  // namespace

TEST_CASE("kaem learning: batch norm goes by the statistics that training saw") {
  const HeldRows data = synthetic_rows({.name = "digits", .n = 100, .options = {.size = 8}});
  Settings settings;
  settings.model.latent = {2, 4};
  settings.model.coupling = CouplingChoice::independent;
  settings.model.generator.kind = GeneratorKind::cnn;
  settings.model.generator.batch_norm = true;
  settings.fit.samples = 100;
  settings.fit.no_grid_update = true;
  settings.training.batch = 50;
  settings.training.steps = 60;
  settings.training.lr = 1e-9;  // the same generator all the time
  const Trainee trainee = make_trainee(settings, {.train = data.examples()}, Rng(1));
  Workers workers(2);
  const auto ranks = join_ranks();
  TrainingLoop(*trainee.task, trainee.options, {workers, *ranks}, {.seed = 1}).run();
  auto& model = dynamic_cast<KaemModel&>(*trainee.model);
  const std::vector<float> own = own_statistics(model, prior_sums(model, 4000));
  const std::span<const float> kept = model.generator().statistics(0).span();
  const std::size_t channels = own.size() / 2;
  for (std::size_t c = 0; c < channels; ++c) {
    CAPTURE(c);
    const double deviation = std::sqrt(own[channels + c]);
    CHECK(std::abs(kept[c] - own[c]) < 0.2 * deviation);
    CHECK(std::sqrt(kept[channels + c]) == doctest::Approx(deviation).epsilon(0.2));
  }
}

}  // namespace logpx::learning_test
