// Whether all cells of a column are dates of one form, and of which.
//
//   DateSurvey dates;
//   dates.add("02/03/1999");     // the day may come first, or the month
//   dates.add("31/03/1999");
//   dates.reading()->form;       // "%d/%m/%Y"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace logpx {

class DateSurvey {
 public:
  DateSurvey() = default;
  // The form was said.
  explicit DateSurvey(const std::string& form) : readings_{{.form = form, .fixed = true}} {}

  void add(const std::string& text);
  // Whether the cell is a date like those before it.
  [[nodiscard]] bool takes(std::string_view text) const;

  struct Reading {
    std::string form;
    bool fixed = false;  // it stays as it is, whatever zeros a cell leaves out
    int decimals = 0;    // of seconds
    double min = 0, max = 0;
    double unit = 0;  // the largest of day, hour, minute and second that fits all times
  };
  // The ways to read all cells so far; none before the first, where no form was said.
  [[nodiscard]] const std::vector<Reading>& readings() const { return readings_; }
  // The only way, if it needs no second look: 1.2.24 may be the number of a version.
  [[nodiscard]] const Reading* reading() const;

 private:
  bool begun_ = false;
  std::vector<Reading> readings_;
};

// The first known form that a text has; empty: none.
[[nodiscard]] std::string date_form_of(std::string_view text);

}  // namespace logpx
