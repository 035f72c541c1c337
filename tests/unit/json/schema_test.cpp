#include "formats/json/schema.hpp"

#include "formats/file/input.hpp"
#include "formats/report.hpp"
#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace logpx::schema_test {
namespace {

JsonSchema schema(const char* text) { return JsonSchema(Json::parse(text, "schema")); }
Json json(const char* text) { return Json::parse(text, "value"); }

// Paths of all violations, one per line.
std::string paths(const JsonSchema& rules, const Json& value) {
  std::string text;
  for (const SchemaViolation& violation : rules.violations(value)) text += violation.path + '\n';
  return text;
}

JsonSchema file_schema(const std::string& name) {
  const std::string path = std::string(LOGPX_SOURCE_DIR) + "/scripts/schema/" + name;
  return JsonSchema(Json::parse(read_text_file(path), path));
}

Json plain_report() {
  return json(R"({"schema": "logpx.report/1", "tool": "elbo-eval", "version": "0.1.0",
    "commit": "abc", "seed": 1, "inputs": [{"role": "dataset", "path": "d.h5", "kind": "dataset",
    "bytes": 12, "content_hash": null}], "outputs": [], "config": {}, "result": {"family": "pc",
    "kind": "dataset", "measure": "probability",
    "log_likelihood": {"value": -3.4, "unit": "nats", "kind": "exact"},
    "terms": {"kl": {"value": 2, "unit": "nats", "kind": "estimate", "std_error": 0.1, "n": 10}},
    "points": [{"value": 1, "unit": "bits", "kind": "lower_bound"}, 3, "x", null]},
    "warnings": []})");
}

}  // namespace

TEST_CASE("schema: each type fits its values and no others") {
  const std::vector<std::pair<std::string, std::string>> samples = {{"null", "null"},
                                                                    {"boolean", "true"},
                                                                    {"string", "\"a\""},
                                                                    {"array", "[1]"},
                                                                    {"object", "{}"}};
  for (const auto& [type, own] : samples)
    for (const auto& [other, value] : samples) {
      const JsonSchema rules = schema(("{\"type\": \"" + type + "\"}").c_str());
      CHECK(rules.violations(json(value.c_str())).empty() == (type == other));
    }
  CHECK(schema(R"({"type": "integer"})").violations(json("3")).empty());
  CHECK_FALSE(schema(R"({"type": "integer"})").violations(json("3.5")).empty());
  CHECK(schema(R"({"type": "number"})").violations(json("3.5")).empty());
  CHECK(schema(R"({"type": ["number", "null"]})").violations(json("null")).empty());
}

TEST_CASE("schema: violations name the path of what is wrong") {
  const JsonSchema rules = schema(R"({"type": "object", "required": ["a", "b"], "properties": {
      "a": {"type": "array",
            "items": {"type": "object", "properties": {"c": {"enum": [1, "two"]}}}},
      "d": {"const": true}}, "additionalProperties": false})");
  CHECK(paths(rules, json(R"({"a": [{"c": 1}, {"c": "two"}], "b": 0})")) == "b\n");
  CHECK(paths(rules, json(R"({"a": [{}, {"c": 2}], "d": false, "e": 1})")) == "b\na[1].c\nd\ne\n");
  CHECK(paths(rules, json("[]")) == "\n");
}

TEST_CASE("schema: a reference may lead back to where it stands") {
  const JsonSchema rules = schema(R"({"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object",
      "properties": {"leaf": {"type": "string"}},
      "additionalProperties": {"$ref": "#/$defs/tree"}}}})");
  CHECK(paths(rules, json(R"({"a": {"b": {"leaf": "x"}}})")).empty());
  CHECK(paths(rules, json(R"({"a": {"b": {"leaf": 1}, "c": 2}})")) == "a.b.leaf\na.c\n");
}

TEST_CASE("schema: what depends on a member is asked only where the member is") {
  const JsonSchema rules = schema(R"({"dependentSchemas": {"value": {"required": ["unit"]}}})");
  CHECK(paths(rules, json("{}")).empty());
  CHECK(paths(rules, json(R"({"value": 1, "unit": "nats"})")).empty());
  CHECK(paths(rules, json(R"({"value": 1})")) == "unit\n");
}

TEST_CASE("schema: an unknown word or a lost reference is refused") {
  CHECK_THROWS_AS(schema(R"({"typ": "object"})"), Error);
  CHECK_THROWS_AS(schema(R"({"properties": {"a": {"minimum": 3}}})"), Error);
  CHECK_THROWS_AS(schema(R"({"items": {"$ref": "#/$defs/none"}})"), Error);
  CHECK_THROWS_AS(schema(R"({"items": 3})"), Error);
}

TEST_CASE("schema: check throws the first violation with file and path") {
  try {
    schema(R"({"properties": {"seed": {"type": "integer"}}})")
        .check(json(R"({"seed": "1"})"), "r.json");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.subject() == "r.json: seed");
    CHECK(error.message() == "is a string, expected integer");
  }
}

TEST_CASE("schema/report: a whole report fits, and so does what the code writes") {
  const JsonSchema rules = file_schema("report.json");
  CHECK(paths(rules, plain_report()).empty());
  Json report = plain_report();
  const Series series = {
      .name = "elbo", .x_label = "step", .y_label = "nats", .x = {1, 2}, .y = {1, NAN}};
  report.set("series", Json::array({to_json(series)}));
  const Quantity quantity = {
      .value = 2, .unit = "bits", .kind = "upper_bound", .std_error = 0.5, .n = 3};
  report.set("result", Json::object().set("deep", Json::object().set("er", to_json(quantity))));
  CHECK(paths(rules, report).empty());
}

TEST_CASE("schema/report: a likelihood without its kind is found at any depth") {
  const JsonSchema rules = file_schema("report.json");
  Json report = plain_report();
  report.set("result", json(R"({"a": [{"b": {"value": 1, "unit": "nats"}},
      {"c": {"value": 1, "unit": "nats", "kind": "guess"}}]})"));
  CHECK(paths(rules, report) == "result.a[0].b.kind\nresult.a[1].c.kind\n");
}

TEST_CASE("schema/report: a log p says whether it is a probability or a density") {
  const JsonSchema rules = file_schema("report.json");
  Json report = plain_report();
  Json result = *report.find("result");
  result.erase("measure");
  report.set("result", result);
  CHECK(paths(rules, report) == "result.measure\n");
}

TEST_CASE("schema/report: each required member is missed when it is gone") {
  const JsonSchema rules = file_schema("report.json");
  const Json whole = plain_report();
  for (const auto& [key, value] : whole.members()) {
    Json report = whole;
    report.erase(key);
    CHECK(paths(rules, report) == key + '\n');
  }
}

TEST_CASE("schema/history: a line has a step, and terms that are numbers or null") {
  const JsonSchema rules = file_schema("history.json");
  CHECK(paths(rules, json(R"({"step": 10, "elbo_valid": -98.4, "kl": null, "objective": "elbo"})"))
            .empty());
  CHECK(paths(rules, json(R"({"elbo_valid": -98.4})")) == "step\n");
  CHECK(paths(rules, json(R"({"step": 1.5, "nested": {}})")) == "step\nnested\n");
}

}  // namespace logpx::schema_test
