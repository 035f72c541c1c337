#include "formats/import/column_survey.hpp"

#include "formats/import/missing_words.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/base/shown_name.hpp"
#include "libcore/data/column_cells.hpp"
#include "libcore/data/date_form.hpp"
#include "libcore/data/number_form.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

constexpr double float_steps = 0x1p24;  // whole numbers up to it are floats
constexpr std::size_t few_signs = 4;    // more are words behind numbers, as in an address
constexpr std::int64_t few_rows = 20;   // whose numbers may well be 1, 2, 3 ...
constexpr double largest_whole = 0x1p53, largest_float = 1e37, smallest_float = 1e-30;
constexpr double most_power = 300;  // of ten, in a step
constexpr int most_decimals = 9, most_whole_digits = 15;

// By how much the floats next to a number differ from it at most.
double rounding_near(double value) { return std::ldexp(1.0, std::ilogb(value) - 24); }

}  // namespace

ColumnSurvey::ColumnSurvey(ColumnCalled called, std::optional<ColumnType> type, Rules rules)
    : called_(std::move(called)), type_(std::move(type)), rules_(rules), doubts_(rules.comma) {
  if (!type_) return;
  const ColumnKind kind = type_->kind;
  const bool words = kind == ColumnKind::word || kind == ColumnKind::ordered ||
                     kind == ColumnKind::id || !type_->words.empty();
  numbers_.all = !words && kind != ColumnKind::date;
  may_be_dates_ = !words && (kind == ColumnKind::date || kind == ColumnKind::constant);
  if (is_date_form(type_->form)) dates_ = DateSurvey(type_->form);
}

void ColumnSurvey::add(const std::string& text, CellPlace place) {
  const bool words = type_ && !numbers_.all && !may_be_dates_;
  if (!words && means_missing(text)) {
    if (maybe_++ == 0) first_maybe_ = {place.text(), text};
    return;
  }
  if (filled_ == 0) first_ = text;
  if (type_) check(text, place);
  if (may_be_dates_) dates_.add(text);
  if (!words && dates_.readings().empty() && !add_number(text) && !type_)
    doubts_.add_word(text, place);
  ++filled_;
}

// Whether it is a number.
bool ColumnSurvey::add_number(const std::string& text) {
  const auto number = read_measure(text, rules_.comma);
  const bool name = !type_ && number && number->decimals == 0 && number->digits > most_whole_digits;
  if (!number || name) {
    numbers_.all = counts_ = false;
    return false;
  }
  const double value = number->value;
  const bool first = numbers_.count++ == 0;
  const bool marked = number->thousands == "," || number->thousands == ".";
  if (rules_.doubtful) see_marks(text, marked);
  see_sign(number->sign);
  numbers_.in_brackets += number->brackets ? 1 : 0;
  if (numbers_.thousands.empty()) numbers_.thousands = number->thousands;
  numbers_.decimals = std::max(numbers_.decimals, number->decimals);
  numbers_.fewest_decimals =
      first ? number->decimals : std::min(numbers_.fewest_decimals, number->decimals);
  numbers_.padded |= number->padded;
  numbers_.whole = numbers_.whole && value == std::floor(value) && std::abs(value) < largest_whole;
  counts_ = counts_ && (first ? value == 0 || value == 1
                              : value == numbers_.min + static_cast<double>(numbers_.count - 1));
  if (rules_.index && numbers_.all && numbers_.whole && value >= 0) numbering_.push_back(value);
  numbers_.min = first ? value : std::min(numbers_.min, value);
  numbers_.max = first ? value : std::max(numbers_.max, value);
  return true;
}

void ColumnSurvey::see_sign(SignText sign) {
  const bool known =
      std::ranges::any_of(numbers_.signs, [&](const NumberSign& one) { return sign.is_like(one); });
  if (!known && numbers_.signs.size() <= few_signs)
    numbers_.signs.push_back({std::string(sign.before), std::string(sign.behind)});
}

// Whether the other reading of its marks would make a number of the cell, too.
void ColumnSurvey::see_marks(const std::string& text, bool marked) {
  if (!read_number(text, !rules_.comma)) marks_are_clear_ = true;
  else if (marked && first_mark_.empty()) first_mark_ = text;
}

// Whether it is one like those before it, or as the form that was said.
bool ColumnSurvey::fits_number(const std::string& text) const {
  const auto number = read_measure(text, rules_.comma);
  if (!number) return false;
  if (type_->form.empty())
    return numbers_.signs.empty() || number->sign.is_like(numbers_.signs.front());
  return number->sign.is_like(parse_number_form(type_->form).value_or(NumberForm{}).sign);
}

bool ColumnSurvey::fits_whole(const std::string& text) const {
  if (!fits_number(text)) return false;
  const double value = read_measure(text, rules_.comma)->value;
  return value == std::floor(value);
}

// What is wrong with a cell of a column whose kind was said.
std::string ColumnSurvey::trouble(const std::string& text) const {
  const ColumnType& type = *type_;
  const bool listed = std::ranges::find(type.words, text) != type.words.end();
  switch (type.kind) {
    case ColumnKind::id: return "";
    case ColumnKind::number: return fits_number(text) ? "" : "is not a number";
    case ColumnKind::whole: return fits_whole(text) ? "" : "is not a whole number";
    case ColumnKind::word:
      return listed || type.words.empty() ? "" : "is none of the words that --type lists";
    case ColumnKind::ordered: return listed ? "" : "is not among " + join_text(type.words, "<");
    case ColumnKind::constant:
      return text == first_ ? "" : "differs from '" + first_ + "', and the column is constant";
    case ColumnKind::date: break;
  }
  if (dates_.takes(text)) return "";
  return dates_.readings().size() == 1
             ? "is not a date of the form " + dates_.readings()[0].form
             : "is not a date such as 2026-11-26, 26.11.2026 or 2026-11-26 12:34:56";
}

void ColumnSurvey::check(const std::string& text, CellPlace place) const {
  const std::string what = trouble(text);
  if (what.empty()) return;
  const bool plain = fits_number(text);
  const bool other_form = type_->kind == ColumnKind::date && !type_->form.empty();
  const std::string date = other_form ? date_form_of(text) : "";
  const std::string instead =
      type_->kind == ColumnKind::ordered ? "ordered:" + join_text(type_->words, "<") + '<' + text
      : type_->kind == ColumnKind::whole && plain                          ? "number"
      : type_->kind == ColumnKind::constant && plain && numbers_.count > 0 ? "number"
      : !date.empty()                                                      ? "date:" + date
                                                                           : "word";
  fail(ErrorKind::data, place.text(), called_.words + ": '" + shown_name(text) + "' " + what,
       "--type " + shell_word(type_->name + '=' + instead) + " takes it" +
           (type_->kind == ColumnKind::ordered ? " as the last word" : ""));
}

bool ColumnSurvey::are_numbers() const {
  // (1), (2), (3) are no numbers below 0.
  return numbers_.all && numbers_.signs.size() == 1 && numbers_.count == filled_ &&
         numbers_.in_brackets < numbers_.count;
}

bool ColumnSurvey::numbers_rows() const {
  const bool all = std::ssize(numbering_) == filled_ && maybe_ + holes_ == 0;
  if (!all || filled_ < 2) return false;
  std::vector<double> sorted = numbering_;
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end();
}

bool ColumnSurvey::has_numbers() const { return are_numbers() || are_dates(); }

std::optional<ColumnSurvey::FirstHole> ColumnSurvey::first_hole() const {
  if (maybe_ == 0 || !has_numbers()) return std::nullopt;
  return first_maybe_;
}

// Origin and step so that floats hold the cells, which lie `unit` apart or less.
void ColumnSurvey::set_origin(FoundColumn& found, double unit) const {
  ColumnForm& form = found.form;
  const double largest = std::max(std::abs(found.min), std::abs(found.max)),
               span = found.max - found.min;
  const bool timed = has_time(form.form);
  form.step = timed ? unit : 1;
  if (largest > largest_float || (largest > 0 && largest < smallest_float))
    form.step =
        std::pow(10.0, std::clamp(std::floor(std::log10(largest)), -most_power, most_power));
  if (largest / unit > float_steps && (timed || span < largest / 2))
    form.origin = timed || largest >= largest_whole ? found.min : std::floor(found.min);
  if (type_ && type_->origin) form.origin = *type_->origin;
  if (type_ && type_->step) form.step = *type_->step;
  if (form.origin != 0 && form.decimals < 0) form.decimals = most_decimals;
  const double reach =
      std::max(std::abs(form.stored_of(found.min)), std::abs(form.stored_of(found.max)));
  if (form.decimals < 0 || reach * form.step / unit <= float_steps) return;
  const std::string most = four_digits(rounding_near(reach) * form.step);
  found.note = "rounded by up to " + most;
  if (form.kind == ColumnKind::whole)
    found.doubts.push_back(
        called_.words + ": spans " + four_digits(reach) +
        " steps, more than floats tell apart: its numbers are rounded by up to " + most);
}

// As programs write numbers: without zeros at the end.
bool ColumnSurvey::has_varied_decimals() const {
  return numbers_.fewest_decimals < numbers_.decimals && !numbers_.padded;
}

FoundColumn ColumnSurvey::found_numbers() const {
  FoundColumn found;
  found.min = numbers_.min;
  found.max = numbers_.max;
  const bool constant = !type_ && found.min == found.max,
             whole = numbers_.whole && (!type_ || type_->kind != ColumnKind::number);
  found.form.kind = type_      ? type_->kind
                    : constant ? ColumnKind::constant
                    : whole    ? ColumnKind::whole
                               : ColumnKind::number;
  found.form.decimals =
      numbers_.decimals > most_decimals ? ColumnForm::more_digits : numbers_.decimals;
  if (type_ && type_->decimals) found.form.decimals = *type_->decimals;
  NumberForm form = parse_number_form(type_ ? type_->form : "").value_or(NumberForm{});
  if (form.thousands.empty()) form.thousands = numbers_.thousands;
  if (!SignText(form.sign).has_sign()) form.sign = numbers_.signs.front();
  form.brackets |= numbers_.in_brackets > 0;
  form.comma = rules_.comma;
  form.varied |= has_varied_decimals();
  found.form.form = to_text(form);
  set_origin(found, whole ? 1 : std::pow(10.0, -std::min(numbers_.decimals, most_decimals)));
  if (!type_ && counts_ && numbers_.count > few_rows && maybe_ + holes_ == 0)
    found.doubts.push_back(called_.words + ": counts the rows; --type " +
                           shell_word(called_.option + "=id") + " leaves it out");
  if (!first_mark_.empty() && !marks_are_clear_) {
    const auto value = [&](bool comma) { return to_text(read_number(first_mark_, comma)->value); };
    found.doubts.push_back(called_.words + ": '" + first_mark_ + "' is taken for " +
                           value(rules_.comma) + "; with --decimal " + (rules_.comma ? '.' : ',') +
                           " it is " + value(!rules_.comma));
  }
  return found;
}

FoundColumn ColumnSurvey::found_dates() const {
  const DateSurvey::Reading& dates = dates_.readings()[0];
  FoundColumn found;
  found.min = dates.min;
  found.max = dates.max;
  const bool constant = !type_ && found.min == found.max;
  found.form.kind = type_ ? type_->kind : constant ? ColumnKind::constant : ColumnKind::date;
  found.form.form = dates.form;
  found.form.decimals = dates.decimals;
  set_origin(found, has_time(dates.form) ? dates.unit : 1);
  return found;
}

// "--type when=date:%d/%m/%Y reads such dates, or date:%m/%d/%Y in its place"
std::string ColumnSurvey::ways_to_read_dates() const {
  const std::vector<DateSurvey::Reading>& ways = dates_.readings();
  return "--type " + shell_word(called_.option + "=date:" + ways[0].form) + " reads such dates" +
         (ways.size() > 1 ? ", or " + ways[1].form + " in its place" : "");
}

// "M, K": of numbers that are words only since their units differ.
std::string ColumnSurvey::signs_in_doubt() const {
  if (numbers_.signs.size() > few_signs || numbers_.signs.size() < 2) return "";
  std::vector<std::string> shown;
  for (const NumberSign& sign : numbers_.signs) shown.push_back(SignText(sign).shown());
  return join_text(shown, ", ");
}

FoundColumn ColumnSurvey::found_words() const {
  FoundColumn found;
  found.has_words = true;
  found.form.kind = type_ ? type_->kind : ColumnKind::word;
  if (type_) return found;
  if (!dates_.readings().empty())
    found.doubts.push_back(called_.words + ": '" + shown_name(first_) + "' may be a date; " +
                           ways_to_read_dates());
  for (std::string& doubt : doubts_.found(called_, {numbers_.count, filled_, signs_in_doubt()},
                                          maybe_ > 0 ? first_maybe_.text : ""))
    found.doubts.push_back(std::move(doubt));
  return found;
}

FoundColumn ColumnSurvey::found() const {
  if (are_numbers()) return found_numbers();
  if (type_ && type_->kind == ColumnKind::date && dates_.readings().size() > 1)
    fail(ErrorKind::data, called_.words,
         "'" + shown_name(first_) + "' and the like are dates that can be read in two ways",
         ways_to_read_dates());
  return are_dates() ? found_dates() : found_words();
}

}  // namespace logpx
