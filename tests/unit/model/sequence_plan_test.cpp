#include "libcore/model/sequence_plan.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/eval/methods.hpp"
#include "tests/support/letters_model.hpp"
#include "tests/support/patch_tree.hpp"
#include "tests/support/plans.hpp"

#include <doctest/doctest.h>

#include <set>

namespace logpx::sequence_plan_test {

using namespace logpx::testing;

namespace {

std::set<std::string> knobs_of(CodingPlan& plan) {
  Fields fields;
  plan.describe(fields);
  std::set<std::string> names;
  for (const Field& field : fields.all()) names.insert(field.key());
  return names;
}

std::string refusal(SequencePlan& plan, const std::string& setting) {
  Fields fields;
  plan.describe(fields);
  Workers workers(1);
  try {
    fields.set(setting, Origin::config);
    (void)plan.scheme(workers);
    plan.require_own_scores();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("sequence plan: only what can go on from item to item may be carried") {
  const LetterRows data = letter_rows(50, 12, Rng(1));
  register_letters();
  LettersModel letters(data.info);
  letters.fit(data.rows);
  SequencePlan text(letters);
  CHECK(knobs_of(text) == std::set<std::string>{"carry", "interleave"});
  const toy::PatchTree tree;
  SequencePlan patches(tree);
  CHECK(knobs_of(patches) == std::set<std::string>{"interleave"});
  CHECK(patches.kind() == Bound::exact);
}

TEST_CASE("sequence plan: settings out of their limits are refused, whoever wrote them") {
  const toy::PatchTree tree;
  for (const char* wrong : {"interleave=0", "interleave=257", "interleave=-1", "interleave=many"}) {
    SequencePlan plan(tree);
    CHECK(refusal(plan, wrong).find("interleave") != std::string::npos);
  }
  SequencePlan plan(tree);
  CHECK(refusal(plan, "interleave=256").empty());
}

TEST_CASE("sequence plan: rows that are joined have no scores of their own") {
  const LetterRows data = letter_rows(50, 12, Rng(1));
  register_letters();
  LettersModel letters(data.info);
  letters.fit(data.rows);
  SequencePlan plan(letters);
  CHECK(refusal(plan, "carry=true").find("every row stands alone") != std::string::npos);
  const auto scoring = coder_scoring(abilities(letters).code);
  Fields fields;
  scoring->describe(fields);
  fields.set("carry=true", Origin::option);
  CHECK_THROWS_AS(scoring->settle(), Error);
}

TEST_CASE("sequence plan: rows that end early among others have the scores that they have alone") {
  const LetterRows data = letter_rows(300, 12, Rng(1));
  register_letters();
  LettersModel letters(data.info);
  letters.fit(data.rows);
  const auto scoring = coder_scoring(abilities(letters).code);
  scoring->settle();
  const std::vector<double> together = scoring->score({data.info, data.rows, 0}, Rng(1)).nats;
  REQUIRE(together.size() == 300);
  for (std::int64_t i = 0; i < 300; i += 17) {
    const Rows row = slice_rows(data.rows, i, i + 1);
    CHECK(scoring->score({data.info, row, i}, Rng(1)).nats[0] == together[at(i)]);
  }
}

}  // namespace logpx::sequence_plan_test
