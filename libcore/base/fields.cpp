#include "libcore/base/fields.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"

#include <algorithm>
#include <limits>

namespace logpx {
namespace {

// Readers throw with an empty subject; Field::read puts in front what the user wrote.
[[noreturn]] void bad_value(std::string_view text, const std::string& expected) {
  fail(ErrorKind::usage, "", "'" + std::string(text) + "' is not " + expected);
}

template <typename T>
T required_value(std::optional<T> value, std::string_view text, const char* expected) {
  if (!value) bad_value(text, expected);
  return *value;
}

std::int64_t read_integer(std::string_view text) {
  return required_value(parse_integer(text), text, "a whole number");
}

bool read_switch(std::string_view text) {
  if (text == "true" || text == "on" || text == "yes") return true;
  if (text == "false" || text == "off" || text == "no") return false;
  bad_value(text, "true or false");
}

double read_real(std::string_view text) {
  return required_value(parse_real(text), text, "a number");
}

}  // namespace

Field& Fields::append(std::string name, FieldType type, std::string help, Reader read,
                      std::function<std::string()> write) {
  Field& field = fields_.emplace_back();
  field.name_ = std::move(name);
  field.type_ = type;
  field.help_ = std::move(help);
  field.group_ = group_;
  field.read_ = std::move(read);
  field.write_ = std::move(write);
  field.initial_ = field.write_();
  return field;
}

Field& Fields::add(std::string name, bool& value, std::string help) {
  return append(
      std::move(name), FieldType::flag, std::move(help),
      [&value](std::string_view text) { value = read_switch(text); },
      [&value] { return std::string(value ? "true" : "false"); });
}

Field& Fields::add(std::string name, std::optional<bool>& value, std::string help) {
  Field& field = append(
      std::move(name), FieldType::flag, std::move(help),
      [&value](std::string_view text) { value = read_switch(text); },
      [&value] {
        return std::string(!value ? "" : *value ? "true" : "false");
      });
  field.has_value_ = [&value] { return value.has_value(); };
  return field;
}

Field& Fields::add_count(std::string name, int& value, std::string help) {
  return append(
      std::move(name), FieldType::flag, std::move(help), [&value](std::string_view) { ++value; },
      [&value] { return std::string(value > 0 ? "true" : "false"); });
}

Field& Fields::add(std::string name, int& value, std::string help) {
  const auto read = [&value](std::string_view text) {
    const std::int64_t wide = read_integer(text);
    if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
      bad_value(text, "a number of this size");
    value = static_cast<int>(wide);
  };
  return append(std::move(name), FieldType::integer, std::move(help), read,
                [&value] { return std::to_string(value); });
}

Field& Fields::add(std::string name, std::int64_t& value, std::string help) {
  return append(
      std::move(name), FieldType::integer, std::move(help),
      [&value](std::string_view text) { value = read_integer(text); },
      [&value] { return std::to_string(value); });
}

Field& Fields::add(std::string name, std::uint64_t& value, std::string help) {
  const auto read = [&value](std::string_view text) {
    value = required_value(parse_unsigned(text), text, "a whole number of at least 0");
  };
  return append(std::move(name), FieldType::integer, std::move(help), read,
                [&value] { return std::to_string(value); });
}

Field& Fields::add(std::string name, double& value, std::string help) {
  return append(
      std::move(name), FieldType::real, std::move(help),
      [&value](std::string_view text) { value = read_real(text); },
      [&value] { return to_text(value); });
}

Field& Fields::add(std::string name, std::string& value, std::string help) {
  return append(
      std::move(name), FieldType::text, std::move(help),
      [&value](std::string_view text) { value = text; }, [&value] { return value; });
}

Field& Fields::add(std::string name, Bytes& value, std::string help) {
  const auto read = [&value](std::string_view text) {
    value = required_value(parse_bytes(text), text, "a size (such as 64Mi or 1500)");
  };
  return append(std::move(name), FieldType::integer, std::move(help), read,
                [&value] { return std::to_string(value.value); })
      .metavar("SIZE")
      .at_least(0);
}

Field& Fields::add(std::string name, Duration& value, std::string help) {
  const auto read = [&value](std::string_view text) {
    value = required_value(parse_duration(text), text, "a duration (such as 90s, 15m or 2h)");
  };
  return append(std::move(name), FieldType::real, std::move(help), read,
                [&value] { return to_text(value); })
      .metavar("TIME")
      .unit("s")
      .at_least(0);
}

Field& Fields::add(std::string name, Interval& value, std::string help) {
  const auto read = [&value](std::string_view text) {
    value = required_value(parse_interval(text), text,
                           "an interval (such as 500, 2epochs, 5000samples or 10m)");
  };
  return append(std::move(name), FieldType::text, std::move(help), read,
                [&value] { return to_text(value); })
      .metavar("INTERVAL");
}

Field& Fields::add(std::string name, std::optional<std::int64_t>& value, std::string help) {
  Field& field = append(
      std::move(name), FieldType::integer, std::move(help),
      [&value](std::string_view text) { value = read_integer(text); },
      [&value] { return value ? std::to_string(*value) : std::string(); });
  field.has_value_ = [&value] { return value.has_value(); };
  return field;
}

Field& Fields::add(std::string name, std::optional<double>& value, std::string help) {
  Field& field = append(
      std::move(name), FieldType::real, std::move(help),
      [&value](std::string_view text) { value = read_real(text); },
      [&value] { return value ? to_text(*value) : std::string(); });
  field.has_value_ = [&value] { return value.has_value(); };
  return field;
}

Field& Fields::add(std::string name, std::optional<std::string>& value, std::string help) {
  Field& field = append(
      std::move(name), FieldType::text, std::move(help),
      [&value](std::string_view text) { value = std::string(text); },
      [&value] { return value.value_or(""); });
  field.has_value_ = [&value] { return value.has_value(); };
  return field;
}

Field& Fields::add(std::string name, std::optional<RowRange>& value, std::string help) {
  const auto read = [&value](std::string_view text) {
    value = required_value(parse_rows(text), text, "a range of rows A:B with A <= B");
  };
  Field& field = append(std::move(name), FieldType::text, std::move(help), read,
                        [&value] { return value ? to_text(*value) : std::string(); });
  field.has_value_ = [&value] { return value.has_value(); };
  return field.metavar("A:B");
}

Field& Fields::add(std::string name, std::vector<std::string>& value, std::string help) {
  const auto append_item = [&value](std::string_view text) { value.emplace_back(text); };
  Field& field = append(std::move(name), FieldType::list, std::move(help), nullptr,
                        [&value] { return join_list(value); });
  // A path may hold a comma, so positionals are taken whole.
  field.read_ = [&field, append_item](std::string_view text) {
    if (field.positional_ || field.whole_items_) return append_item(text);
    for (const std::string& item :
         required_value(split_list(text), text, "a list such as a,\"b, c\",d"))
      append_item(item);
  };
  field.append_item_ = append_item;
  field.clear_ = [&value] { value.clear(); };
  field.list_ = [&value] { return value; };
  return field;
}

Field& Fields::add(std::string name, std::vector<std::int64_t>& value, std::string help) {
  const auto append_item = [&value](std::string_view text) { value.push_back(read_integer(text)); };
  const auto list = [&value] {
    std::vector<std::string> items;
    for (const std::int64_t item : value) items.push_back(std::to_string(item));
    return items;
  };
  Field& field = append(
      std::move(name), FieldType::list, std::move(help),
      [append_item](std::string_view text) {
        for (const std::string& item : split_text(text, ',')) append_item(item);
      },
      [list] { return join_text(list(), ","); });
  field.append_item_ = append_item;
  field.clear_ = [&value] { value.clear(); };
  field.list_ = list;
  field.numbers_ = true;
  return field.metavar("N,N...");
}

Field& Fields::add(std::string name, std::vector<double>& value, std::string help) {
  const auto append_item = [&value](std::string_view text) { value.push_back(read_real(text)); };
  const auto list = [&value] {
    std::vector<std::string> items;
    for (const double item : value) items.push_back(to_text(item));
    return items;
  };
  Field& field = append(
      std::move(name), FieldType::list, std::move(help),
      [append_item](std::string_view text) {
        for (const std::string& item : split_text(text, ',')) append_item(item);
      },
      [list] { return join_text(list(), ","); });
  field.append_item_ = append_item;
  field.clear_ = [&value] { value.clear(); };
  field.list_ = list;
  field.numbers_ = true;
  return field.metavar("R,R...");
}

Field& Fields::add_word(std::string name, std::string& value, std::vector<Choice> choices,
                        std::string help) {
  return add_choice(
      std::move(name), std::move(choices), [&value](std::string_view word) { value = word; },
      [&value] { return value; }, std::move(help));
}

Field& Fields::add_enum(std::string name, std::vector<Choice> choices,
                        std::function<void(std::size_t)> set, std::function<std::size_t()> get,
                        std::string help) {
  const auto take = [choices, set = std::move(set)](std::string_view word) {
    const auto found = std::ranges::find(choices, word, &Choice::word);
    set(static_cast<std::size_t>(found - choices.begin()));
  };
  const auto write = [choices, get = std::move(get)] { return choices[get()].word; };
  return add_choice(std::move(name), choices, take, write, std::move(help));
}

Field& Fields::add_choice(std::string name, std::vector<Choice> choices, Reader take,
                          std::function<std::string()> write, std::string help) {
  Field& field =
      append(std::move(name), FieldType::word, std::move(help), nullptr, std::move(write));
  field.choices_ = std::move(choices);
  field.read_ = [words = field.words(), take = std::move(take)](std::string_view text) {
    if (std::ranges::find(words, text) == words.end())
      fail(ErrorKind::usage, "",
           "'" + std::string(text) + "' is not one of: " + join_text(words, ", ") +
               did_you_mean(text, words));
    take(text);
  };
  return field;
}

Field& Fields::add_for(const std::vector<Field*>& others, std::string help,
                       std::optional<std::string>& text) {
  Field* const first = others.front();
  Field& field = fields_.emplace_back(*first);
  field.help_ = std::move(help);
  field.group_ = group_;
  for (const Field* other : others) field.widen(*other);
  // What one of them does nothing with is out anyway; what they go with must be so for all. Whether
  // it holds, only the one knows that is chosen later.
  field.needs_.clear();
  for (const Field* other : others)
    for (const Field::Need& need : other->needs_) {
      const auto same = [&](const Field::Need& known) {
        return known.wanted == need.wanted && known.condition.says == need.condition.says;
      };
      const auto has_it = [&](const Field* f) { return std::ranges::any_of(f->needs_, same); };
      const bool new_to_us = !has_it(&field), of_all = std::ranges::all_of(others, has_it);
      if (new_to_us && (!need.wanted || of_all)) {
        field.needs_.push_back(need);
        field.needs_.back().condition.holds = [wanted = need.wanted] { return wanted; };
      }
    }
  field.write_ = [&text, initial = field.initial_] { return text.value_or(initial); };
  field.has_value_ = [&text] { return text.has_value(); };
  if (first->append_item_) {  // a list is kept by the first
    field.read_ = [first, &text](std::string_view given) {
      first->read_(given);
      text = first->text();
    };
    field.append_item_ = [first, &text](std::string_view item) {
      first->append_item_(item);
      text = first->text();
    };
    return field;
  }
  field.read_ = [others, &text](std::string_view given) {
    std::optional<Error> refusal;
    for (Field* other : others) try {
        other->read(given, "", Origin::option);
        text = other->text();
        return;
      } catch (const Error& error) {
        if (!refusal) refusal.emplace(error);
      }
    throw Error(*refusal);
  };
  return field;
}

Field* Fields::find_key(std::string_view key) {
  for (Field& field : fields_)
    if (field.key() == key) return &field;
  return nullptr;
}

const Field* Fields::find_key(std::string_view key) const {
  return const_cast<Fields*>(this)->find_key(key);
}

Field* Fields::find_option(std::string_view option) {
  for (Field& field : fields_)
    if (!field.positional_ && field.rank_ != Rank::set_only && field.option() == option)
      return &field;
  return nullptr;
}

const Field* Fields::find_option(std::string_view option) const {
  return const_cast<Fields*>(this)->find_option(option);
}

void Fields::set(std::string_view assignment, Origin origin) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0)
    fail(ErrorKind::usage, "--set", "'" + std::string(assignment) + "' is not KEY=VALUE");
  const std::string key(assignment.substr(0, equals));
  Field* field = find_key(key);
  // A positional that decides a result is a setting like any other; a file name is not.
  const auto settable = [](const Field& f) { return !f.is_positional() || !f.is_external(); };
  if (field == nullptr || !settable(*field)) {
    std::vector<std::string> known;
    for (const Field& other : fields_)
      if (settable(other)) known.push_back(other.key());
    fail(ErrorKind::usage, "--set", "unknown setting " + key + did_you_mean(key, known));
  }
  field->read(assignment.substr(equals + 1), "--set " + key, origin);
}

}  // namespace logpx
