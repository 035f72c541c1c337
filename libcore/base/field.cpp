#include "libcore/base/field.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx {
namespace {

std::string dashes(std::string name, char to) {
  for (char& c : name)
    if (c == '-' || (c == '.' && to == '-')) c = to;
  return name;
}

std::string range_words(double low, double high) {
  if (std::isinf(high)) return "at least " + to_text(low);
  return "between " + to_text(low) + " and " + to_text(high);
}

}  // namespace

Field& Field::range(double low, double high) {
  limits_ = {low, high};
  return *this;
}
Field& Field::at_least(double low) { return range(low, std::numeric_limits<double>::infinity()); }
Field& Field::unit(std::string text) { return unit_ = std::move(text), *this; }
Field& Field::source(std::string text) { return source_ = std::move(text), *this; }
Field& Field::rank(Rank rank) { return rank_ = rank, *this; }
Field& Field::short_name(char letter) { return short_name_ = letter, *this; }
Field& Field::metavar(std::string text) { return metavar_ = std::move(text), *this; }
Field& Field::required() { return required_ = true, *this; }
Field& Field::stands_alone() { return stands_alone_ = external_ = true, *this; }
Field& Field::external() { return external_ = true, *this; }
Field& Field::positional() { return positional_ = external_ = true, *this; }
Field& Field::whole_items() { return whole_items_ = true, *this; }
Field& Field::setting() { return external_ = false, *this; }
Field& Field::files(std::string pattern) { return files_ = std::move(pattern), *this; }
Field& Field::output() { return output_ = external_ = true, *this; }
Field& Field::writes(std::vector<std::string> formats, std::string chooser) {
  formats_ = std::move(formats);
  format_chooser_ = std::move(chooser);
  if (formats_.size() == 1) files_ = "*." + formats_.front();
  if (formats_.size() > 1) files_ = "*.{" + join_text(formats_, ",") + '}';
  return *this;
}
Field& Field::about(std::string text) { return about_ = std::move(text), *this; }
Field& Field::shows_default(std::string text) { return shown_default_ = std::move(text), *this; }
Field& Field::hidden_default() { return hidden_default_ = true, *this; }

std::string Field::option() const { return "--" + dashes(name_, '-'); }
std::string Field::key() const { return dashes(name_, '_'); }

std::string Field::metavar() const {
  if (!metavar_.empty()) return metavar_;
  switch (type_) {
    case FieldType::flag: return "";
    case FieldType::integer: return "N";
    case FieldType::real: return "R";
    case FieldType::word: return "WORD";
    case FieldType::list: return "LIST";
    case FieldType::text: break;
  }
  return "TEXT";
}

std::string Field::default_text() const {
  if (hidden_default_ || required_ || positional_) return "";
  std::string text = shown_default_.empty() ? initial_ : shown_default_;
  if (type_ == FieldType::flag && shown_default_.empty()) text = initial_ == "true" ? "on" : "";
  if (text.empty()) return "";
  if (!unit_.empty() && shown_default_.empty()) text += ' ' + unit_;
  if (!source_.empty()) text += ", " + source_;
  return text;
}

void Field::widen(const Field& other) {
  if (other.type_ != type_) type_ = FieldType::text;
  rank_ = std::min(rank_, other.rank_);
  if (limits_ && other.limits_)
    limits_ = {std::min(limits_->first, other.limits_->first),
               std::max(limits_->second, other.limits_->second)};
  else limits_.reset();
  for (const Choice& choice : other.choices_)
    if (std::ranges::find(choices_, choice.word, &Choice::word) == choices_.end())
      choices_.push_back(choice);
}

std::vector<std::string> Field::words() const {
  std::vector<std::string> words;
  for (const Choice& choice : choices_) words.push_back(choice.word);
  return words;
}

std::vector<std::string> Field::items() const {
  LOGPX_ASSERT(list_ != nullptr);
  return list_();
}

Field& Field::unset_while(std::function<bool()> holds) {
  has_value_ = [has_value = has_value_, holds = std::move(holds)] {
    return !holds() && (has_value == nullptr || has_value());
  };
  return *this;
}

Field& Field::refuses(std::string word, std::string why, std::string hint) {
  refusals_.push_back({std::move(word), std::move(why), std::move(hint)});
  return *this;
}

Field& Field::when(Condition condition) {
  needs_.push_back({.condition = std::move(condition), .wanted = true});
  return *this;
}

Field& Field::unless(Condition condition) {
  needs_.push_back({.condition = std::move(condition), .wanted = false});
  return *this;
}

std::string Field::goes_with() const {
  std::string text;
  for (const Need& need : needs_)
    text += (text.empty() ? "" : ", ") + std::string(need.wanted ? "with " : "not with ") +
            need.condition.says;
  return text;
}

std::string Field::unread_because() const {
  for (const Need& need : needs_)
    if (need.condition.holds() != need.wanted)
      return (need.wanted ? "goes with " : "does nothing with ") + need.condition.says;
  return "";
}

void Field::check_refusals(const std::string& text) const {
  for (const Refusal& refusal : refusals_)
    if (text == refusal.word)
      fail(ErrorKind::usage, "", "'" + text + "' " + refusal.why, refusal.hint);
}

void Field::read(std::string_view text, const std::string& subject, Origin origin) {
  read_repeated({std::string(text)}, subject, origin);
}

void Field::read_repeated(const std::vector<std::string>& texts, const std::string& subject,
                          Origin origin) {
  try {
    if (clear_) clear_();
    for (const std::string& text : texts) {
      check_refusals(text);
      read_(text);
      if (!limits_ || (type_ != FieldType::integer && type_ != FieldType::real)) continue;
      const auto value = parse_real(write_());
      if (value && (*value < limits_->first || *value > limits_->second))
        fail(ErrorKind::usage, "",
             "'" + text + "' is not " + range_words(limits_->first, limits_->second));
    }
  } catch (const Error& error) {
    throw error.within(subject);
  }
  origin_ = origin;
}

void Field::read_items(const std::vector<std::string>& items, const std::string& subject,
                       Origin origin) {
  LOGPX_ASSERT(append_item_ != nullptr);
  try {
    clear_();
    for (const std::string& item : items) append_item_(item);
  } catch (const Error& error) {
    throw error.within(subject);
  }
  origin_ = origin;
}

}  // namespace logpx
