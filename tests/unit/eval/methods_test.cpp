#include "libcore/eval/methods.hpp"

#include "formats/json/fields_json.hpp"
#include "libcore/base/error.hpp"
#include "libcore/eval/gap.hpp"
#include "libcore/eval/simulated_bounds.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/latent_models.hpp"
#include "tests/support/plans.hpp"
#include "tests/support/sanitizers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <string>

namespace logpx::methods_test {

using testing::LinearGaussian;

namespace {

LinearGaussian small_model() { return {{{1, 0.2, -0.5, 0.8, 0.3, -1}, {0, 1, 2}, 0.5}, 2}; }

struct Scene {
  LinearGaussian model = small_model();
  MemoryRows data;
  Workers workers{2};
  EvalRows rows{.data = data, .begin = 0, .end = 40, .block = 8};

  Scene() : data(info(), draw_joint(model, 0, 40, Rng(5)).rows) {}
  static DatasetInfo info() {
    DatasetInfo data = small_model().info().data;
    data.n = 40;
    return data;
  }
  Scored score(const std::string& method, std::initializer_list<const char*> settings = {}) {
    const Abilities can = abilities(model);
    const auto plan = scoring_plan(can, method_for(can, method));
    Fields fields;
    plan->describe(fields);
    for (const char* setting : settings) fields.set(setting, Origin::option);
    plan->settle();
    return score_rows(rows, workers,
                      [&](const Examples& examples) { return plan->score(examples, Rng(1)); });
  }
};

// A bound whose noise the model does not report: N(0, 1) around its exact value.
std::unique_ptr<ScoringPlan> noisy_bound() {
  return std::make_unique<testing::ScoreBy>([](const Examples& batch, Rng rng) {
    Scores scores{.kind = Bound::lower_bound};
    for (std::int64_t i = 0; i < batch.rows.count; ++i)
      scores.nats.push_back(
          rng.stream(Stream::evaluation, static_cast<std::uint32_t>(batch.first + i)).uniform(0));
    return scores;
  });
}

}  // namespace

TEST_CASE("methods: a model's own come first and those of its latents follow") {
  const LinearGaussian model = small_model();
  const Abilities can = abilities(model);
  CHECK(methods_of(can) ==
        std::vector<std::string>{"exact", "iwae", "ais", "quadrature", "reciprocal", "ti", "ss"});
  CHECK(method_for(can, "auto") == "exact");
  CHECK(is_own_method(can, "exact"));
  CHECK(!is_own_method(can, "iwae"));
  try {
    static_cast<void>(method_for(can, "ode"));
    FAIL("was taken");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.message() ==
          "does not work for this linear-gaussian; it takes exact, iwae, ais, quadrature, "
          "reciprocal, ti, ss");
  }
}

TEST_CASE("methods: all agree with the exact value of a linear-Gaussian model" *
          testing::of_numbers) {
  Scene scene;
  const Summary exact = summarise(scene.score("auto"));
  CHECK(exact.log_likelihood.kind == Bound::exact);
  CHECK(!exact.mc_std_error);
  for (const std::string method : {"iwae", "ais", "quadrature", "reciprocal", "ti", "ss"}) {
    CAPTURE(method);
    const Scored scored = method == "iwae"  ? scene.score(method, {"samples=1000"})
                          : method == "ais" ? scene.score(method, {"ais_steps=60", "ais_chains=8"})
                          : method == "ti" || method == "ss"
                              ? scene.score(method, {"samples=320", "temps=12", "power=3"})
                              : scene.score(method);
    const Summary summary = summarise(scored);
    CHECK(std::abs(summary.log_likelihood.value - exact.log_likelihood.value) <
          4 * summary.mc_std_error.value_or(0) + 0.01);
  }
}

TEST_CASE("methods: a bound without a word on its noise is scored twice") {
  const Abilities can{.score = {{"elbo", noisy_bound}}};
  DatasetInfo info;
  info.shape = {1};
  info.n = 2000;
  Rows rows;
  rows.count = info.n;
  rows.x.resize(2000);
  const Scores scores = scoring_plan(can, "elbo")->score({info, rows, 0}, Rng(3));
  double square = 0;
  for (const double error : scores.mc_std_error) square += error * error / 2000;
  CHECK(square == doctest::Approx(1.0 / 12).epsilon(0.1));  // of a uniform
}

TEST_CASE("gap: amortisation and approximation add up; both are non-negative up to noise") {
  Scene scene;
  const Scored evidence = scene.score("auto");
  const Gap gap = measure_gap(scene.rows, scene.workers, abilities(scene.model), evidence,
                              {.draws = 400, .refine = {.steps = 60}}, Rng(2));
  CHECK(gap.total.value == doctest::Approx(gap.amortisation.value + gap.approximation.value));
  CHECK(gap.total.value ==
        doctest::Approx(summarise(evidence).log_likelihood.value - gap.elbo.value));
  CHECK(gap.approximation.value > -3 * *gap.approximation.std_error);
  // The encoder is the best diagonal Gaussian already.
  CHECK(std::abs(gap.amortisation.value) < 0.02);
  CHECK(gap.total.value > 0);
  const testing::TinyBernoulli blind(
      Json::parse(R"({"Wd": [[1, 2]], "bd": [0, 0], "Wo": [[1], [1]], "bo": [0]})", "tiny"));
  CHECK_THROWS_AS(static_cast<void>(measure_gap(scene.rows, scene.workers, abilities(blind),
                                                evidence, {}, Rng(2))),
                  Error);
}

TEST_CASE("simulate_bounds: the evidence of the model's own samples lies between") {
  Scene scene;
  const SimulatedBounds bounds = simulate_bounds(abilities(scene.model), 40,
                                                 {.steps = 80, .chains = 4}, Rng(9), scene.workers);
  CHECK(bounds.distance.value == doctest::Approx(bounds.upper.value - bounds.lower.value));
  CHECK(bounds.distance.value < 0.1);
  CHECK(bounds.distance.value > -3 * *bounds.distance.std_error);
  CHECK(bounds.upper.kind == Bound::upper_bound);
}

TEST_CASE("methods: every entry has knobs of its own, and its plan describes the same") {
  const LinearGaussian model = small_model();
  for (const Method& method : latent_methods()) {
    CAPTURE(method.name);
    CHECK(!method.summary.empty());
    Fields listed, described;
    const auto knobs = method.knobs();
    const auto plan = method.plan(abilities(model));
    knobs->describe(listed);
    plan->describe(described);
    CHECK(settings_json(listed) == settings_json(described));
    const Json settings = settings_json(described);
    for (const auto& [word, key] : plan->reported()) CHECK(settings.find(key) != nullptr);
  }
}

TEST_CASE("methods: a bracket needs frozen step sizes, and few chains are no reason to doubt") {
  const LinearGaussian model = small_model();
  const Abilities can = abilities(model);
  const auto plan = latent_method(can, Method::Use::evidence)->plan(can);
  Fields fields;
  plan->describe(fields);
  fields.set("ais_reverse=true", Origin::option);
  plan->settle();
  fields.set("ais_freeze=false", Origin::option);
  CHECK_THROWS_AS(plan->settle(), Error);
  const Scores::Columns poor = {{"ess", {1, 1, 1}}};
  CHECK(plan->doubts(poor).empty());
  const auto weights = latent_method(can, Method::Use::beside_auto)->plan(can);
  REQUIRE(weights->doubts(poor).size() == 1);
  CHECK(weights->doubts(poor)[0].starts_with("fewer than 5 effective samples at 100 %"));
}

}  // namespace logpx::methods_test
