#include "libcore/mol/drug_likeness.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::drug_likeness_test {
namespace {

TEST_CASE("drug likeness: a molecule of two alerts is less like a drug than one of none") {
  const QedInputs plain{.weight = 300,
                        .logp = 2.5,
                        .acceptors = 3,
                        .donors = 1,
                        .polar_area = 60,
                        .rotatable_bonds = 3,
                        .aromatic_rings = 2};
  QedInputs alarming = plain;
  alarming.alerts = 2;
  CHECK(qed(plain) > 0.8);
  CHECK(qed(plain) < 1);
  CHECK(qed(alarming) < 0.8 * qed(plain));
}

TEST_CASE("fragment scores: of an id that is listed twice the last score counts") {
  const FragmentScores scores({{7, 1.0}, {3, 2.0}, {7, -1.0}});
  CHECK(scores.size() == 2);
  REQUIRE(scores.find(7) != nullptr);
  CHECK(*scores.find(7) == -1.0);
  CHECK(scores.find(4) == nullptr);
}

TEST_CASE("synthetic score: unknown environments count as -4, and the report can say how many") {
  const Environments environments = {{3, 2}, {9, 2}};
  const SyntheticInputs inputs{.atoms = 2};
  const SyntheticScore known =
      synthetic_score(inputs, environments, FragmentScores({{3, 1.0}, {9, 1.0}}));
  const SyntheticScore unknown = synthetic_score(inputs, environments, FragmentScores({{3, 1.0}}));
  CHECK(known.unknown == 0);
  CHECK(unknown.unknown == 2);
  CHECK(unknown.counted == 4);
  CHECK(unknown.value > known.value);
  // 11 - (mean - intricacy + 5) / 6.5 * 9, mean = (1 - 4) / 2, smooth above 8
  const double sum = -1.5 - (std::pow(2, 1.005) - 2);
  CHECK(unknown.value == doctest::Approx(11 - (sum + 5) / 6.5 * 9));
}

TEST_CASE("synthetic score: stays between 1 and 10, and is 0 where there is nothing to score") {
  const Environments one = {{1, 1}};
  CHECK(synthetic_score({.atoms = 1}, one, FragmentScores({{1, 9.0}})).value == 1);
  CHECK(synthetic_score({.atoms = 5000, .centres = 900}, one, FragmentScores()).value == 10);
  CHECK(synthetic_score({}, {}, FragmentScores()).value == 0);
}

TEST_CASE("fragment scores: the log of a count over how many ids make up 80 % of all") {
  // 8 of 10 are two ids.
  const FragmentScores scores = fragment_scores_of({{1, 5}, {2, 3}, {3, 1}, {4, 1}});
  CHECK(*scores.find(1) == doctest::Approx(std::log10(5.0 / 2)));
  CHECK(*scores.find(4) == doctest::Approx(std::log10(1.0 / 2)));
}

}  // namespace
}  // namespace logpx::drug_likeness_test
