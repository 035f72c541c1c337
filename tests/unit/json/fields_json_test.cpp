#include "formats/json/fields_json.hpp"
#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

namespace logpx::fields_json_test {
namespace {

struct Options {
  double lr = 0.1;
  std::uint64_t seed = 1;
  std::string out = "x";
  std::optional<std::int64_t> limit;
  std::vector<std::int64_t> classes = {1, 2};
  std::vector<double> rates = {0.5};
  Fields fields;
  Options() {
    fields.add("net.lr", lr, "rate").range(0, 1);
    fields.add("seed", seed, "seed");
    fields.add("out", out, "path").output();
    fields.add("limit", limit, "limit");
    fields.add("classes", classes, "classes");
    fields.add("rates", rates, "rates");
  }
};

std::string refusal(const char* text) {
  Options options;
  try {
    read_settings(options.fields, Json::parse(text, "c.json"), "c.json", Origin::config);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("settings: what decides a result is written, nested, and read back") {
  Options options;
  options.seed = 18446744073709551615u;
  const Json json = settings_json(options.fields);
  CHECK(json.dump(-1) == R"({"net": {"lr": 0.1}, "seed": 18446744073709551615, )"
                         R"("classes": [1, 2], "rates": [0.5]})");
  Options other;
  other.classes = {};
  read_settings(other.fields, json, "c.json", Origin::config);
  CHECK(settings_json(other.fields) == json);
}

TEST_CASE("settings: unknown keys, paths and wrong types are refused by name") {
  CHECK(refusal(R"({"sede": 1})") == "c.json: unknown setting sede (did you mean seed?)");
  CHECK(refusal(R"({"net": {"lrr": 1}})") ==
        "c.json: unknown setting net.lrr (did you mean net.lr?)");
  CHECK(refusal(R"({"out": "y"})").starts_with("c.json: unknown setting out"));
  CHECK(refusal(R"({"net": {"lr": 7}})") == "c.json: net.lr: '7' is not between 0 and 1");
  CHECK(refusal(R"({"classes": 3})") == "c.json: classes: is a number, expected an array");
  CHECK(refusal(R"([1])") == "c.json: is an array, expected settings {...}");
  CHECK(refusal(R"({"seed": 3, "net": {"lr": 1e-2}})") == "no error");
}

TEST_CASE("settings: a resumed run is told what changed") {
  Options options;
  const Json stored = settings_json(options.fields);
  CHECK(settings_changes(options.fields, stored).empty());
  options.lr = 0.2;
  options.limit = 5;
  options.out = "elsewhere";  // a path is no change
  const auto changes = settings_changes(options.fields, stored);
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].key == "net.lr");
  CHECK(changes[0].before == "0.1");
  CHECK(changes[0].now == "0.2");
  CHECK(changes[1].before == "absent");
}

}  // namespace logpx::fields_json_test
