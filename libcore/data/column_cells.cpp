#include "libcore/data/column_cells.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/date_form.hpp"
#include "libcore/data/number_form.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

std::string number_cell(const ColumnForm& form, double stored) {
  const bool date = is_date_form(form.form), whole = date || form.kind == ColumnKind::whole;
  const double value = form.value_of(whole ? std::round(stored) : stored);
  if (date) return date_text(value, {form.form, static_cast<int>(form.decimals)});
  return number_cell(value, parse_number_form(form.form).value_or(NumberForm{}), form.decimals);
}

namespace {

// Digits behind the point of two that count: "0.026", "310".
std::int64_t behind_point(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 0;
  return static_cast<std::int64_t>(std::clamp(1 - std::floor(std::log10(value)), 0.0, 17.0));
}

std::string two_digits(double value, const NumberForm& form) {
  return number_cell(value, form, behind_point(value));
}

// Days, or the largest unit of a time of which there is at least one.
std::string time_span(double value, bool seconds) {
  struct Unit {
    double size;
    const char* name;
  };
  for (const Unit unit : {Unit{86400, " days"}, Unit{3600, " hours"}, Unit{60, " minutes"}})
    if (!seconds || value >= unit.size)
      return two_digits(seconds ? value / unit.size : value, {}) + unit.name;
  return two_digits(value, {}) + " seconds";
}

}  // namespace

std::string expected_cell(const ColumnForm& form, const CellMoments& expected) {
  const double deviation = form.step * expected.deviation;
  if (is_date_form(form.form))
    return number_cell(form, expected.mean) + " ± " + time_span(deviation, has_time(form.form));
  ColumnForm own = form;
  if (own.decimals == ColumnForm::more_digits) own.decimals = behind_point(deviation);
  const NumberForm marks = parse_number_form(form.form).value_or(NumberForm{});
  return number_cell(own, expected.mean) + " ± " + two_digits(deviation, marks);
}

std::optional<double> value_of_cell(const ColumnForm& form, std::string_view text) {
  if (is_date_form(form.form)) return date_of(text, form.form);
  const NumberForm marks = parse_number_form(form.form).value_or(NumberForm{});
  const auto number = read_measure(text, marks.comma);
  if (!number) return std::nullopt;
  if (number->sign.is_like(marks.sign)) return number->value;
  // The sign of a currency may be left out, but not a %: 0.5 may be meant as 50%.
  const bool may_be_bare = !SignText(marks.sign).is_like({.behind = "%"});
  if (number->sign.has_sign() || !may_be_bare) return std::nullopt;
  return number->value;
}

ColumnCells::ColumnCells(const DatasetInfo& info)
    : info_(&info), words_(info.column_words.by_column(info.dims())) {}

std::span<const std::string> ColumnCells::words(std::int64_t column) const {
  return words_[at(column)];
}

std::string ColumnCells::text(std::int64_t column, double stored) const {
  if (std::isnan(stored)) return "";
  const auto words = words_[at(column)];
  if (!words.empty() && stored >= 0 && stored < static_cast<double>(words.size()) &&
      stored == std::floor(stored))
    return words[static_cast<std::size_t>(stored)];
  if (!words.empty() || info_->column_forms.empty()) {
    if (!std::isfinite(stored)) return "";
    return info_->element == Element::f32 ? to_text(static_cast<float>(stored)) : to_text(stored);
  }
  return std::isfinite(stored) ? number_cell(info_->column_forms[at(column)], stored) : "";
}

std::optional<double> ColumnCells::stored(std::int64_t column, std::string_view text) const {
  const auto words = words_[at(column)];
  if (!words.empty()) {
    const auto word = std::ranges::find(words, text);
    if (word == words.end()) return std::nullopt;
    return static_cast<double>(word - words.begin());
  }
  if (info_->column_forms.empty()) return parse_real(text);
  const ColumnForm& form = info_->column_forms[at(column)];
  const auto value = value_of_cell(form, text);
  if (!value) return std::nullopt;
  return form.stored_of(*value);
}

}  // namespace logpx
