#include "formats/import/date_survey.hpp"

#include "libcore/data/date_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace logpx {
namespace {

constexpr std::array time_units = {86400.0, 3600.0, 60.0, 1.0};

bool is_multiple(double value, double unit) { return std::fmod(value, unit) == 0; }

// The largest of day, hour, minute and second that all times are multiples of, or the last digit.
double common_unit(double unit, double value, int decimals) {
  for (const double one : time_units)
    if (one <= unit && is_multiple(value, one)) return one;
  return std::pow(10.0, -decimals);
}

// Digits of the seconds of a time.
int digits_behind_point(std::string_view text) {
  const std::string_view behind = text.substr(std::min(text.size(), text.rfind('.') + 1));
  return static_cast<int>(std::min(behind.find_first_not_of("0123456789"), behind.size()));
}

// "+02:00" at the end of a time, which all times of a column share.
std::string_view offset_of(std::string_view text) {
  constexpr std::string_view like = "+00:00";
  const std::string_view end = text.substr(text.size() - std::min(text.size(), like.size()));
  const bool is_offset = (end.starts_with('+') || end.starts_with('-')) &&
                         date_of(end.substr(1), "%H:%M").has_value() && end.size() == like.size();
  return is_offset ? end : std::string_view{};
}

std::vector<DateSurvey::Reading> readings_of(std::string_view text) {
  std::vector<DateSurvey::Reading> readings;
  const std::string offset(offset_of(text));
  for (const std::string& form : iso_forms()) {
    if (date_of(text, form)) readings.push_back({.form = form, .fixed = true});
    else if (!offset.empty() && has_time(form) && date_of(text, form + offset))
      readings.push_back({.form = form + offset, .fixed = true});
  }
  for (const std::string& form : other_date_forms())
    if (date_of(text, form)) readings.push_back({.form = form});
  return readings;
}

// Adds a cell; false where it is no date of this form.
bool take_date(DateSurvey::Reading& reading, const std::string& text, bool first) {
  if (!reading.fixed) reading.form = form_as_written(reading.form, text);
  const auto value = date_of(text, reading.form);
  if (!value) return false;
  if (*value != std::floor(*value))
    reading.decimals = std::max(reading.decimals, digits_behind_point(text));
  reading.unit = common_unit(first ? time_units[0] : reading.unit, *value, reading.decimals);
  reading.min = first ? *value : std::min(reading.min, *value);
  reading.max = first ? *value : std::max(reading.max, *value);
  return true;
}

}  // namespace

void DateSurvey::add(const std::string& text) {
  if (!begun_ && readings_.empty()) readings_ = readings_of(text);
  std::erase_if(readings_, [&](Reading& one) { return !take_date(one, text, !begun_); });
  begun_ = true;
}

bool DateSurvey::takes(std::string_view text) const {
  if (!begun_ && readings_.empty()) return !readings_of(text).empty();
  return std::ranges::any_of(
      readings_, [&](const Reading& one) { return date_of(text, one.form).has_value(); });
}

const DateSurvey::Reading* DateSurvey::reading() const {
  const bool one = begun_ && readings_.size() == 1;
  return one && readings_[0].form != "%-d.%-m.%y" ? readings_.data() : nullptr;
}

std::string date_form_of(std::string_view text) {
  const std::vector<DateSurvey::Reading> readings = readings_of(text);
  return readings.empty() ? "" : form_as_written(readings[0].form, text);
}

}  // namespace logpx
