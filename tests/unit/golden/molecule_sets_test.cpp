// Numbers of sets of molecules against tests/golden/molecule_sets.json.
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/judge/descriptor_samples.hpp"
#include "libcore/judge/feature_distance.hpp"
#include "libcore/judge/fingerprints.hpp"
#include "libcore/mol/neighbourhood_pairs.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_message.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx::molecule_sets_test {
namespace {

doctest::Approx close(const Json& wanted, double tolerance = 1e-12) {
  return doctest::Approx(golden::real(wanted)).epsilon(tolerance);
}

Fingerprints fingerprints_of(const Json& texts) {
  const auto bits = std::ssize(texts.at(0).string());
  Fingerprints made(bits);
  for (const Json& text : texts.items()) {
    std::vector<std::uint64_t> words(at(made.words()));
    for (std::int64_t b = 0; b < bits; ++b)
      if (text.string()[at(b)] == '1') words[at(b / 64)] |= std::uint64_t{1} << (b % 64);
    made.append(words);
  }
  return made;
}

NamedCounts counts_of(const Json& object) {
  NamedCounts counts;
  for (const auto& [name, count] : object.members()) counts[name] = count.integer();
  return counts;
}

Molecule molecule_of(const Json& parts) {
  Molecule made;
  for (const Json& type : parts.at("atoms").items())
    made.atoms.push_back(static_cast<std::uint8_t>(type.integer()));
  made.bonds.resize(at(pairs_of(made.size())));
  for (const Json& bond : parts.at("bonds").items())
    made.set_bond(bond.at(0).integer(), bond.at(1).integer(),
                  static_cast<std::uint8_t>(bond.at(2).integer()));
  return made;
}

std::vector<Molecule> molecules_of(const Json& list) {
  std::vector<Molecule> made;
  for (const Json& item : list.items()) made.push_back(molecule_of(item));
  return made;
}

void check_fingerprints(const Json& wanted, Workers& workers) {
  const Fingerprints made = fingerprints_of(wanted.at("made"));
  const Fingerprints reference = fingerprints_of(wanted.at("reference"));
  const SetSimilarities means = similarities(made, workers);
  CHECK(means.mean == close(wanted.at("mean")));
  CHECK(means.mean_square == close(wanted.at("mean_square")));
  CHECK(means.mean_root == close(wanted.at("mean_root")));
  CHECK(means.of_pairs() == close(wanted.at("of_pairs")));
  const std::vector<double> nearest = nearest_similarities(made, reference, workers);
  const std::vector<double> others = nearest_similarities(made, workers);
  for (std::int64_t i = 0; i < made.n(); ++i) {
    CHECK(nearest[at(i)] == close(wanted.at("nearest").at(at(i))));
    CHECK(others[at(i)] == close(wanted.at("nearest_others").at(at(i))));
  }
  CHECK(circles(made, 0.75) == wanted.at("circles").integer());
}

struct Rows {
  std::vector<double> values;
  std::int64_t n = 0;
  explicit Rows(const Json& list) : values(golden::reals_of(list)), n(std::ssize(list.items())) {}
  [[nodiscard]] FeatureView view() const { return {values, n, std::ssize(values) / n}; }
};

}  // namespace

TEST_CASE("golden molecule sets: similarities of fingerprints") {
  Workers workers(2);
  if (const Json* cases = golden::field("molecule_sets", "fingerprints"))
    for (const Json& wanted : cases->items()) check_fingerprints(wanted, workers);
}

TEST_CASE("golden molecule sets: distances of samples, and GuacaMol's divergences") {
  const Json* cases = golden::field("molecule_sets", "samples");
  if (cases == nullptr) return;
  for (const Json& wanted : cases->items()) {
    const std::vector<double> baseline = golden::reals_of(wanted.at("baseline"));
    const std::vector<double> sampled = golden::reals_of(wanted.at("sampled"));
    CHECK(wasserstein_1(baseline, sampled).value() == close(wanted.at("wasserstein_1")));
    CHECK(continuous_divergence(baseline, sampled).value() == close(wanted.at("continuous"), 1e-9));
    CHECK(discrete_divergence(baseline, sampled).value() == close(wanted.at("discrete"), 1e-9));
  }
}

TEST_CASE("golden molecule sets: the cosine of counts") {
  if (const Json* cases = golden::field("molecule_sets", "counts"))
    for (const Json& wanted : cases->items())
      CHECK(cosine(counts_of(wanted.at("a")), counts_of(wanted.at("b"))).value() ==
            close(wanted.at("cosine")));
}

TEST_CASE("golden molecule sets: Frechet distances over the reference's spread") {
  Workers workers(2);
  const Json* cases = golden::field("molecule_sets", "features");
  if (cases == nullptr) return;
  for (const Json& wanted : cases->items()) {
    const Rows reference(wanted.at("reference")), made(wanted.at("made"));
    const Moments real = moments_of(reference.view(), workers);
    const Moments fake = moments_of(made.view(), workers);
    CHECK(feature_distance(real, fake, FeatureScale::none).value ==
          close(wanted.at("plain"), 1e-6));
    const FeatureDistance scaled = feature_distance(real, fake, FeatureScale::reference);
    CHECK(scaled.value == close(wanted.at("scaled"), 1e-6));
    CHECK(scaled.features == wanted.at("kept").integer());
  }
}

TEST_CASE("golden molecule sets: pairs of neighbourhoods, NSPDK") {
  Workers workers(2);
  const Json* cases = golden::field("molecule_sets", "pairs");
  if (cases == nullptr) return;
  for (const Json& wanted : cases->items()) {
    const PairReach reach{.radius = wanted.at("radius").integer(),
                          .distance = wanted.at("distance").integer()};
    const std::vector<Molecule> made = molecules_of(wanted.at("made"));
    const std::vector<Molecule> reference = molecules_of(wanted.at("reference"));
    for (std::size_t i = 0; i < made.size(); ++i)
      CHECK(std::ssize(neighbourhood_pairs(made[i], reach)) ==
            wanted.at("features").at(i).integer());
    const double mmd = squared_distance(mean_neighbourhood_pairs(made, reach, workers),
                                        mean_neighbourhood_pairs(reference, reach, workers));
    CHECK(std::fabs(mmd - golden::real(wanted.at("mmd"))) < 1e-12);
  }
}

}  // namespace logpx::molecule_sets_test
