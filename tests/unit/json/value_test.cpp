#include "formats/json/value.hpp"
#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <utility>

namespace logpx::value_test {
namespace {

std::string error_of(const std::string& text) {
  try {
    (void)Json::parse(text, "a.json");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  return "no error";
}

// Whether the code may walk over the members of such a value.
template <typename Value>
constexpr bool walks = requires(Value&& value) {
  std::forward<Value>(value).members();
};

}  // namespace

TEST_CASE("json: members of a value that nobody keeps are not walked") {
  CHECK(walks<const Json&>);
  CHECK_FALSE(walks<Json>);
}

TEST_CASE("json: what is written is read back, in order") {
  Json json = Json::object();
  json.set("zeta", 1).set("alpha", Json::array({1.5, "text", true, Json()}));
  json.set("nested", Json::object().set("big", std::uint64_t{18446744073709551615u}));
  CHECK(Json::parse(json.dump(), "a") == json);
  CHECK(Json::parse(json.dump(-1), "a") == json);
  CHECK(json.dump(-1) == R"({"zeta": 1, "alpha": [1.5, "text", true, null], )"
                         R"("nested": {"big": 18446744073709551615}})");
}

TEST_CASE("json: floats are written by their shortest decimal, whole reals stay reals") {
  CHECK(Json(0.1f).dump() == "0.1");
  CHECK(Json(0.1).dump() == "0.1");
  CHECK(Json(2.0).dump() == "2.0");
  CHECK(Json(-1e300).dump() == "-1e+300");
  CHECK_FALSE(Json::parse("2.0", "a").is_integer());
}

TEST_CASE("json: a number that is not finite is a numeric error") {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    try {
      (void)Json(value).dump();
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::numeric);
    }
  }
}

TEST_CASE("json: errors say file, line and column; repeated keys are refused; comments are not") {
  CHECK(error_of("{\n  \"a\": 1,,\n}").starts_with("a.json:2:10: not JSON"));
  CHECK(error_of("{\"a\": 1, \"a\": 2}") == "a.json: key a is given twice");
  CHECK(error_of("{\"b\": {\"a\": 1, \"a\": 2}}") == "a.json: key b.a is given twice");
  CHECK(error_of("{\"a\": 1} x").starts_with("a.json:1:10: not JSON"));
  CHECK(error_of("").starts_with("a.json:1:1: not JSON"));
  CHECK(error_of("{\"a\": 1e999}").starts_with("a.json:1:"));
  CHECK(error_of("{ /* why */ \"a\": 1 // so\n }") == "no error");
  CHECK(error_of(std::string(100000, '[')) == "a.json: is nested too deeply");
}

TEST_CASE("json: a wrong type says what is there and what was expected") {
  const Json json = Json::parse("{\"a\": \"text\"}", "a.json");
  CHECK_THROWS_WITH_AS((void)json.at("a").number(), "is a string, expected a number", Error);
  CHECK_THROWS_WITH_AS((void)json.at("b"), "has no key b", Error);
  CHECK_THROWS_WITH_AS((void)Json(1.5).integer(), "is a number, expected a whole number", Error);
}

}  // namespace logpx::value_test
