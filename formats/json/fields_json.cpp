#include "formats/json/fields_json.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"

namespace logpx {
namespace {

Json list_json(const Field& field) {
  Json array = Json::array();
  for (const std::string& item : field.items()) {
    const auto integer = field.items_are_numbers() ? parse_integer(item) : std::nullopt;
    const auto real = field.items_are_numbers() ? parse_real(item) : std::nullopt;
    array.push(integer ? Json(*integer) : real ? Json(*real) : Json(item));
  }
  return array;
}

Json value_json(const Field& field) {
  const std::string text = field.text();
  switch (field.type()) {
    case FieldType::flag: return text == "true";
    case FieldType::integer:
      if (const auto value = parse_integer(text)) return *value;
      return parse_unsigned(text).value();
    case FieldType::real: return parse_real(text).value();
    case FieldType::list: return list_json(field);
    case FieldType::text:
    case FieldType::word: break;
  }
  return text;
}

std::string scalar_text(const Json& value) {
  if (value.is_string()) return value.string();
  if (value.is_bool()) return value.boolean() ? "true" : "false";
  return value.dump(-1);
}

const char* expected_word(FieldType type) {
  switch (type) {
    case FieldType::flag: return "true or false";
    case FieldType::integer: return "a whole number";
    case FieldType::real: return "a number";
    case FieldType::list: return "an array";
    case FieldType::text:
    case FieldType::word: break;
  }
  return "a string";
}

// A size or an interval may be a number or a text; a word is never a number.
bool fits(const Field& field, const Json& value) {
  switch (field.type()) {
    case FieldType::flag: return value.is_bool();
    case FieldType::integer:
    case FieldType::real: return value.is_number() || value.is_string();
    case FieldType::list: return value.is_array();
    case FieldType::text: return value.is_string() || value.is_number();
    case FieldType::word: break;
  }
  return value.is_string();
}

struct Spot {
  Json* parent;
  std::string name;
};

Spot nested_spot(Json& root, const std::string& key) {
  Json* at = &root;
  const std::vector<std::string> parts = split_text(key, '.');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (at->find(parts[i]) == nullptr) at->set(parts[i], Json::object());
    at = at->find(parts[i]);
  }
  return {at, parts.back()};
}

void read_object(Fields& fields, const Json& object, const std::string& prefix,
                 const std::string& file, Origin origin);

void read_member(Fields& fields, const std::string& key, const Json& value, const std::string& file,
                 Origin origin) {
  Field* field = fields.find_key(key);
  if (field == nullptr && value.is_object()) {
    for (const Field& other : fields.all())
      if (other.key().starts_with(key + '.'))
        return read_object(fields, value, key + '.', file, origin);
  }
  if (field == nullptr || field->is_external()) {
    std::vector<std::string> known;
    for (const Field& other : fields.all())
      if (!other.is_external()) known.push_back(other.key());
    fail(ErrorKind::usage, file, "unknown setting " + key + did_you_mean(key, known));
  }
  const std::string subject = file + ": " + key;
  if (!fits(*field, value))
    fail(ErrorKind::usage, subject,
         std::string("is ") + value.type_word() + ", expected " + expected_word(field->type()));
  if (field->type() != FieldType::list) return field->read(scalar_text(value), subject, origin);
  std::vector<std::string> items;
  for (const Json& item : value.items()) items.push_back(scalar_text(item));
  field->read_items(items, subject, origin);
}

void read_object(Fields& fields, const Json& object, const std::string& prefix,
                 const std::string& file, Origin origin) {
  for (const auto& [name, value] : object.members())
    read_member(fields, prefix + name, value, file, origin);
}

const Json* nested_find(const Json& root, const std::string& key) {
  const Json* at = &root;
  for (const std::string& part : split_text(key, '.'))
    if (at = at->find(part); at == nullptr) return nullptr;
  return at;
}

}  // namespace

Json settings_json(const Fields& fields) {
  Json settings = Json::object();
  for (const Field& field : fields.all()) {
    if (field.is_external() || !field.is_set()) continue;
    const Spot spot = nested_spot(settings, field.key());
    spot.parent->set(spot.name, value_json(field));
  }
  return settings;
}

void read_settings(Fields& fields, const Json& settings, const std::string& file, Origin origin) {
  if (!settings.is_object())
    fail(ErrorKind::usage, file,
         std::string("is ") + settings.type_word() + ", expected settings {...}");
  read_object(fields, settings, "", file, origin);
}

std::vector<SettingChange> settings_changes(const Fields& fields, const Json& stored) {
  std::vector<SettingChange> changes;
  const Json now = settings_json(fields);
  for (const Field& field : fields.all()) {
    if (field.is_external()) continue;
    const Json* before = nested_find(stored, field.key());
    const Json* after = nested_find(now, field.key());
    if ((before == nullptr) == (after == nullptr) && (before == nullptr || *before == *after))
      continue;
    changes.push_back({field.key(), before == nullptr ? "absent" : before->dump(-1),
                       after == nullptr ? "absent" : after->dump(-1)});
  }
  return changes;
}

}  // namespace logpx
