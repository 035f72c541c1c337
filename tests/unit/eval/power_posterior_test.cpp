// Power posteriors on models whose log p(x) is known: in closed form, or by quadrature.
#include "libcore/eval/power_posterior.hpp"

#include "libcore/base/fields.hpp"
#include "libcore/eval/latent_scoring.hpp"
#include "libcore/eval/power_chains.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/families/vae/model.hpp"
#include "libcore/math/replica_exchange.hpp"
#include "libcore/model/common_errors.hpp"
#include "tests/support/coiled_latent.hpp"
#include "tests/support/latent_models.hpp"
#include "tests/support/plans.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::power_posterior_test {

using testing::LinearGaussian;

namespace {

LinearGaussian tilted() {
  LinearGaussian::Weights weights{{}, {0.5, -1, 0, 2}, 0.4};
  for (int d = 0; d < 4; ++d)
    for (int a = 0; a < 2; ++a) weights.w.push_back(std::cos(3 * d + 2 * a));
  return {weights, 2};
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

double sum_of(const std::vector<double>& terms) {
  return std::accumulate(terms.begin(), terms.end(), 0.0);
}

std::vector<double> column(const Scores& scores, const std::string& name) {
  const auto found = std::ranges::find(scores.facts, name, &Scores::Columns::value_type::first);
  REQUIRE(found != scores.facts.end());
  return found->second;
}

// Within the errors that the scores state, each of which is an estimate from 16 chains.
void check_agreement(const Scores& scores, const std::vector<double>& truth, double slack) {
  REQUIRE(scores.nats.size() == truth.size());
  REQUIRE(scores.mc_std_error.size() == truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(scores.nats[i] - truth[i]) < 4.5 * scores.mc_std_error[i] + slack);
    CHECK(scores.mc_std_error[i] > 0);
    CHECK(scores.mc_std_error[i] < 0.2);
  }
}

}  // namespace

TEST_CASE("power posteriors: temperatures run from 0 to 1 by a power law") {
  const std::vector<double> t = power_temperatures(4, 2), expected{0, 1.0 / 16, 0.25, 9.0 / 16, 1};
  for (std::size_t k = 0; k < 5; ++k) CHECK(t[k] == doctest::Approx(expected[k]).epsilon(1e-14));
  CHECK(t.front() == 0);
  CHECK(t.back() == 1);
  CHECK(power_temperatures(1, 3) == std::vector<double>{0, 1});
}

TEST_CASE("power posteriors: the corrected trapezoid is exact where E is a cubic of t") {
  PowerMoments moments{.t = {0, 0.1, 0.4, 1}};
  for (const double t : moments.t) {
    moments.mean.push_back(-3 + 2 * t + t * t * t);
    moments.variance.push_back(2 + 3 * t * t);
  }
  const double truth = -3 + 1 + 0.25;
  const auto by = [&](TiFormula formula) { return sum_of(ti_terms(formula, moments)); };
  CHECK(by(TiFormula::corrected) == doctest::Approx(truth).epsilon(1e-12));
  CHECK(by(TiFormula::trapezoid) > truth + 1e-3);
  CHECK(by(TiFormula::left) < truth);
  CHECK(by(TiFormula::right) > truth);
  CHECK(by(TiFormula::left) - by(TiFormula::eq32) == doctest::Approx(0.1 * moments.mean.front()));
  CHECK(by(TiFormula::left) + by(TiFormula::right) ==
        doctest::Approx(2 * by(TiFormula::trapezoid)));
}

TEST_CASE(
    "power posteriors: integration and stepping stones find the evidence within their errors" *
    testing::of_numbers) {
  const Scene scene;
  const PowerOptions options{.temps = 12, .power = 3, .samples = 640};
  const Scores corrected = thermodynamic_integration(scene.block, options, TiFormula::corrected);
  check_agreement(corrected, scene.truth, 0.005);  // of twelve temperatures
  CHECK(corrected.kind == Bound::estimate);
  const Scores forward = stepping_stones(scene.block, options, SteppingStone::forward);
  check_agreement(forward, scene.truth, 0);
  CHECK(forward.kind == Bound::stochastic_lower_bound);
  const Scores reverse = stepping_stones(scene.block, options, SteppingStone::reverse);
  check_agreement(reverse, scene.truth, 0);
  CHECK(reverse.kind == Bound::estimate);
}

TEST_CASE("power posteriors: left lies below the evidence and right above it, and E never falls") {
  const Scene scene;
  const PowerOptions options{.temps = 6, .power = 2, .samples = 320};
  const Scores left = thermodynamic_integration(scene.block, options, TiFormula::left);
  const Scores right = thermodynamic_integration(scene.block, options, TiFormula::right);
  for (std::size_t i = 0; i < scene.truth.size(); ++i) {
    CHECK(left.nats[i] < scene.truth[i]);
    CHECK(right.nats[i] > scene.truth[i]);
    CHECK(column(left, r_hat_fact)[i] < 2);
    CHECK(column(left, between_chains_fact)[i] < 0.2);
    CHECK(column(left, "accept")[i] > 0.4);
    CHECK(column(left, "log_Z_t_0")[i] == 0);
    CHECK(column(left, "log_Z_t_6")[i] == left.nats[i]);
    for (int k = 1; k <= 6; ++k) {
      const double before = column(left, "E_" + std::to_string(k - 1))[i],
                   after = column(left, "E_" + std::to_string(k))[i];
      CHECK(after > before - 0.3);
      CHECK(column(left, "V_" + std::to_string(k))[i] > 0);
    }
  }
}

TEST_CASE("power posteriors: an example's score depends on its number and not on its block") {
  const Scene scene;
  const PowerOptions options{.temps = 3, .samples = 32, .chains = 4};
  const Rows tail = slice_rows(scene.rows, 2, 6);
  const Examples examples{scene.model.info().data, tail, 2};
  const auto score = [&](const LatentBlock& block) {
    return stepping_stones(block, options, SteppingStone::forward);
  };
  const Scores whole = score(scene.block), alone = score({scene.model, examples, Rng(11)});
  CHECK(std::equal(alone.nats.begin(), alone.nats.end(), whole.nats.begin() + 2));
  CHECK(std::equal(alone.mc_std_error.begin(), alone.mc_std_error.end(),
                   whole.mc_std_error.begin() + 2));
  CHECK(score({scene.model, examples, Rng(12)}).nats != alone.nats);
}

TEST_CASE("power posteriors: one chain states no error") {
  const Scene scene(2);
  const Scores scores = thermodynamic_integration(
      scene.block, {.temps = 3, .samples = 20, .chains = 1}, TiFormula::corrected);
  CHECK(scores.mc_std_error.empty());
  CHECK(column(scores, between_chains_fact) == std::vector<double>{0, 0});
}

TEST_CASE(
    "power posteriors: the corrected rule states what it adds to the trapezoid as its error") {
  const Scene scene;
  const PowerOptions options{.temps = 3, .power = 2, .samples = 320};
  const auto by = [&](TiFormula formula) {
    return thermodynamic_integration(scene.block, options, formula);
  };
  const Scores corrected = by(TiFormula::corrected), plain = by(TiFormula::trapezoid),
               left = by(TiFormula::left);
  for (std::size_t i = 0; i < scene.truth.size(); ++i) {
    const double added = corrected.nats[i] - plain.nats[i];
    CHECK(column(corrected, discretisation_fact)[i] == doctest::Approx(added));
    CHECK(column(plain, discretisation_fact)[i] == doctest::Approx(-added));
    CHECK(corrected.mc_std_error[i] > std::abs(added));
    for (const Scores* scores : {&corrected, &plain, &left})
      CHECK(std::abs(scores->nats[i] - scene.truth[i]) < 3 * scores->mc_std_error[i]);
  }
}

TEST_CASE(
    "power posteriors: chains that sit in different modes say so, and their error counts it") {
  const testing::CoiledLatent model;
  const Rows rows = draw_joint(model, 0, 8, Rng(5)).rows;
  const Examples examples{model.info().data, rows};
  const LatentBlock block{model, examples, Rng(11)};
  const std::vector<double> truth = model.log_evidence(rows);
  const PowerOptions options{.temps = 12, .samples = 320};
  const Scores ti = thermodynamic_integration(block, options, TiFormula::corrected);
  const Scores reverse = stepping_stones(block, options, SteppingStone::reverse);
  double worst = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    CHECK(!have_mixed(column(ti, r_hat_fact)[i]));
    CHECK(column(ti, between_chains_fact)[i] > 0.2);
    CHECK(ti.mc_std_error[i] >= column(ti, between_chains_fact)[i]);
    CHECK(std::abs(ti.nats[i] - truth[i]) < 3 * ti.mc_std_error[i]);
    worst = std::max(worst, truth[i] - reverse.nats[i]);
  }
  CHECK(worst > 5);  // no bound from above
  CHECK(reverse.kind == Bound::estimate);
}

TEST_CASE("split R-hat: 1 for halves that agree, more for chains that differ or drift") {
  const auto of = [](double a, double b, double c, double d) {
    const std::vector<ChainHalf> halves = {{10, a, 1}, {10, b, 1}, {10, c, 1}, {10, d, 1}};
    return split_r_hat(halves);
  };
  CHECK(of(3, 3, 3, 3) == 1);
  CHECK(of(3, 3, 5, 5) == doctest::Approx(std::sqrt(0.9 + 4.0 / 3)));  // two chains
  CHECK(of(3, 5, 3, 5) == of(3, 3, 5, 5));                             // two that drift
  CHECK(!have_mixed(of(3, 5, 3, 5)));
  CHECK(have_mixed(of(3, 3.2, 3, 3.1)));
  const std::vector<ChainHalf> short_ones = {{1, 3, 0}, {1, 3, 0}}, stuck = {{9, 1, 0}, {9, 2, 0}};
  CHECK(split_r_hat(short_ones) == 0);
  CHECK(!have_mixed(0));
  CHECK(split_r_hat(stuck) == 1000);
}

TEST_CASE("power posteriors: of a vae they agree with quadrature within their errors") {
  vae::Config config;
  config.latent = 2;
  config.hidden = {12};
  config.init = "normal:0.7";
  vae::VaeModel model(config, vectors_of(20, 2));
  model.initialise(Rng(10));
  const auto latents = abilities(model).latents;
  const JointSamples samples = draw_joint(*latents, 0, 4, Rng(5));
  const Examples examples{model.info().data, samples.rows, 0};
  const LatentBlock block{*latents, examples, Rng(9)};
  const std::vector<double> truth = quadrature(block, {.nodes = 128}).nats;
  const PowerOptions options{.temps = 10, .power = 3, .samples = 480};
  check_agreement(thermodynamic_integration(block, options, TiFormula::corrected), truth, 0.01);
  check_agreement(stepping_stones(block, options, SteppingStone::forward), truth, 0.005);
}

TEST_CASE(
    "power posteriors: chains that have not mixed are a warning, and their facts are curves") {
  const LinearGaussian model = tilted();
  for (const Method& method : {ti_method(), ss_method()}) {
    const auto plan = method.plan(abilities(model));
    CHECK(plan->verdicts({{r_hat_fact, {1.19, 1}}}) ==
          ScoringPlan::Verdicts{{"mixing_warning", false}});
    CHECK(plan->doubts({{r_hat_fact, {1.19, 1}}}).empty());
    for (const double r_hat : {1.21, 0.0}) {
      CHECK(plan->verdicts({{r_hat_fact, {r_hat, 1}}}) ==
            ScoringPlan::Verdicts{{"mixing_warning", true}});
      REQUIRE(plan->doubts({{r_hat_fact, {r_hat, 1}}}).size() == 1);
      CHECK(plan->doubts({{r_hat_fact, {r_hat, 1}}})[0].starts_with(
          "the chains have not mixed, or are too short to tell, at 1 examples"));
    }
    Fields fields;
    plan->describe(fields);
    fields.set("temps=2", Origin::option);
    fields.set("power=2", Origin::option);
    REQUIRE(plan->curves().size() == 3);
    CHECK(plan->curves()[0].x == std::vector<double>{0, 0.25, 1});
    CHECK(plan->curves()[0].title == "E_t");
    CHECK(plan->curves()[2].column(2) == "log_Z_t_2");
  }
}

}  // namespace logpx::power_posterior_test
