// The part of JSON that structures use. Text that anyone may have written is read within bounds,
// and errors name the line. (Files belong to formats; this reads a text inside a model.)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace logpx::pc {

struct JsonValue {
  enum class Kind { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  double number = 0;  // a boolean is 0 or 1
  std::string text = {};
  std::vector<JsonValue> items = {};   // of a list, or values of an object
  std::vector<double> numbers = {};    // of a list of numbers, in place of items
  std::vector<std::string> keys = {};  // of an object
  int line = 1;

  // The value under a key, or null where there is none.
  [[nodiscard]] const JsonValue* find(std::string_view key) const;
};

// Throws a data error that names `name` and the line. Accepts 32 levels of nesting and a million
// values besides the numbers of lists.
[[nodiscard]] JsonValue read_json(std::string_view text, const std::string& name);

// "a \"b\"" in quotes.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace logpx::pc
