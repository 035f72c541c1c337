// Every way to the evidence of small KAEMs, with the samples that are asked of it, against the
// integrals of tests/golden/kaem.json.   [spec/kaem.md 14.5]
#include "libcore/eval/power_posterior.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_kaem.hpp"
#include "tests/support/plans.hpp"

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
  HeldRows held;
  double truth = 0;

  [[nodiscard]] LatentBlock block(const Examples& examples, std::uint64_t seed) const {
    return {*model->latents(), examples, Rng(seed)};
  }
};

Case case_of(const Json& json, const kaem::Config& config, const char* stats, std::size_t row) {
  const Json& data = json.at("data").at(row);
  const Numbers x = numbers(data.at("x"));
  Case made;
  made.held = one_row(real_vectors(x.size()), x);
  made.model = model_of(json, config, made.held.info);
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

}  // namespace

TEST_CASE("golden/kaem/evidence: the mean of 2,000 estimates by 50 samples is p(x)") {
  for_each_case([](const Case& c) {
    const Examples examples = c.held.examples();
    constexpr int replicates = 2000;
    double sum = 0, squares = 0;
    for (int i = 0; i < replicates; ++i) {
      const Scores scores = testing::score_with(
          *c.model, examples, Rng(static_cast<std::uint64_t>(i) + 1), {"samples=50"});
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

TEST_CASE("golden/kaem/evidence: the corrected integral over ten temperatures is log p(x)") {
  for_each_case([](const Case& c) {
    const Examples examples = c.held.examples();
    const Scores scores = thermodynamic_integration(
        c.block(examples, 5), {.temps = 10, .samples = 40'000, .chains = 64, .leapfrog = 5},
        TiFormula::corrected);
    CHECK(std::abs(scores.nats[0] - c.truth) <= 2e-3 + 4 * scores.mc_std_error[0]);
    CHECK(scores.mc_std_error[0] < 4e-3);
  });
}

TEST_CASE("golden/kaem/evidence: stepping stones find log p(x) within their errors") {
  for_each_case([](const Case& c) {
    const Examples examples = c.held.examples();
    const Scores scores =
        stepping_stones(c.block(examples, 6), {.temps = 10, .samples = 6'000, .leapfrog = 5},
                        SteppingStone::forward);
    CHECK(std::abs(scores.nats[0] - c.truth) <= 4 * scores.mc_std_error[0]);
    CHECK(scores.mc_std_error[0] < 0.02);
  });
}

TEST_CASE("golden/kaem/evidence: annealing from the prior lies below log p(x)") {
  for_each_case([](const Case& c) {
    const Examples examples = c.held.examples();
    const Scores scores = ais(c.block(examples, 7), {.steps = 200, .chains = 64});
    CHECK(scores.nats[0] <= c.truth + 4 * scores.mc_std_error[0]);
    CHECK(scores.nats[0] >= c.truth - 4 * scores.mc_std_error[0] - 0.05);
  });
}

}  // namespace logpx::kaem_methods_test
