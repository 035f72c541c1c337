#include "formats/json/schema.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/base/fields.hpp"

#include <algorithm>
#include <string_view>

namespace logpx {

namespace {

constexpr std::string_view definitions = "#/$defs/";

const std::vector<std::string>& known_words() {
  static const std::vector<std::string> words = {"type",        "const",
                                                 "enum",        "required",
                                                 "properties",  "additionalProperties",
                                                 "items",       "$ref",
                                                 "$defs",       "title",
                                                 "description", "$schema",
                                                 "$id",         "dependentSchemas"};
  return words;
}

std::string member_path(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + '.' + key;
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_integer();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

// One word or a list of words.
std::vector<std::string> words_of(const Json& words) {
  if (words.is_string()) return {words.string()};
  std::vector<std::string> result;
  for (const Json& word : words.items()) result.push_back(word.string());
  return result;
}

// A value as a message shows it: short, and without quotes around numbers.
std::string shown(const Json& value) {
  const std::string text = value.dump(-1);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

std::string allowed(const Json& values) {
  std::vector<std::string> words;
  for (const Json& value : values.items())
    words.push_back(value.is_string() ? value.string() : value.dump(-1));
  return join_text(words, ", ");
}

}  // namespace

JsonSchema::JsonSchema(Json schema) : schema_(std::move(schema)) { check_words(schema_, "schema"); }

void JsonSchema::check_words(const Json& schema, const std::string& path) const {
  if (schema.is_bool()) return;
  if (!schema.is_object()) fail(ErrorKind::data, path, "is not a schema: expected an object");
  for (const auto& [word, content] : schema.members()) {
    const auto& known = known_words();
    if (std::find(known.begin(), known.end(), word) == known.end())
      fail(ErrorKind::data, path, "has the unknown word " + word + did_you_mean(word, known));
    if (word == "$ref") (void)resolved(schema);
    if (word == "items" || word == "additionalProperties")
      check_words(content, member_path(path, word));
    if (word == "properties" || word == "$defs" || word == "dependentSchemas")
      for (const auto& [name, inner] : content.members())
        check_words(inner, member_path(member_path(path, word), name));
  }
}

const Json& JsonSchema::resolved(const Json& schema) const {
  const Json* reference = schema.find("$ref");
  if (reference == nullptr) return schema;
  const std::string& target = reference->string();
  const Json* all = schema_.find("$defs");
  const Json* found = all != nullptr && target.starts_with(definitions)
                          ? all->find(target.substr(definitions.size()))
                          : nullptr;
  if (found == nullptr || found->find("$ref") != nullptr)
    fail(ErrorKind::data, "schema", "$ref " + target + " leads to no definition");
  return *found;
}

void JsonSchema::visit(const Json& reference, const Json& value, const std::string& path,
                       std::vector<SchemaViolation>& found) const {
  if (reference.is_bool()) {
    if (!reference.boolean()) found.push_back({path, "is not allowed here"});
    return;
  }
  const Json& schema = resolved(reference);
  if (const Json* type = schema.find("type")) {
    const std::vector<std::string> types = words_of(*type);
    const auto fits = [&](const std::string& word) { return has_type(value, word); };
    if (std::none_of(types.begin(), types.end(), fits)) {
      found.push_back(
          {path, std::string("is ") + value.type_word() + ", expected " + join_text(types, ", ")});
      return;
    }
  }
  if (const Json* only = schema.find("const"); only != nullptr && !(*only == value))
    found.push_back({path, "is " + shown(value) + ", expected " + shown(*only)});
  if (const Json* choices = schema.find("enum"))
    if (std::find(choices->items().begin(), choices->items().end(), value) ==
        choices->items().end())
      found.push_back({path, "is " + shown(value) + ", expected one of " + allowed(*choices)});
  if (const Json* items = schema.find("items"); items != nullptr && value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      visit(*items, value.at(i), path + '[' + std::to_string(i) + ']', found);
  if (value.is_object()) visit_object(schema, value, path, found);
}

void JsonSchema::visit_object(const Json& schema, const Json& value, const std::string& path,
                              std::vector<SchemaViolation>& found) const {
  if (const Json* required = schema.find("required"))
    for (const Json& key : required->items())
      if (value.find(key.string()) == nullptr)
        found.push_back({member_path(path, key.string()), "is missing"});
  const Json* properties = schema.find("properties");
  const Json* others = schema.find("additionalProperties");
  for (const auto& [key, member] : value.members()) {
    const Json* property = properties != nullptr ? properties->find(key) : nullptr;
    if (property == nullptr) property = others;
    if (property != nullptr) visit(*property, member, member_path(path, key), found);
  }
  if (const Json* dependent = schema.find("dependentSchemas"))
    for (const auto& [key, inner] : dependent->members())
      if (value.find(key) != nullptr) visit(inner, value, path, found);
}

std::vector<SchemaViolation> JsonSchema::violations(const Json& value) const {
  std::vector<SchemaViolation> found;
  visit(schema_, value, "", found);
  return found;
}

void JsonSchema::check(const Json& value, const std::string& subject) const {
  const std::vector<SchemaViolation> found = violations(value);
  if (found.empty()) return;
  const SchemaViolation& first = found.front();
  fail(ErrorKind::data, first.path.empty() ? subject : subject + ": " + first.path, first.message);
}

}  // namespace logpx
