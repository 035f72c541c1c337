#include "libcore/data/date_form.hpp"

#include <doctest/doctest.h>

namespace logpx::date_form_test {

TEST_CASE("dates: a day is a number of days, a time one of seconds, and both come back") {
  CHECK(date_of("1970-01-01", "%Y-%m-%d") == 0);
  CHECK(date_of("2026-11-26", "%Y-%m-%d") == 20783);
  CHECK(date_of("1969-12-31", "%Y-%m-%d") == -1);
  CHECK(date_of("2000-02-29 12:34", "%Y-%m-%d %H:%M") == 951827640);
  CHECK(date_of("12:34:56.5", "%H:%M:%S") == 45296.5);
  CHECK(date_text(45296.5, {"%H:%M:%S", 1}) == "12:34:56.5");
  CHECK(date_text(20783, {"%d/%m/%Y"}) == "26/11/2026");
  CHECK(date_text(20783.4, {"%-d %b %y"}) == "26 Nov 26");
  CHECK(date_of("5 mar 69", "%-d %b %y") == -302);
  CHECK(date_of("2026-02", "%Y-%m") == date_of("2026-02-01", "%Y-%m-%d"));
}

TEST_CASE("dates: every day from 1600 to 2400 comes back") {
  for (int day = -135140; day < 157054; ++day) {
    const std::string text = date_text(day, {"%Y-%m-%d"});
    REQUIRE(date_of(text, "%Y-%m-%d") == day);
  }
}

TEST_CASE("dates: hours may be those of a clock with hands") {
  constexpr std::string_view form = "%m/%d/%Y %I:%M %p";
  for (const int hour : {0, 1, 11, 12, 13, 23}) {
    const double value = *date_of("2024-02-03", "%Y-%m-%d") * 86400 + hour * 3600 + 300;
    CHECK(date_of(date_text(value, {form}), form) == value);
  }
  CHECK(date_text(0, {form}) == "01/01/1970 12:00 AM");
  CHECK(date_of("12:30 PM", "%I:%M %p") == 45000);
  CHECK(date_of("12:30 am", "%I:%M %P") == 1800);
  CHECK(!date_of("13:30 PM", "%I:%M %p"));
  CHECK(!date_of("0:30 AM", "%I:%M %p"));
  CHECK(form_as_written(form, "2/3/2024 9:05 PM") == "%-m/%-d/%Y %-I:%M %p");
}

TEST_CASE("dates: a form leaves out leading zeros where a text has none") {
  CHECK(form_as_written("%d.%m.%Y", "1.2.2024") == "%-d.%-m.%Y");
  CHECK(form_as_written("%d.%m.%Y", "01.02.2024") == "%d.%m.%Y");
  CHECK(form_as_written("%d.%m.%Y", "11.12.2024") == "%d.%m.%Y");
  CHECK(form_as_written("%m/%d/%Y %H:%M", "1/5/2024 9:30") == "%-m/%-d/%Y %-H:%M");
  CHECK(form_as_written("%d.%m.%Y", "no date") == "%d.%m.%Y");
}

TEST_CASE("dates: what is no day is no date") {
  for (const char* text : {"2026-02-30", "2026-13-01", "2026-00-10", "26-01-01", "2026-01-01 ", "",
                           "2026-1-", "1900-02-29"})
    CHECK(!date_of(text, "%Y-%m-%d"));
  CHECK(!date_of("24:00", "%H:%M"));
  CHECK(!date_of("12:60", "%H:%M"));
}

TEST_CASE("dates: what a model draws beyond the calendar becomes the nearest date") {
  CHECK(date_text(1e18, {"%Y-%m-%d"}) == "9999-12-31");
  CHECK(date_text(-1e18, {"%Y-%m-%d"}) == "0000-01-01");
  CHECK(date_text(86400, {"%H:%M:%S"}) == "23:59:59");
  CHECK(date_text(-5, {"%H:%M"}) == "00:00");
  CHECK(date_text(59.9996, {"%H:%M:%S", 3}) == "00:01:00.000");
}

TEST_CASE("dates: a form has a year for its days, and nothing twice") {
  for (const std::string& form : iso_forms()) CHECK(is_date_form(form));
  for (const std::string& form : other_date_forms()) CHECK(is_date_form(form));
  CHECK(is_date_form("%d.%m.%y, %H Uhr 100%%"));
  for (const char* form : {"", "Y-m-d", "%d/%m", "%Y-%d", "%Y %y", "%m %b %Y", "%H:%H", "%q",
                           "%I:%M", "%H %p", "%Y%", "%Y%-"})
    CHECK(!is_date_form(form));
  CHECK(has_time("%Y %H"));
  CHECK(!has_time("%Y-%m-%d Hour"));
}

}  // namespace logpx::date_form_test
