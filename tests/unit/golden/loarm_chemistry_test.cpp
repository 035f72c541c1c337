// What is counted in a molecule, against tests/golden/loarm.json: RDKit's own numbers.
#include "formats/mol/chemistry.hpp"
#include "formats/mol/sa_table.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/judge/fingerprints.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace logpx::loarm_chemistry_test {
namespace {

constexpr double tolerance = 1e-6;

const Json* molecules() { return golden::field("loarm", "molecules"); }

// Bits and scores of fragments belong to one release.
bool is_same_rdkit(const Json& golden) {
  return chemistry().version() == "RDKit " + golden.at("rdkit_version").string();
}

template <typename Check>
void for_each_molecule(Check check) {
  if (!has_chemistry()) return;
  const Json* const all = molecules();
  if (all == nullptr) return;
  for (const Json& entry : all->at("smiles").items()) {
    const Json* const expected = entry.find("props");
    if (expected == nullptr || expected->is_null()) continue;
    const std::string text = entry.at("smiles").string();
    CAPTURE(text);
    const CompoundReading read = chemistry().read(text);
    REQUIRE(read.compound);
    check(*read.compound, *expected, *all);
  }
}

void check_near(double got, const Json& expected) {
  CHECK(got == doctest::Approx(expected.number()).epsilon(tolerance));
}

std::vector<std::int64_t> places_of_bits(const std::vector<std::uint64_t>& words) {
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < std::ssize(words) * 64; ++i)
    if ((words[at(i / 64)] >> (i % 64) & 1) != 0) places.push_back(i);
  return places;
}

TEST_CASE("golden loarm: what QED counts, and QED") {
  for_each_molecule([](const Compound& compound, const Json& expected, const Json&) {
    const QedInputs in = compound.qed_inputs();
    const Json& wanted = expected.at("qed_inputs");
    check_near(in.weight, wanted.at("MW"));
    check_near(in.logp, wanted.at("ALOGP"));
    check_near(in.polar_area, wanted.at("PSA"));
    CHECK(in.acceptors == wanted.at("HBA").integer());
    CHECK(in.donors == wanted.at("HBD").integer());
    CHECK(in.rotatable_bonds == wanted.at("ROTB").integer());
    CHECK(in.aromatic_rings == wanted.at("AROM").integer());
    CHECK(in.alerts == wanted.at("ALERTS").integer());
    check_near(qed(in), expected.at("QED_mean"));
  });
}

TEST_CASE("golden loarm: synthetic accessibility, where the table of RDKit's data is there") {
  if (usual_sa_table().empty()) return;
  const FragmentScores table = read_sa_table(usual_sa_table()).scores;
  for_each_molecule([&](const Compound& compound, const Json& expected, const Json& all) {
    if (!is_same_rdkit(all)) return;
    const SyntheticScore score =
        synthetic_score(compound.synthetic_inputs(), compound.environments(), table);
    check_near(score.value, expected.at("SA"));
  });
}

TEST_CASE("golden loarm: Morgan's fingerprint and how many environments a molecule has") {
  for_each_molecule([](const Compound& compound, const Json& expected, const Json& all) {
    if (!is_same_rdkit(all)) return;
    std::vector<std::int64_t> wanted;
    for (const Json& bit : expected.at("morgan2_1024_onbits").items())
      wanted.push_back(bit.integer());
    CHECK(places_of_bits(compound.fingerprint(FingerprintKind::morgan)) == wanted);
    CHECK(std::ssize(compound.environments()) == expected.at("morgan2_environments").integer());
  });
}

TEST_CASE("golden loarm: descriptors that RDKit has under other names too") {
  for_each_molecule([](const Compound& compound, const Json& expected, const Json&) {
    const std::vector<double> values = compound.descriptors();
    REQUIRE(values.size() == descriptor_names().size());
    const auto value = [&](const char* name) {
      const auto& names = descriptor_names();
      return values[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
    };
    check_near(value("weight"), expected.at("MW"));
    check_near(value("logp"), expected.at("logP"));
    check_near(value("polar_area"), expected.at("TPSA"));
    CHECK(value("donors") == expected.at("HBD").number());
    CHECK(value("rotatable") == expected.at("ROTB_strict").number());
    CHECK(value("aromatic_rings") == expected.at("aromatic_rings").number());
  });
}

TEST_CASE("golden loarm: similarities of Morgan's fingerprints, and diversity") {
  if (!has_chemistry()) return;
  const Json* const all = molecules();
  if (all == nullptr || !is_same_rdkit(*all)) return;
  const Json& expected = all->at("tanimoto");
  Fingerprints prints(bits_of(FingerprintKind::morgan));
  for (const Json& text : expected.at("smiles").items())
    prints.append(chemistry().read(text.string()).compound->fingerprint(FingerprintKind::morgan));
  const Json& rows = expected.at("tanimoto");
  for (std::int64_t i = 0; i < prints.n(); ++i)
    for (std::int64_t j = 0; j < prints.n(); ++j)
      check_near(tanimoto(prints, i, prints, j), rows.at(at(i)).at(at(j)));
  Workers workers(2);
  const SetSimilarities similar = similarities(prints, workers);
  check_near(similar.mean, expected.at("mean_all_pairs"));
  check_near(similar.of_pairs(), expected.at("mean_off_diagonal"));
  check_near(similar.internal_diversity(), expected.at("IntDiv_all_pairs"));
}

TEST_CASE("chemistry: the largest piece counts, and of two the one that comes first") {
  if (!has_chemistry()) return;
  const auto largest = [](const char* text) {
    return chemistry().read(text).compound->largest_fragment()->smiles();
  };
  CHECK(largest("CC.CO") == "CC");
  CHECK(largest("[Na+].CCC(=O)[O-]") == "CCC(=O)[O-]");
  CHECK(chemistry().read("CC.CO").compound->fragments() == 2);
}

TEST_CASE("chemistry: scaffolds have two rings or more, and pieces are cut by BRICS' rules") {
  if (!has_chemistry()) return;
  const auto compound = [](const char* text) { return chemistry().read(text).compound; };
  CHECK(compound("Cc1ccccc1")->scaffold().empty());
  CHECK(compound("Cc1cc(Oc2nccc(CCC)c2)ccc1")->scaffold() == "c1ccc(Oc2ccccn2)cc1");
  CHECK(compound("CCCOC")->brics() == std::vector<std::string>{"[3*]OC", "[4*]CCC"});
}

}  // namespace
}  // namespace logpx::loarm_chemistry_test
