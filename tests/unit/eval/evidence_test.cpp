// Evidence methods on a linear-Gaussian model, whose log p(x) is known in closed form.
#include "libcore/eval/evidence.hpp"

#include "libcore/base/error.hpp"
#include "libcore/eval/gap.hpp"
#include "libcore/eval/log_weights.hpp"
#include "libcore/eval/reciprocal.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/vae/model.hpp"
#include "tests/support/latent_models.hpp"
#include "tests/support/plans.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::evidence_test {

using testing::LinearGaussian;

namespace {

// Columns that are not orthogonal: the best diagonal posterior leaves a gap.
LinearGaussian tilted(std::int64_t dims = 2) {
  LinearGaussian::Weights weights{{}, {0.5, -1, 0, 2}, 0.4};
  for (std::int64_t d = 0; d < 4; ++d)
    for (std::int64_t a = 0; a < dims; ++a)
      weights.w.push_back(std::cos(static_cast<double>(3 * d + 2 * a)));
  return {weights, dims};
}

struct Scene {
  LinearGaussian model = tilted();
  Rows rows;
  Examples examples{model.info().data, rows};
  LatentBlock block{model, examples, Rng(11)};
  std::vector<double> truth;

  explicit Scene(std::int64_t count = 6) {
    rows = draw_joint(model, 0, count, Rng(3)).rows;
    truth = testing::score_with(abilities(model), examples, Rng(1)).nats;
  }
};

double mean(const std::vector<double>& values) { return mean_of(values, Bound::estimate).value; }

// Averaged over examples, because each has only two halves.
double error_of(const Scores& scores) {
  double squares = 0;
  for (const double error : scores.mc_std_error)
    squares += error * error / static_cast<double>(scores.mc_std_error.size());
  return std::sqrt(squares);
}

// Sums over a grid so fine that kinks do not matter, wide enough for a standard normal prior.
std::vector<double> brute_force(const LatentBlock& block, std::int64_t points, double width) {
  const std::int64_t dims = block.latents.dims(), copies = 100, rows = block.rows();
  const auto whole = static_cast<std::int64_t>(std::pow(points, dims));
  const double step = 2 * width / static_cast<double>(points);
  const auto joint = block.latents.joint(block.examples, copies);
  std::vector<float> z(static_cast<std::size_t>(copies * rows * dims));
  std::vector<double> prior(static_cast<std::size_t>(copies * rows)), likelihood(prior.size());
  std::vector<LogWeights> sums(static_cast<std::size_t>(rows));
  for (std::int64_t first = 0; first < whole; first += copies) {
    for (std::size_t e = 0; e < z.size(); ++e) {
      std::int64_t number = first + static_cast<std::int64_t>(e) / (rows * dims);
      for (std::size_t d = 0; d < e % static_cast<std::size_t>(dims); ++d) number /= points;
      z[e] = static_cast<float>(step * (static_cast<double>(number % points) + 0.5) - width);
    }
    joint->evaluate(z, {prior, likelihood}, {});
    for (std::size_t e = 0; e < prior.size(); ++e)
      sums[e % sums.size()].add(prior[e] + likelihood[e]);
  }
  std::vector<double> nats;
  for (const LogWeights& sum : sums)
    nats.push_back(sum.log_mean() + static_cast<double>(dims) * std::log(2 * width));
  return nats;
}

}  // namespace

TEST_CASE("iwae: nested groups of the same weights are ordered for every point") {
  const Scene scene;
  const IwaeOptions options{.samples = 50};
  const std::vector<double> weights = log_weights(scene.block, options);
  const std::size_t rows = scene.truth.size();
  for (std::size_t i = 0; i < rows; ++i) {
    LogWeights all;
    double elbo = 0, fives = 0;
    for (std::size_t group = 0; group < 10; ++group) {
      LogWeights five;
      for (std::size_t k = 5 * group; k < 5 * group + 5; ++k) five.add(weights[k * rows + i]);
      fives += five.log_mean() / 10;
      elbo += five.mean_log() / 10;
      all.add(five);
    }
    CHECK(elbo <= fives);
    CHECK(fives <= all.log_mean());
    CHECK(all.log_mean() == doctest::Approx(iwae(scene.block, options).nats[i]));
  }
}

TEST_CASE("iwae: the chunk changes no weight, and many weights reach the evidence") {
  const Scene scene;
  const std::vector<double> by_one = log_weights(scene.block, {.samples = 30, .chunk = 1}),
                            by_seven = log_weights(scene.block, {.samples = 30, .chunk = 7});
  CHECK(by_one == by_seven);
  const Scores scores = iwae(scene.block, {.samples = 5000});
  for (std::size_t i = 0; i < scene.truth.size(); ++i) {
    CHECK(std::abs(scores.nats[i] - scene.truth[i]) < 0.05);
    CHECK(scores.facts[0].second[i] > 200);
    CHECK(scores.facts[0].second[i] <= 5000);
  }
}

TEST_CASE("iwae: an example's weights depend on its number in the dataset and not on its block") {
  const Scene scene;
  const Rows tail = slice_rows(scene.rows, 2, 6);
  const Examples examples{scene.model.info().data, tail, 2};
  const Scores alone = iwae({scene.model, examples, Rng(11)}, {.samples = 8});
  const Scores whole = iwae(scene.block, {.samples = 8});
  CHECK(std::equal(alone.nats.begin(), alone.nats.end(), whole.nats.begin() + 2));
  const Scores other = iwae({scene.model, examples, Rng(12)}, {.samples = 8});
  CHECK(other.nats != alone.nats);
}

TEST_CASE("ais: the schedule runs from 0 to 1 and is symmetric") {
  const std::vector<double> b = annealing_schedule(10);
  CHECK(b.size() == 11);
  CHECK(b.front() == 0);
  CHECK(b.back() == 1);
  CHECK(std::ranges::is_sorted(b));
  for (std::size_t t = 0; t <= 10; ++t) CHECK(b[t] + b[10 - t] == doctest::Approx(1));
}

TEST_CASE("ais: the evidence from the prior and from the posterior") {
  const Scene scene;
  for (const Proposal from : {Proposal::prior, Proposal::posterior}) {
    const Scores scores = ais(scene.block, {.steps = 150, .chains = 24, .from = from});
    for (std::size_t i = 0; i < scene.truth.size(); ++i)
      CHECK(std::abs(scores.nats[i] - scene.truth[i]) < 4 * error_of(scores) + 0.03);
    CHECK(std::abs(mean(scores.nats) - mean(scene.truth)) < 0.03);
    CHECK(scores.kind == Bound::stochastic_lower_bound);
  }
  const Scores moving = ais(scene.block, {.steps = 50, .chains = 4, .freeze = false});
  CHECK(moving.kind == Bound::estimate);
}

TEST_CASE("ais: forward and backward chains bracket the evidence of the model's own samples") {
  const LinearGaussian model = tilted();
  const testing::LatentFixture& latents = model;
  const JointSamples samples = draw_joint(latents, 0, 40, Rng(8));
  const Examples examples{model.info().data, samples.rows};
  const std::vector<double> truth = testing::score_with(abilities(model), examples, Rng(1)).nats;
  // Few steps and chains, so that the bounds are loose.
  const Bracket loose =
      bracket_evidence({model, examples, Rng(2)}, samples.z, {.steps = 6, .chains = 2});
  CHECK(mean(loose.lower) < mean(truth) - 0.05);
  CHECK(mean(loose.upper) > mean(truth) + 0.05);
  const Bracket tight =
      bracket_evidence({model, examples, Rng(2)}, samples.z, {.steps = 150, .chains = 8});
  CHECK(mean(tight.upper) - mean(tight.lower) < 0.05);
  CHECK(std::abs(mean(tight.lower) - mean(truth)) < 0.03);
}

TEST_CASE("quadrature: around the prior and around the posterior; more than 3 dimensions refused") {
  const Scene scene;
  for (const Proposal around : {Proposal::prior, Proposal::posterior}) {
    const Scores scores = quadrature(scene.block, {.around = around});
    for (std::size_t i = 0; i < scene.truth.size(); ++i)
      CHECK(scores.nats[i] == doctest::Approx(scene.truth[i]).epsilon(1e-5));
  }
  const LinearGaussian wide = tilted(4);
  const Examples examples{wide.info().data, scene.rows};
  CHECK_THROWS_WITH_AS(static_cast<void>(quadrature({wide, examples, Rng(1)}, {})),
                       "--method quadrature: takes at most 3 latent dimensions, the model has 4",
                       Error);
}

TEST_CASE("reciprocal: every fit finds the evidence; 5 dimensions are refused") {
  const Scene scene(3);
  for (const FitKind kind : {FitKind::gauss, FitKind::diag, FitKind::kde}) {
    const Scores scores = reciprocal(
        scene.block, {.fit_samples = 300, .samples = 600, .repeats = 6, .fit = {.kind = kind}});
    for (std::size_t i = 0; i < scene.truth.size(); ++i)
      CHECK(std::abs(scores.nats[i] - scene.truth[i]) < 4 * error_of(scores) + 0.03);
    CHECK(scores.kind == Bound::estimate);
  }
  const LinearGaussian wide = tilted(5);
  const Examples examples{wide.info().data, scene.rows};
  CHECK_THROWS_AS(static_cast<void>(reciprocal({wide, examples, Rng(1)}, {})), Error);
  const Scores asked = reciprocal({wide, examples, Rng(1)}, {.any_latent = true});
  CHECK(asked.nats.size() == 3);
}

TEST_CASE("gap: refinement raises a wrong posterior to the best diagonal one") {
  const Scene scene;
  const Posterior best = scene.model.encode(scene.examples);
  Posterior wrong = best;
  for (float& mean : wrong.mean) mean += 0.7f;
  for (float& log_var : wrong.log_var) log_var -= 1;
  const Posterior refined = refine(scene.block, wrong, {.steps = 600, .rate = 0.01});
  const std::vector<double> start = elbo_of(scene.block, wrong, 200),
                            end = elbo_of(scene.block, refined, 200),
                            goal = elbo_of(scene.block, best, 200);
  for (std::size_t i = 0; i < end.size(); ++i) {
    CHECK(end[i] > start[i]);
    CHECK(std::abs(end[i] - goal[i]) < 0.05);
    CHECK(end[i] < scene.truth[i]);
  }
}

TEST_CASE("latent facts: moments, divergence, information and collapse") {
  // Two far clusters in the first latent carry one bit; the second latent is the prior.
  Posterior q{.count = 1000, .dims = 2};
  for (std::int64_t i = 0; i < q.count; ++i) {
    q.mean.insert(q.mean.end(), {i % 2 == 0 ? -5.0f : 5.0f, 0.0f});
    q.log_var.insert(q.log_var.end(), {-2.0f, 0.0f});
  }
  const LatentFacts facts = latent_facts(q, Rng(1));
  CHECK(facts.kl[0] == doctest::Approx((25 + std::exp(-2) + 2 - 1) / 2));
  CHECK(facts.kl[1] == 0);
  CHECK(facts.mean[0] == doctest::Approx(0));
  CHECK(facts.variance[0] == doctest::Approx(25 + std::exp(-2)));
  CHECK(facts.active == 1);
  CHECK(!facts.collapsed);
  CHECK(facts.mutual_information == doctest::Approx(std::log(2)).epsilon(0.01));

  // More rows than the minibatch behind q(z).
  Posterior many{.count = 5000, .dims = 1};
  for (std::int64_t i = 0; i < many.count; ++i) {
    many.mean.push_back(i % 2 == 0 ? -5.0f : 5.0f);
    many.log_var.push_back(-2);
  }
  CHECK(latent_facts(many, Rng(1)).mutual_information ==
        doctest::Approx(std::log(2)).epsilon(0.02));

  Posterior dead{.count = 10, .dims = 3};
  dead.mean.resize(30);
  dead.log_var.resize(30);
  CHECK(latent_facts(dead, Rng(1)).collapsed);
}

TEST_CASE("quadrature: the error of a decoder with kinks is at most what is stated") {
  for (const std::int64_t dims : {1, 2})
    for (const std::uint64_t seed : {10, 11, 12, 13}) {
      CAPTURE(dims);
      CAPTURE(seed);
      vae::Config config;
      config.latent = dims;
      config.hidden = {seed % 2 == 0 ? 20 : 8};
      config.activation = Activation::relu;
      config.init = seed < 12 ? "normal:0.7" : "normal:1.2";
      vae::VaeModel model(config, vectors_of(seed % 2 == 0 ? 30 : 10, 2));
      model.initialise(Rng(seed));
      const auto latents = abilities(model).latents;
      const JointSamples samples = draw_joint(*latents, 0, 6, Rng(5));
      const Examples examples{model.info().data, samples.rows, 0};
      const LatentBlock block{*latents, examples, Rng(9)};
      const std::vector<double> truth = brute_force(block, dims == 1 ? 6000 : 300, 7);
      for (const std::int64_t nodes : {24, 40}) {
        const Scores scores = quadrature(block, {.nodes = nodes});
        double largest = 0;
        for (std::size_t i = 0; i < truth.size(); ++i) {
          const double error = std::abs(scores.nats[i] - truth[i]);
          CHECK(error <= scores.facts[0].second[i]);
          largest = std::max(largest, error);
        }
        CHECK(largest > 1e-3);  // there are kinks
        CHECK(std::ranges::max(scores.facts[0].second) < 30 * largest);
      }
    }
}

}  // namespace logpx::evidence_test
