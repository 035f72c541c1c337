// Every method for the evidence of small KAEMs, with the samples that it is promised for, against
// the integrals of tests/golden/kaem.json.
#include "libcore/base/parallel.hpp"
#include "libcore/eval/power_posterior.hpp"
#include "libcore/eval/simulated_bounds.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_kaem.hpp"
#include "tests/support/plans.hpp"
#include "tests/support/sanitizers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>

namespace logpx::kaem_methods_test {

using namespace golden_kaem;

namespace {

// A model of the file with one of its rows, and the log p(x) of that row.
struct Case {
  std::unique_ptr<kaem::KaemModel> model;
  Abilities can;
  HeldRows held;
  double truth = 0;

  [[nodiscard]] LatentBlock block(const Examples& examples, std::uint64_t seed) const {
    return {*can.latents, examples, Rng(seed)};
  }
};

Case case_of(const Json& json, const kaem::Config& config, const char* stats, std::size_t row) {
  const Json& data = json.at("data").at(row);
  const Numbers x = numbers(data.at("x"));
  Case made;
  made.held = one_row(real_vectors(x.size()), x);
  made.model = model_of(json, config, made.held.info);
  made.can = abilities(*made.model);
  made.truth = data.at(stats).at("log_evidence").number();
  return made;
}

void for_each_case(const std::function<void(const Case&)>& use) {
  const Json* entry = golden::field("kaem", "evidence");
  if (!entry) return;
  const Json &curve = entry->at("kart_nz1"), &mixture = entry->at("mixture_q2p3");
  const kaem::Config shared =
      config_of(curve, kaem::PriorKind::univariate, kaem::CouplingChoice::shared);
  kaem::Config mixed =
      config_of(mixture, kaem::PriorKind::mixture, kaem::CouplingChoice::independent);
  mixed.alpha = kaem::MixtureWeights::learned;
  use(case_of(curve, shared, "shared", 0));
  use(case_of(mixture, mixed, "stats", 0));
}

// The mean of what `estimate` gives for 16 seeds, and its standard error: one run has its error
// from two halves only.
struct Repeated {
  double mean = 0, error = 0;
};
Repeated repeated(const std::function<double(std::uint64_t)>& estimate) {
  constexpr int runs = 16;
  double sum = 0, squares = 0;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    const double value = estimate(seed);
    sum += value;
    squares += value * value;
  }
  const double mean = sum / runs;
  return {mean, std::sqrt((squares / runs - mean * mean) / (runs - 1))};
}

}  // namespace

TEST_CASE("golden/kaem/evidence: the mean of 2,000 estimates by 50 samples is p(x)") {
  for_each_case([](const Case& c) {
    const Examples examples = c.held.examples();
    constexpr int replicates = 2000;
    double sum = 0, squares = 0;
    for (int i = 0; i < replicates; ++i) {
      const Scores scores = testing::score_with(
          c.can, examples, Rng(static_cast<std::uint64_t>(i) + 1), {"samples=50"});
      const double ratio = std::exp(scores.nats[0] - c.truth);
      sum += ratio;
      squares += ratio * ratio;
    }
    const double mean = sum / replicates;
    const double error = std::sqrt((squares / replicates - mean * mean) / replicates);
    CHECK(std::abs(mean - 1) <= 4 * error);
    CHECK(error < 0.05);
  });
}

TEST_CASE("golden/kaem/evidence: the corrected integral over ten temperatures is log p(x)" *
          testing::of_numbers) {
  for_each_case([](const Case& c) {
    const Examples examples = c.held.examples();
    const Scores scores = thermodynamic_integration(
        c.block(examples, 5), {.temps = 10, .samples = 40'000, .chains = 64, .leapfrog = 5},
        TiFormula::corrected);
    CHECK(std::abs(scores.nats[0] - c.truth) <= 2e-3 + 4 * scores.mc_std_error[0]);
    CHECK(scores.mc_std_error[0] < 4e-3);
  });
}

TEST_CASE("golden/kaem/evidence: stepping stones find log p(x) within their errors" *
          testing::of_numbers) {
  for_each_case([](const Case& c) {
    const Examples examples = c.held.examples();
    const Repeated found = repeated([&](std::uint64_t seed) {
      return stepping_stones(c.block(examples, seed),
                             {.temps = 10, .samples = 1'000, .leapfrog = 5}, SteppingStone::forward)
          .nats[0];
    });
    CHECK(std::abs(found.mean - c.truth) <= 4 * found.error);
    CHECK(found.error < 0.02);
  });
}

TEST_CASE("golden/kaem/evidence: annealing from the prior lies below log p(x)") {
  for_each_case([](const Case& c) {
    const Examples examples = c.held.examples();
    const Repeated found = repeated([&](std::uint64_t seed) {
      return ais(c.block(examples, seed), {.steps = 100, .chains = 16}).nats[0];
    });
    CHECK(found.mean <= c.truth + 4 * found.error);
    CHECK(found.mean >= c.truth - 4 * found.error - 0.05);
  });
}

namespace {

// The mean log p(x) of the examples of a bracket, by quadrature.
double mean_of_drawn(const kaem::KaemModel& model, std::int64_t count, Rng rng) {
  const Abilities can = abilities(model);
  const ModelLatents& latents = *can.latents;
  const DatasetInfo info = model.info().samples;
  const JointSamples drawn = draw_joint(latents, 0, count, rng);
  const Examples examples{info, drawn.rows};
  const Scores exact = quadrature({latents, examples, Rng(1)}, {.nodes = 64});
  double sum = 0;
  for (const double nats : exact.nats) sum += nats;
  return sum / static_cast<double>(count);
}

}  // namespace

TEST_CASE("golden/kaem/evidence: annealing from both sides encloses log p(x) of the model's draws" *
          testing::of_numbers) {
  for_each_case([](const Case& c) {
    constexpr std::int64_t count = 32;
    Workers workers(1);
    const auto bracket = [&](std::int64_t steps, std::int64_t chains) {
      return simulate_bounds(c.can, count, {.steps = steps, .chains = chains}, Rng(8), workers);
    };
    const double exact = mean_of_drawn(*c.model, count, Rng(8));
    const SimulatedBounds fine = bracket(100, 16);
    // The rows are the same, so that only what separates the bounds of a row is an error.
    const double error = fine.distance.std_error.value();
    CHECK(fine.upper.kind == Bound::upper_bound);
    CHECK(fine.lower.value <= exact + 4 * error);
    CHECK(fine.upper.value >= exact - 4 * error);
    CHECK(fine.distance.value < 0.02);
    // Two steps of a single chain go too fast: its bounds are true, and farther apart.
    CHECK(bracket(2, 1).distance.value > fine.distance.value);
  });
}

}  // namespace logpx::kaem_methods_test
