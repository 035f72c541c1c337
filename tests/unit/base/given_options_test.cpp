#include "libcore/base/given_options.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

namespace logpx::given_options_test {
namespace {

struct Settings {
  std::string way = "auto";
  double eta = 1, least = 0.1;

  void describe(Fields& f) {
    const Condition walks{[this] { return way == "walk"; }, "--way walk"};
    f.add("way", way, "how to go");
    f.add("eta", eta, "length of a step").unless({[this] { return way == "jump"; }, "--way jump"});
    f.add("eta-min", least, "the shortest")
        .when(walks)
        .unless({[this] { return eta == 0; }, "--eta 0"});
  }
};

struct Said {
  Settings settings;
  Fields fields;
  Said() { settings.describe(fields); }
  [[nodiscard]] std::string refusal(const Settings& settled) const {
    try {
      refuse_unread(fields, settled);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      return error.what();
    }
    return "";
  }
};

TEST_CASE("given options: what goes with what is read off the settled settings") {
  Said said;
  said.fields.set("eta_min=0.1", Origin::option);  // its default, but somebody has said it
  CHECK(said.refusal({.way = "jump"}) == "--eta-min: goes with --way walk");
  CHECK(said.refusal({.way = "walk"}).empty());  // though nobody has said that
  CHECK(said.refusal({.way = "walk", .eta = 0}) == "--eta-min: does nothing with --eta 0");
  CHECK(said.fields.find_key("eta_min")->goes_with() == "with --way walk, not with --eta 0");
}

TEST_CASE("given options: only what the command line names was given") {
  Said said;
  said.fields.set("eta=3", Origin::config);
  said.fields.set("way=walk", Origin::option);
  CHECK(is_given(said.fields, "--way"));
  CHECK_FALSE(is_given(said.fields, "--eta"));
  CHECK_FALSE(is_given(said.fields, "--eta-min"));
  CHECK_FALSE(is_given(said.fields, "--nothing-of-that-name"));
}

TEST_CASE("given options: a settings file may hold what does not count") {
  Said said;
  said.fields.set("eta=3", Origin::config);
  CHECK(said.refusal({.way = "jump"}).empty());
  said.fields.set("eta=3", Origin::option);
  CHECK(said.refusal({.way = "jump"}) == "--eta: does nothing with --way jump");
}

TEST_CASE("given options: everything that is described somewhere else can be refused") {
  Said said;
  Settings other;
  Fields described;
  other.describe(described);
  CHECK_NOTHROW(refuse_given(said.fields, described, "is said elsewhere"));
  said.fields.set("way=walk", Origin::option);
  CHECK_THROWS_WITH_AS(refuse_given(said.fields, described, "is said elsewhere"),
                       "--way: is said elsewhere", Error);
}

TEST_CASE("given options: one that stands for several says what they go with where they agree") {
  Settings one, two;
  Fields ours, theirs, all;
  one.describe(ours);
  two.describe(theirs);
  std::optional<std::string> text;
  const std::vector<Field*> both = {ours.find_key("eta"), theirs.find_key("eta")};
  CHECK(all.add_for(both, "length", text).goes_with() == "not with --way jump");
  const std::vector<Field*> unlike = {ours.find_key("eta"), theirs.find_key("eta_min")};
  CHECK(all.add_for(unlike, "length", text).goes_with() == "not with --way jump, not with --eta 0");
}

}  // namespace
}  // namespace logpx::given_options_test
