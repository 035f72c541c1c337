#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/spelling.hpp"

#include <doctest/doctest.h>

namespace logpx::fields_test {
namespace {

enum class Padding { zero, edge };

struct Options {
  bool shuffle = true;
  std::optional<bool> mirror;
  int count = 3;
  double lr = 1e-3;
  std::string name = "mnist";
  Padding padding = Padding::zero;
  Bytes memory{1024};
  Duration limit{60};
  Interval every{2, Interval::Unit::epochs};
  std::optional<RowRange> rows;
  std::optional<double> clip;
  std::vector<std::int64_t> classes = {1, 2};
  std::vector<std::string> files;
  void describe(Fields& f) {
    f.group("training");
    f.add("shuffle", shuffle, "permute");
    f.add("mirror", mirror, "turn over").shows_default("on for pictures");
    f.add("count", count, "how many").range(1, 10);
    f.add("lr", lr, "learning rate").range(0, 1).unit("per step").source("AEVB sec. 5");
    f.add("name", name, "a name");
    f.add("padding", padding,
          {{"zero", Padding::zero, "black"}, {"edge", Padding::edge, "the nearest"}}, "outside");
    f.add("memory", memory, "size");
    f.add("limit", limit, "time");
    f.add("eval-every", every, "interval");
    f.add("rows", rows, "rows");
    f.add("net.clip-norm", clip, "clip");
    f.add("classes", classes, "classes");
    f.add("input", files, "files").positional();
  }
};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

struct Described {
  Options options;
  Fields fields;
  Described() { options.describe(fields); }
  void set(const std::string& assignment) { fields.set(assignment, Origin::option); }
};

}  // namespace

TEST_CASE("fields: every type reads its own text and writes it back") {
  Described d;
  for (const char* assignment :
       {"shuffle=false", "mirror=true", "count=1e1", "lr=0.5", "name=a=b", "padding=edge",
        "memory=64Mi", "limit=15m", "eval_every=5000samples", "rows=3:10", "net.clip_norm=2.5",
        "classes=7,8,9"})
    d.set(assignment);
  CHECK_FALSE(d.options.shuffle);
  CHECK(d.options.count == 10);
  CHECK(d.options.lr == 0.5);
  CHECK(d.options.name == "a=b");
  CHECK(d.options.padding == Padding::edge);
  CHECK(d.options.memory.value == 64u << 20);
  CHECK(d.options.limit.seconds == 900);
  CHECK(d.options.every.amount == 5000);
  CHECK(d.options.every.unit == Interval::Unit::samples);
  CHECK(d.options.rows->begin == 3);
  CHECK(d.options.rows->end == 10);
  CHECK(d.options.clip == 2.5);
  CHECK(d.options.classes == std::vector<std::int64_t>{7, 8, 9});
  for (Field& field : d.fields.all()) {
    if (field.is_positional()) continue;
    const std::string text = field.text();
    field.read(text, "again", Origin::option);
    CHECK(field.text() == text);
  }
}

TEST_CASE("fields: a bad value names what was written and what was expected") {
  Described d;
  CHECK(message_of([&] { d.set("count=many"); }) == "--set count: 'many' is not a whole number");
  CHECK(message_of([&] { d.set("count=11"); }) == "--set count: '11' is not between 1 and 10");
  CHECK(message_of([&] { d.set("lr=nan"); }) == "--set lr: 'nan' is not a number");
  CHECK(message_of([&] { d.set("lr=1,5"); }) == "--set lr: '1,5' is not a number");
  CHECK(message_of([&] { d.set("rows=9:3"); }).find("range of rows A:B") != std::string::npos);
  CHECK(message_of([&] { d.set("padding=egde"); }) ==
        "--set padding: 'egde' is not one of: zero, edge (did you mean edge?)");
  CHECK(message_of([&] { d.set("memory=12Qi"); }).find("is not a size") != std::string::npos);
  CHECK(message_of([&] { d.set("leraning=1"); }).find("unknown setting") != std::string::npos);
  CHECK(message_of([&] { d.set("padding"); }).find("KEY=VALUE") != std::string::npos);
}

TEST_CASE("fields: option, key and default text come from the one name") {
  Described d;
  const Field* clip = d.fields.find_key("net.clip_norm");
  REQUIRE(clip != nullptr);
  CHECK(clip->option() == "--net-clip-norm");
  CHECK_FALSE(clip->is_set());
  CHECK(d.fields.find_option("--lr")->default_text() == "0.001 per step, AEVB sec. 5");
  CHECK(d.fields.find_option("--input") == nullptr);  // a positional has no option
  CHECK(d.fields.find_key("shuffle")->has_negation());
}

TEST_CASE("fields: a switch that depends on other settings is unset until somebody turns it") {
  Described d;
  const Field* mirror = d.fields.find_key("mirror");
  CHECK(mirror->has_negation());
  CHECK_FALSE(mirror->is_set());
  CHECK(mirror->default_text() == "on for pictures");
  d.set("mirror=false");
  CHECK(mirror->is_set());
  CHECK(d.options.mirror == false);
  CHECK(mirror->text() == "false");
}

TEST_CASE("fields: an optional without a value is unset, whether or not a condition holds") {
  std::optional<std::int64_t> step;
  bool left_out = false;
  Fields fields;
  const Field& field =
      fields.add("step", step, "pixels").unset_while([&left_out] { return left_out; });
  CHECK_FALSE(field.is_set());
  step = 3;
  CHECK(field.is_set());
  left_out = true;
  CHECK_FALSE(field.is_set());
}

TEST_CASE("fields: a list given again replaces; a repeated option and a positional gather") {
  Described d;
  Field* classes = d.fields.find_key("classes");
  classes->read_repeated({"4,5", "6"}, "--classes", Origin::option);
  CHECK(d.options.classes == std::vector<std::int64_t>{4, 5, 6});
  d.set("classes=1");
  CHECK(d.options.classes == std::vector<std::int64_t>{1});
  d.fields.find_key("input")->read_repeated({"a,b.png", "c.png"}, "INPUT", Origin::option);
  CHECK(d.options.files == std::vector<std::string>{"a,b.png", "c.png"});
}

TEST_CASE("fields: an item of a list that holds a comma stands in quotes, there and back") {
  std::vector<std::string> names;
  Fields fields;
  Field& columns = fields.add("columns", names, "names");
  const std::string text = R"("temp, C",x,"say ""so""")";
  columns.read(text, "--columns", Origin::option);
  CHECK(names == std::vector<std::string>{"temp, C", "x", "say \"so\""});
  CHECK(columns.text() == text);
  for (const char* wrong : {"\"open", "\"", "x,\"a\"b"})
    CHECK(message_of([&] { columns.read(wrong, "--columns", Origin::option); }) ==
          "--columns: '" + std::string(wrong) + "' is not a list such as a,\"b, c\",d");
}

TEST_CASE("spelling: a near word is suggested, a far one is not") {
  const std::vector<std::string> known = {"--seed", "--config", "--lr", "--learning-schedule"};
  CHECK(nearest("--sede", known) == "--seed");
  CHECK(nearest("--confgi", known) == "--config");
  CHECK(nearest("--learning", known) == "--learning-schedule");
  CHECK_FALSE(nearest("--x", known).has_value());
  CHECK_FALSE(nearest("wav", {"mat", "csv"}).has_value());
  CHECK(nearest("cvs", {"mat", "csv"}) == "csv");
  CHECK_FALSE(nearest("--verbosity", known).has_value());
}

}  // namespace logpx::fields_test
