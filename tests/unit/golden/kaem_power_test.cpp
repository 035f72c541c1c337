// Temperatures and the sums of power posteriors against tests/golden/kaem.json.
#include "libcore/eval/power_posterior.hpp"
#include "libcore/math/replica_exchange.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/latent_models.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::kaem_power_test {

using testing::numbers;

namespace {

void check_near(double got, double want, double tolerance) {
  CHECK(std::abs(got - want) <= tolerance * (1 + std::abs(want)));
}

double sum_of(const std::vector<double>& terms) {
  double sum = 0;
  for (const double term : terms) sum += term;
  return sum;
}

// One example with exact expectations.
void check_formulas(const Json& stats) {
  const PowerMoments moments{numbers(stats.at("t")), numbers(stats.at("E_t")),
                             numbers(stats.at("V_t"))};
  const auto check = [&](TiFormula formula, const char* name) {
    CAPTURE(name);
    check_near(sum_of(ti_terms(formula, moments)), golden::real(stats.at(name)), 1e-8);
  };
  check(TiFormula::left, "ti_left");
  check(TiFormula::eq32, "eq32_left_skipping_first");
  check(TiFormula::trapezoid, "ti_trapezoid");
  check(TiFormula::corrected, "ti_trapezoid_corrected");
  const double evidence = golden::real(stats.at("log_evidence"));
  CHECK(sum_of(ti_terms(TiFormula::right, moments)) >= evidence);
  CHECK(sum_of(ti_terms(TiFormula::left, moments)) <= evidence);
  check_near(sum_of(numbers(stats.at("ss_terms"))), evidence, 1e-8);
}

}  // namespace

TEST_CASE("golden/kaem/temperatures") {
  const Json* cases = golden::field("kaem", "temperatures");
  if (!cases) return;
  for (const Json& entry : cases->items()) {
    const std::vector<double> expected = numbers(entry.at("t")),
                              t = power_temperatures(entry.at("N_t").integer(),
                                                     golden::real(entry.at("p")));
    REQUIRE(t.size() == expected.size());
    for (std::size_t k = 0; k < t.size(); ++k) check_near(t[k], expected[k], 1e-9);
  }
}

TEST_CASE("golden/kaem/p_schedule") {
  const Json* cases = golden::field("kaem", "p_schedule");
  if (!cases) return;
  for (const Json& entry : cases->items()) {
    const PowerCourse course{.start = golden::real(entry.at("p_start")),
                             .end = golden::real(entry.at("p_end")),
                             .cycles = entry.at("cycles").integer()};
    const std::vector<double> updates = numbers(entry.at("i")), expected = numbers(entry.at("p"));
    for (std::size_t k = 0; k < updates.size(); ++k)
      check_near(power_at(course, static_cast<std::int64_t>(updates[k]),
                          entry.at("total_updates").integer()),
                 expected[k], 1e-9);
  }
}

TEST_CASE("golden/kaem/evidence: the sums over temperatures") {
  const Json* evidence = golden::field("kaem", "evidence");
  if (!evidence) return;
  for (const Json& entry : evidence->at("kart_nz1").at("data").items()) {
    check_formulas(entry.at("shared"));
    check_formulas(entry.at("independent"));
  }
  for (const Json& entry : evidence->at("mixture_q2p3").at("data").items())
    check_formulas(entry.at("stats"));
}

}  // namespace logpx::kaem_power_test
