#include "formats/json/value.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace logpx {
namespace {

constexpr std::size_t max_depth = 200;       // of nesting: deeper input is hostile
constexpr std::size_t inline_columns = 100;  // arrays of scalars up to here stay on one line

std::string quoted(const std::string& text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string real_text(double value) {
  if (!std::isfinite(value)) fail(ErrorKind::numeric, "", "a result is not finite");
  std::string text = to_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Builds a Json from nlohmann's events.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {}

  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(std::int64_t{value}); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto limit = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return value <= limit ? add(static_cast<std::int64_t>(value)) : add(std::uint64_t{value});
  }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    if (open_.back().find(value) != nullptr)
      fail(ErrorKind::data, name_, "key " + path() + value + " is given twice");
    keys_.back() = value;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    fail(ErrorKind::data, place(position), reason(error.what()));
  }

  [[nodiscard]] Json result() { return std::move(result_); }

 private:
  bool add(Json value) {
    if (open_.empty()) result_ = std::move(value);
    else if (open_.back().is_object()) open_.back().set(keys_.back(), std::move(value));
    else open_.back().push(std::move(value));
    return true;
  }
  bool open(Json container) {
    if (open_.size() == max_depth) fail(ErrorKind::data, name_, "is nested too deeply");
    open_.push_back(std::move(container));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    Json whole = std::move(open_.back());
    open_.pop_back();
    keys_.pop_back();
    return add(std::move(whole));
  }
  [[nodiscard]] std::string path() const {
    std::string text;
    for (std::size_t i = 0; i + 1 < keys_.size(); ++i)
      if (!keys_[i].empty()) text += keys_[i] + '.';
    return text;
  }
  [[nodiscard]] std::string place(std::size_t position) const {
    const std::string_view before = text_.substr(0, position == 0 ? 0 : position - 1);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n');
    const std::size_t column =
        before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    return name_ + ':' + std::to_string(line) + ':' + std::to_string(column);
  }
  // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing
  // object key - invalid literal; last read: '{x'; expected string literal": the middle is enough.
  static std::string reason(std::string what) {
    if (const auto end = what.find("; last read"); end != std::string::npos) what.resize(end);
    if (const auto dash = what.rfind(" - "); dash != std::string::npos) what.erase(0, dash + 3);
    else if (const auto bracket = what.find("] "); bracket != std::string::npos)
      what.erase(0, bracket + 2);
    return "not JSON: " + what;
  }

  std::string name_;
  std::string_view text_;
  std::vector<Json> open_;
  std::vector<std::string> keys_;  // of the member being read, per open container
  Json result_;
};

[[noreturn]] void wrong_type(const char* expected, const Json& value) {
  fail(ErrorKind::data, "", std::string("is ") + value.type_word() + ", expected " + expected);
}

}  // namespace

Json::Json(float value) : data_(0.0) {
  const double exact = static_cast<double>(value);
  data_ = std::isfinite(value) ? *parse_real(to_text(value)) : exact;
}

bool Json::is_integer() const {
  return std::holds_alternative<std::int64_t>(data_) ||
         std::holds_alternative<std::uint64_t>(data_);
}

bool Json::is_number() const { return is_integer() || std::holds_alternative<double>(data_); }

const char* Json::type_word() const {
  if (is_null()) return "null";
  if (is_bool()) return "a boolean";
  if (is_number()) return "a number";
  if (is_string()) return "a string";
  return is_array() ? "an array" : "an object";
}

bool Json::boolean() const {
  if (!is_bool()) wrong_type("a boolean", *this);
  return std::get<bool>(data_);
}

double Json::number() const {
  if (const auto* value = std::get_if<std::int64_t>(&data_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&data_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<double>(&data_)) return *value;
  wrong_type("a number", *this);
}

std::int64_t Json::integer() const {
  if (const auto* value = std::get_if<std::int64_t>(&data_)) return *value;
  if (const auto* value = std::get_if<std::uint64_t>(&data_))
    if (std::in_range<std::int64_t>(*value)) return static_cast<std::int64_t>(*value);
  if (const auto* value = std::get_if<double>(&data_))
    if (*value == std::floor(*value) && std::abs(*value) <= 0x1p53)
      return static_cast<std::int64_t>(*value);
  wrong_type("a whole number", *this);
}

std::uint64_t Json::unsigned_integer() const {
  if (const auto* value = std::get_if<std::uint64_t>(&data_)) return *value;
  const std::int64_t value = integer();
  if (value < 0) wrong_type("a number of at least 0", *this);
  return static_cast<std::uint64_t>(value);
}

const std::string& Json::string() const {
  if (!is_string()) wrong_type("a string", *this);
  return std::get<std::string>(data_);
}

const Json::Array& Json::items() const& {
  if (!is_array()) wrong_type("an array", *this);
  return std::get<Array>(data_);
}

const Json::Object& Json::members() const& {
  if (!is_object()) wrong_type("an object", *this);
  return std::get<Object>(data_);
}

std::size_t Json::size() const { return is_object() ? members().size() : items().size(); }

const Json* Json::find(std::string_view key) const {
  if (const auto* object = std::get_if<Object>(&data_))
    for (const auto& [name, value] : *object)
      if (name == key) return &value;
  return nullptr;
}

Json* Json::find(std::string_view key) {
  return const_cast<Json*>(static_cast<const Json*>(this)->find(key));
}

const Json& Json::at(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) fail(ErrorKind::data, "", "has no key " + std::string(key));
  return *value;
}

const Json& Json::at(std::size_t index) const {
  const Array& array = items();
  if (index >= array.size()) fail(ErrorKind::data, "", "has no item " + std::to_string(index));
  return array[index];
}

Json& Json::set(std::string key, Json value) {
  LOGPX_ASSERT(is_object());
  if (Json* present = find(key); present != nullptr) *present = std::move(value);
  else std::get<Object>(data_).emplace_back(std::move(key), std::move(value));
  return *this;
}

Json& Json::push(Json value) {
  LOGPX_ASSERT(is_array());
  std::get<Array>(data_).push_back(std::move(value));
  return *this;
}

void Json::erase(std::string_view key) {
  LOGPX_ASSERT(is_object());
  std::erase_if(std::get<Object>(data_), [&](const Member& member) { return member.first == key; });
}

namespace {

std::string flat_text(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return value.boolean() ? "true" : "false";
  if (value.is_string()) return quoted(value.string());
  if (value.is_number()) {
    if (!value.is_integer()) return real_text(value.number());
    return value.number() < 0 ? std::to_string(value.integer())
                              : std::to_string(value.unsigned_integer());
  }
  std::string text = value.is_array() ? "[" : "{";
  bool first = true;
  const auto separate = [&] {
    if (!first) text += ", ";
    first = false;
  };
  if (value.is_array())
    for (const Json& item : value.items()) separate(), text += flat_text(item);
  else
    for (const auto& [key, item] : value.members())
      separate(), text += quoted(key) + ": " + flat_text(item);
  return text + (value.is_array() ? ']' : '}');
}

bool stays_inline(const Json& value) {
  if (!value.is_array()) return !value.is_object() || value.size() == 0;
  const auto& items = value.items();
  return std::none_of(items.begin(), items.end(), [](const Json& item) {
    return (item.is_array() || item.is_object()) && item.size() > 0;
  });
}

void write_indented(const Json& value, std::size_t indent, std::size_t depth, std::string& out) {
  const std::string inner((depth + 1) * indent, ' ');
  if (stays_inline(value)) {
    const std::string text = flat_text(value);
    if (!value.is_array() || value.size() == 0 || inner.size() + text.size() <= inline_columns) {
      out += text;
      return;
    }
  }
  out += value.is_array() ? "[\n" : "{\n";
  bool first = true;
  const auto separate = [&] {
    out += (first ? "" : ",\n") + inner;
    first = false;
  };
  if (value.is_array())
    for (const Json& item : value.items()) separate(), write_indented(item, indent, depth + 1, out);
  else
    for (const auto& [key, item] : value.members()) {
      separate();
      out += quoted(key) + ": ";
      write_indented(item, indent, depth + 1, out);
    }
  out += '\n' + std::string(depth * indent, ' ') + (value.is_array() ? ']' : '}');
}

}  // namespace

std::string Json::dump(int indent) const {
  if (indent < 0) return flat_text(*this);
  std::string text;
  write_indented(*this, static_cast<std::size_t>(indent), 0, text);
  return text;
}

Json Json::parse(std::string_view text, const std::string& name) {
  Builder builder(name, text);
  constexpr bool strict = true, ignore_comments = true;
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder,
                            nlohmann::json::input_format_t::json, strict, ignore_comments);
  return builder.result();
}

std::string json_library_version() {
  return std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + '.' +
         std::to_string(NLOHMANN_JSON_VERSION_MINOR) + '.' +
         std::to_string(NLOHMANN_JSON_VERSION_PATCH);
}

}  // namespace logpx
