#include "formats/import/column_types.hpp"

#include "formats/file/input.hpp"
#include "formats/json/value.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/data/date_form.hpp"
#include "libcore/data/number_form.hpp"

#include <algorithm>
#include <set>

namespace logpx {
namespace {

constexpr const char* type_option = "--type";
const std::vector<std::string> kind_words = {"number",  "whole", "date",    "word",
                                             "ordered", "id",    "constant"};

ColumnKind kind_of(const std::string& word, const std::string& said) {
  if (const auto kind = column_kind(word)) return *kind;
  fail(ErrorKind::usage, type_option,
       "'" + said + "': " + (word.empty() ? "no kind" : "'" + word + "' is no kind of column") +
           did_you_mean(word, kind_words),
       "kinds are " + join_text(kind_words, ", "));
}

// What follows the colon: the words of ordered ones, the form of dates and numbers.
void take_detail(ColumnType& type, const std::string& detail, const std::string& said) {
  const auto refuse = [&](const std::string& what) {
    fail(ErrorKind::usage, type_option, "'" + said + "': " + what);
  };
  switch (type.kind) {
    case ColumnKind::ordered:
      type.words = split_text(detail, '<');
      if (std::set(type.words.begin(), type.words.end()).size() != type.words.size())
        refuse("has a word twice");
      if (type.words.size() < 2) refuse("wants its words in their order: small<medium<large");
      return;
    case ColumnKind::date:
      if (!detail.empty() && !is_date_form(detail))
        refuse("'" + detail + "' is no form of dates such as %d/%m/%Y or %Y-%m-%d %H:%M:%S");
      break;
    case ColumnKind::number:
    case ColumnKind::whole:
      if (!parse_number_form(detail))
        refuse("'" + detail + "' is no form of numbers such as thousands, percent or before:$");
      break;
    default:
      if (!detail.empty()) refuse("nothing follows " + std::string(word_of(type.kind)));
  }
  type.form = detail;
}

ColumnType type_of_text(const std::string& said) {
  for (std::size_t equals = said.find('='); equals != std::string::npos;
       equals = said.find('=', equals + 1)) {
    const std::size_t colon = said.find(':', equals);
    const std::string word = said.substr(equals + 1, colon - equals - 1);
    const bool last = said.find('=', equals + 1) == std::string::npos;
    if (!last && !column_kind(word)) continue;
    ColumnType type{.name = said.substr(0, equals), .kind = kind_of(word, said)};
    take_detail(type, colon == std::string::npos ? "" : said.substr(colon + 1), said);
    return type;
  }
  fail(ErrorKind::usage, type_option,
       "'" + said + "' is neither NAME=KIND nor a file that ends in .json");
}

// The columns in a report of inspect, in what is under its result, or the list alone.
const Json& columns_of(const Json& json) {
  if (json.is_array()) return json;
  if (const Json* const result = json.find("result")) return columns_of(*result);
  return json.at("columns");
}

ColumnType type_of_json(const Json& json) {
  ColumnType type;
  if (const Json* name = json.find("name")) type.name = name->string();
  const auto kind = column_kind(json.at("kind").string());
  if (!kind)
    fail(ErrorKind::data, "kind", "'" + json.at("kind").string() + "' is no kind of column");
  type.kind = *kind;
  if (const Json* form = json.find("form")) type.form = form->string();
  if (const Json* words = json.find("words"))
    for (const Json& word : words->items()) type.words.push_back(word.string());
  if (const Json* origin = json.find("origin")) type.origin = origin->number();
  if (const Json* step = json.find("step")) type.step = step->number();
  if (const Json* decimals = json.find("decimals")) type.decimals = decimals->integer();
  if (std::set(type.words.begin(), type.words.end()).size() != type.words.size())
    fail(ErrorKind::data, "words", "has a word twice");
  if (type.kind == ColumnKind::id || (type.kind == ColumnKind::date && type.form.empty()))
    return type;
  check_form({.kind = type.kind,
              .origin = type.origin.value_or(0),
              .step = type.step.value_or(1),
              .decimals = type.decimals.value_or(0),
              .form = type.form});
  return type;
}

std::vector<ColumnType> types_of_file(const std::string& path) {
  const Json json = Json::parse(read_text_file(path), path);
  std::vector<ColumnType> types;
  try {
    const Json& columns = columns_of(json);
    for (const Json& column : columns.items()) {
      types.push_back(type_of_json(column));
      if (types.back().name.empty()) types.back().name = std::to_string(types.size());
    }
  } catch (const Error& error) {
    throw Error(ErrorKind::data, path,
                "column " + std::to_string(types.size() + 1) + ": " + error.what(),
                "inspect DATASET.h5 > t.json writes such a file");
  }
  return types;
}

}  // namespace

std::vector<ColumnType> column_types(const std::vector<std::string>& option) {
  if (option.size() == 1 && option[0].ends_with(".json")) return types_of_file(option[0]);
  std::vector<ColumnType> types;
  for (const std::string& said : option) types.push_back(type_of_text(said));
  return types;
}

}  // namespace logpx
