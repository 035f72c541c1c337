// What curves are charged while they are fitted, and its slopes.   [kaem/README 9.1]
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/penalties/curve_penalties.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::penalties_test {

using namespace logpx::kaem;

namespace {

double slope_of(const std::function<double(double)>& f) { return (f(1e-5) - f(-1e-5)) / 2e-5; }

Config config_with(PriorKind prior, CurveBasis basis) {
  Config config;
  config.prior = prior;
  config.latent = {2, 3};
  config.coupling = CouplingChoice::independent;
  config.curves = {.basis = basis, .intervals = 4, .degree = 3};
  config.hidden = "4";
  return config;
}

// A model with random parameters, and samples of its prior with weights.
struct ChargedModel {
  explicit ChargedModel(const Config& config)
      : rows(synthetic_rows({.name = "bars", .n = 4})), model(config, rows.info) {
    model.initialise(Rng(3));
    DrawCursor noise(Rng(8).stream(Stream::test));
    for (int i = 0; i < model.param_set().count(); ++i)
      if (!model.param_set().infos()[at(i)].name.ends_with("rho"))
        for (float& value : model.param_set().view(i).span())
          value += static_cast<float>(0.4 * noise.normal());
    model.renew();
    resize_draws(model.prior_form(), samples, draws);
    prior_uniforms(model.prior_form(), Rng(5).stream(Stream::test), 0, draws.u);
    DrawSpace space;
    for (std::int64_t f = 0; f < model.prior_form().features(); ++f)
      draw_feature(model.components(), f, draws, space);
    s.resize(at(samples * model.prior_form().n_q));
    latent_sums(model.prior_form(), draws, s);
    double sum = 0;
    for (std::int64_t i = 0; i < samples; ++i) weights.push_back(noise.uniform(0.1, 1));
    for (const double weight : weights) sum += weight;
    for (double& weight : weights) weight /= sum;
  }

  // The charge with these parameters, and its gradient.
  double charge(CurvePenalties& penalties, std::vector<float>& gradient) {
    values = model.prior_values(model.param_set().block());
    double charged = 0;
    const auto phases = penalties.phases();
    gradient.assign(at(model.param_set().block_size()), 0);
    for (const auto& phase : phases) {
      const PhaseSettings& settings = phase->settings();
      std::vector<double> sums(settings.terms.size() + at(settings.extra_sums));
      const auto written = model.param_set().ranges(model.param_set().under(settings.writes));
      phase->begin({});
      phase->run({.place = {}, .count = settings.items, .step_count = settings.items, .rows = {}},
                 model.param_set().block(),
                 {settings.gradient ? std::span(gradient) : std::span<float>(), sums, written});
      phase->finish({}, {{}, sums});
      if (!settings.terms.empty()) charged = sums[0];
    }
    return charged;
  }

  static constexpr std::int64_t samples = 7;
  HeldRows rows;
  KaemModel model;
  PriorValues values{model.prior_form()};
  PriorDraws draws;
  std::vector<float> s;
  std::vector<double> weights;
};

CurvePenalties penalties_of(ChargedModel& charged, const PenaltyOptions& options,
                            std::vector<std::string> trained) {
  return CurvePenalties(
      {.model = charged.model,
       .options = options,
       .trained = std::move(trained),
       .samples = [&charged] {
         return PenaltySamples{charged.values, charged.draws.z, charged.s, charged.weights};
       }});
}

// Moves one tensor along the signs of its gradient, and checks how the charge changes.
void check_slope(ChargedModel& charged, CurvePenalties& penalties, int tensor) {
  CAPTURE(charged.model.param_set().infos()[at(tensor)].name);
  std::vector<float> gradient, ignored;
  charged.charge(penalties, gradient);
  const std::span<float> own = charged.model.param_set().view(tensor).span();
  const auto slopes = charged.model.param_set().view(tensor, std::span(gradient)).span();
  const std::vector<float> before(own.begin(), own.end()), ways(slopes.begin(), slopes.end());
  double expected = 0;
  for (const float way : ways) expected += std::fabs(static_cast<double>(way));
  CHECK(expected > 0);
  // A width moves all curves at once, and with them many places where one of them is 0.
  const bool width = charged.model.param_set().infos()[at(tensor)].name.ends_with("rho");
  const double h = width ? 1e-4 : 1e-3;
  const auto moved_by = [&](double far) {
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] = before[i] + static_cast<float>(far) * (ways[i] > 0 ? 1.0F : ways[i] < 0 ? -1.0F : 0);
    const double value = charged.charge(penalties, ignored);
    std::ranges::copy(before, own.begin());
    return value;
  };
  const double slope = (moved_by(h) - moved_by(-h)) / (2 * h);
  CHECK(slope == doctest::Approx(expected).epsilon(0.02));
}

}  // namespace

TEST_CASE("kaem penalties: slopes of edges are those of their sum and entropy") {
  const std::vector<double> scores = {0.3, 1.2, 0.05, 2.1, 0.7};
  const PenaltyWeights weights{.l1 = 0.8, .entropy = 1.7};
  std::vector<double> slopes(scores.size());
  edge_slopes(scores, weights, slopes);
  for (std::size_t e = 0; e < scores.size(); ++e) {
    const double slope = slope_of([&](double step) {
      std::vector<double> moved = scores;
      moved[e] += step;
      const EdgeSize size = edge_size(moved);
      return weights.l1 * size.l1 + weights.entropy * size.entropy;
    });
    CHECK(slope == doctest::Approx(slopes[e]).epsilon(1e-6));
  }
  // An edge that is 0 adds no slope, and neither does a layer that is 0.
  const std::vector<double> with_zero = {0, 1}, zeros = {0, 0};
  slopes.assign(2, 9);
  edge_slopes(with_zero, weights, slopes);
  CHECK(slopes[0] == 0);
  CHECK(slopes[1] == doctest::Approx(0.8));
  CHECK(edge_size(zeros).entropy == 0);
}

TEST_CASE("kaem penalties: coefficients are charged for their size and for steps to neighbours") {
  const std::vector<double> coef = {0.4, -0.2, 1.1, 0.3, 0.9, -0.6};
  const CurveForm rbf{.basis = CurveBasis::rbf, .intervals = 5},
      fourier{.basis = CurveBasis::fourier, .intervals = 2};
  CHECK(coef_sums(rbf, coef).size == doctest::Approx(3.5));
  CHECK(coef_sums(rbf, coef).steps == doctest::Approx(0.6 + 1.3 + 0.8 + 0.6 + 1.5));
  CHECK(coef_sums(fourier, coef).steps == doctest::Approx(0.6 + 1.3 + 0.6 + 1.5));
  CHECK(neighbours(rbf) == 5);
  CHECK(neighbours(fourier) == 4);
  for (const CurveForm& form : {rbf, fourier}) {
    std::vector<double> slopes(coef.size());
    add_coef_slopes(form, coef, {0.7, 0.3}, slopes);
    for (std::size_t k = 0; k < coef.size(); ++k) {
      const double slope = slope_of([&](double step) {
        std::vector<double> moved = coef;
        moved[k] += step;
        const CoefSums sums = coef_sums(form, moved);
        return 0.7 * sums.size + 0.3 * sums.steps;
      });
      CHECK(slope == doctest::Approx(slopes[k]).epsilon(1e-6));
    }
  }
}

TEST_CASE("kaem penalties: the gradient of every tensor is the slope of the charge") {
  for (const CurveBasis basis : {CurveBasis::rbf, CurveBasis::bspline, CurveBasis::fourier})
    for (const PriorKind prior : {PriorKind::univariate, PriorKind::mixture}) {
      ChargedModel charged(config_with(prior, basis));
      PenaltyOptions options;
      options.lambda = 0.3;
      // Moving curves changes the inputs of deeper layers, which gradients count as fixed: so each
      // layer is compared with its own charge alone.
      CurvePenalties of_prior = penalties_of(charged, options, {"prior"});
      for (const int tensor : charged.model.param_set().under({"prior"}))
        check_slope(charged, of_prior, tensor);
      CurvePenalties of_generator = penalties_of(charged, options, {"generator"});
      for (const int tensor : charged.model.param_set().under({"generator/layer1"}))
        check_slope(charged, of_generator, tensor);
    }
}

TEST_CASE(
    "kaem penalties: nothing is charged unless it is asked for, trained, and made of curves") {
  ChargedModel charged(config_with(PriorKind::univariate, CurveBasis::rbf));
  PenaltyOptions options;
  CHECK(penalties_of(charged, options, {"prior", "generator"}).phases().empty());
  options.lambda = 1;
  options.targets = PenaltyTargets::prior;
  CHECK(penalties_of(charged, options, {"generator"}).phases().empty());
  CHECK(penalties_of(charged, options, {"prior", "generator"}).phases().size() == 2);
  Config pixels = config_with(PriorKind::univariate, CurveBasis::rbf);
  pixels.generator.kind = GeneratorKind::mlp;
  ChargedModel dense(pixels);
  options.targets = PenaltyTargets::generator;
  CHECK(penalties_of(dense, options, {"prior", "generator"}).phases().empty());
  CHECK_THROWS_AS(options.validate(pixels), Error);
}

TEST_CASE("kaem penalties: a charged fit ends with smaller edges, the same for any threads") {
  const HeldRows rows = synthetic_rows({.name = "bars", .n = 200});
  const auto edges_after = [&](double lambda, int threads) {
    Settings settings = Settings::presets().make("tiny");
    settings.fit.penalties.lambda = lambda;
    settings.training.steps = 60;
    Trainee trainee = make_trainee(settings, {.train = rows.examples()}, Rng(1));
    Workers workers(threads);
    const auto ranks = join_ranks();
    TrainingLoop(*trainee.task, trainee.options, {workers, *ranks}, {.seed = 1}).run();
    double sum = 0;
    const std::vector<double> z = abilities(*trainee.model).prior->draw(0, 200, Rng(1));
    for (const LayerEdges& layer : abilities(*trainee.model).prior->edge_scores(z))
      for (const double score : layer.scores) sum += score;
    return sum;
  };
  const double charged = edges_after(0.3, 1);
  CHECK(charged < 0.8 * edges_after(0, 1));
  CHECK(charged == edges_after(0.3, 3));
}

}  // namespace logpx::penalties_test
