#include "libcore/eval/methods.hpp"

#include "libcore/base/error.hpp"
#include "tests/support/latent_models.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace logpx;
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
  Scored score(const MethodSettings& settings) {
    const Evaluator evaluator(model, settings, Rng(1));
    return score_rows(rows, workers,
                      [&](const Examples& examples) { return evaluator.score(examples); });
  }
};

// A bound whose noise the model does not report: N(0, 1) around its exact value.
class NoisyModel final : public Model {
 public:
  [[nodiscard]] const ModelInfo& info() const override { return info_; }
  void describe(Fields&) override {}
  void params(const TensorVisitor&) override {}
  [[nodiscard]] Scores score(const Examples& batch, const Effort&, Rng rng) const override {
    Scores scores{.kind = Bound::lower_bound};
    for (std::int64_t i = 0; i < batch.rows.count; ++i)
      scores.nats.push_back(
          rng.stream(Stream::evaluation, static_cast<std::uint32_t>(batch.first + i)).uniform(0));
    return scores;
  }
  void sample(Rows&, std::int64_t, Rng) const override {}

 private:
  ModelInfo info_{.family = "noisy", .data = {}, .methods = {"elbo"}};
};

}  // namespace

TEST_CASE("methods: a model's own come first and those of its latents follow") {
  const LinearGaussian model = small_model();
  CHECK(methods_of(model) ==
        std::vector<std::string>{"exact", "iwae", "ais", "quadrature", "reciprocal"});
  CHECK(Evaluator(model, {}, Rng(1)).method() == "exact");
  try {
    Evaluator(model, {.method = "ode"}, Rng(1));
    FAIL("was taken");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.message() ==
          "is nothing for this linear-gaussian; it takes exact, iwae, ais, quadrature, reciprocal");
  }
}

TEST_CASE("methods: all agree with the exact value of a linear-Gaussian model") {
  Scene scene;
  const Summary exact = summarise(scene.score({}));
  CHECK(exact.log_likelihood.kind == Bound::exact);
  CHECK(!exact.mc_std_error);
  for (const char* method : {"iwae", "ais", "quadrature", "reciprocal"}) {
    CAPTURE(method);
    MethodSettings settings{.method = method, .ais = {.steps = 60, .chains = 8}};
    if (settings.method == "iwae") settings.samples = 1000;
    const Summary summary = summarise(scene.score(settings));
    CHECK(std::abs(summary.log_likelihood.value - exact.log_likelihood.value) <
          4 * summary.mc_std_error.value_or(0) + 0.01);
  }
}

TEST_CASE("methods: a bound without a word on its noise is scored twice") {
  const NoisyModel model;
  DatasetInfo info;
  info.shape = {1};
  info.n = 2000;
  Rows rows;
  rows.count = info.n;
  rows.x.resize(2000);
  const Evaluator evaluator(model, {}, Rng(3));
  const Scores scores = evaluator.score({info, rows, 0});
  double square = 0;
  for (const double error : scores.mc_std_error) square += error * error / 2000;
  CHECK(square == doctest::Approx(1.0 / 12).epsilon(0.1));  // of a uniform
}

TEST_CASE("gap: amortisation and approximation add up; both are non-negative up to noise") {
  Scene scene;
  const Scored evidence = scene.score({});
  const Gap gap = measure_gap(scene.rows, scene.workers, scene.model, evidence,
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
  CHECK_THROWS_AS(
      static_cast<void>(measure_gap(scene.rows, scene.workers, blind, evidence, {}, Rng(2))),
      Error);
}

TEST_CASE("simulate_bounds: the evidence of the model's own samples lies between") {
  Scene scene;
  const SimulatedBounds bounds =
      simulate_bounds(scene.model, 40, {.steps = 80, .chains = 4}, Rng(9), scene.workers);
  CHECK(bounds.distance.value == doctest::Approx(bounds.upper.value - bounds.lower.value));
  CHECK(bounds.distance.value < 0.1);
  CHECK(bounds.distance.value > -3 * *bounds.distance.std_error);
  CHECK(bounds.upper.kind == Bound::upper_bound);
}
