// A JSON value as plain data. Objects keep their order; numbers are shortest decimals; parsing
// refuses repeated keys and says line and column. nlohmann/json stays inside value.cpp.
//
//   Json report = Json::object();
//   report.set("tool", "inspect").set("seed", 1).set("shape", Json::array({28, 28, 1}));
//   std::string text = report.dump();
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace logpx {

class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;  // null
  Json(bool value) : data_(value) {}
  Json(int value) : data_(std::int64_t{value}) {}
  Json(std::int64_t value) : data_(value) {}
  Json(std::uint64_t value) : data_(value) {}
  Json(double value) : data_(value) {}
  Json(float value);  // through its shortest decimal: 0.1f is written 0.1
  Json(const char* text) : data_(std::string(text)) {}
  Json(std::string_view text) : data_(std::string(text)) {}
  Json(std::string text) : data_(std::move(text)) {}
  Json(Array items) : data_(std::move(items)) {}
  template <typename T>
  static Json array_of(const std::vector<T>& items) {
    Array array;
    for (const auto& item : items) array.emplace_back(item);
    return array;
  }
  static Json object() { return Json(Object{}); }
  static Json object(Object members) { return Json(std::move(members)); }
  static Json array(std::initializer_list<Json> items = {}) { return Json(Array(items)); }

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  [[nodiscard]] bool is_bool() const { return std::holds_alternative<bool>(data_); }
  [[nodiscard]] bool is_integer() const;
  [[nodiscard]] bool is_number() const;
  [[nodiscard]] bool is_string() const { return std::holds_alternative<std::string>(data_); }
  [[nodiscard]] bool is_array() const { return std::holds_alternative<Array>(data_); }
  [[nodiscard]] bool is_object() const { return std::holds_alternative<Object>(data_); }
  [[nodiscard]] const char* type_word() const;  // "null", "number", "object" ...

  // A wrong type is a data error without subject; the caller puts file and path in front.
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] std::uint64_t unsigned_integer() const;
  [[nodiscard]] const std::string& string() const;
  // Only for named values: a range-for over parts of a temporary would read destroyed memory.
  [[nodiscard]] const Array& items() const&;
  [[nodiscard]] const Object& members() const&;
  const Array& items() const&& = delete;
  const Object& members() const&& = delete;
  [[nodiscard]] std::size_t size() const;  // of an array or object

  [[nodiscard]] const Json* find(std::string_view key) const;  // nullptr when absent or no object
  [[nodiscard]] Json* find(std::string_view key);
  [[nodiscard]] const Json& at(std::string_view key) const;  // data error when absent
  [[nodiscard]] const Json& at(std::size_t index) const;

  Json& set(std::string key, Json value);  // adds or replaces; returns *this
  Json& push(Json value);
  void erase(std::string_view key);

  // indent < 0: one line. Non-finite numbers are a numeric error: JSON has none.
  [[nodiscard]] std::string dump(int indent = 2) const;
  // `name` is the file for messages: "a.json:3:7: ...". Comments are allowed.
  [[nodiscard]] static Json parse(std::string_view text, const std::string& name);

  friend bool operator==(const Json&, const Json&) = default;

 private:
  explicit Json(Object members) : data_(std::move(members)) {}
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array,
               Object>
      data_;
};

[[nodiscard]] std::string json_library_version();

}  // namespace logpx
