// Dates and times as numbers: days since 1970-01-01, or seconds where the form has a time (since
// midnight where it has no year).
//
//   date_of("2026-11-26", "%Y-%m-%d")             // 20783
//   date_text(20783, {"%d/%m/%Y"})                // "26/11/2026"
//   date_text(45296.5, {"%H:%M:%S", .decimals = 1})  // "12:34:56.5"
//
// A form is %Y %y %m %b %d %H %M %S and letters that stand for themselves; %I is an hour of twelve,
// with %p for AM or PM, %P for am or pm; %% is a percent sign, and a - behind the % leaves out
// leading zeros: %-d.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

// Whether a text is such a form: a day or a month comes with a year.
[[nodiscard]] bool is_date_form(std::string_view form);
// Whether it has a time, so that values are seconds.
[[nodiscard]] bool has_time(std::string_view form);

// The value of a text in this form; nothing for any other text, and for a 30th of February.
[[nodiscard]] std::optional<double> date_of(std::string_view text, std::string_view form);

struct DateText {
  std::string_view form;
  int decimals = 0;  // of seconds
};
// Values before year 0 and after 9999, and times beyond a day, become the nearest that there is.
[[nodiscard]] std::string date_text(double value, DateText how);

// The forms of ISO 8601.
[[nodiscard]] const std::vector<std::string>& iso_forms();
// Others that tables have. Between slashes and hyphens the day may come first, or the month; points
// stand between day, month and year, wherever dates are written so.
[[nodiscard]] const std::vector<std::string>& other_date_forms();

// The form of a date, without leading zeros of days, months and hours if the text has none.
[[nodiscard]] std::string form_as_written(std::string_view form, std::string_view text);

}  // namespace logpx
