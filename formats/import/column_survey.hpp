// What the cells of a column of a table are, by all of them: numbers, whole ones, dates or words.
//
//   ColumnSurvey survey({"column 2 (age)", "age"}, {}, {.comma = false});
//   survey.add("41", {"t.csv", 2});
//   const FoundColumn found = survey.found();   // whole, form "", 0 decimals
#pragma once

#include "formats/import/column_types.hpp"
#include "formats/import/date_survey.hpp"
#include "formats/import/word_doubts.hpp"
#include "libcore/data/columns.hpp"
#include "libcore/data/number_form.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

// A column once all cells have been seen. Those of words wait for their words.
struct FoundColumn {
  ColumnForm form;
  bool has_words = false;                // and is no constant number
  double min = 0, max = 0;               // of numbers, in the units of the table
  std::string note = {};                 // "floats hold it to 0.03", for the line about the column
  std::vector<std::string> doubts = {};  // warnings
};

class ColumnSurvey {
 public:
  struct Rules {
    bool comma = false;     // decimals follow a comma
    bool doubtful = false;  // that was not said, and the file is cut by ;, as where they follow one
    bool index = false;     // it may number the rows: the first column, without a name
  };
  // `type` says what the column is, if somebody said it.
  ColumnSurvey(ColumnCalled called, std::optional<ColumnType> type, Rules rules);

  // Adds a cell that is not empty. A data error where it does not fit the kind that was said.
  void add(const std::string& text, CellPlace place);
  void add_hole() { ++holes_; }

  [[nodiscard]] FoundColumn found() const;
  // Whether "?" and the like are holes, since all other cells are numbers or dates.
  [[nodiscard]] bool has_numbers() const;
  // None where "?" and the like are all that its cells hold.
  [[nodiscard]] std::int64_t filled() const { return filled_ + (are_holes() ? 0 : maybe_); }
  [[nodiscard]] std::int64_t holes() const { return holes_ + (are_holes() ? maybe_ : 0); }
  // "t.csv:5" and the text of the first "?" or the like that is a hole.
  struct FirstHole {
    std::string place, text;
  };
  [[nodiscard]] std::optional<FirstHole> first_hole() const;
  // Whether the cells of a first column without a name number the rows, in whatever order.
  [[nodiscard]] bool numbers_rows() const;
  [[nodiscard]] const std::string& called() const { return called_.words; }
  [[nodiscard]] const std::optional<ColumnType>& type() const { return type_; }

 private:
  struct Numbers {
    bool all = true, whole = true;
    std::vector<NumberSign> signs;  // that differ, or none; the first few
    std::string thousands;          // the mark between them, of the first that has one
    std::int64_t count = 0, in_brackets = 0;
    int decimals = 0, fewest_decimals = 0;
    bool padded = false;
    double min = 0, max = 0;
  };
  [[nodiscard]] bool add_number(const std::string& text);
  void see_sign(SignText sign);
  void see_marks(const std::string& text, bool marked);
  void check(const std::string& text, CellPlace place) const;
  [[nodiscard]] std::string trouble(const std::string& text) const;
  [[nodiscard]] bool fits_number(const std::string& text) const;
  [[nodiscard]] bool fits_whole(const std::string& text) const;
  [[nodiscard]] bool are_numbers() const;
  [[nodiscard]] bool are_holes() const {
    return filled_ == 0 || has_numbers();
  }  // "?" and the like
  [[nodiscard]] bool has_varied_decimals() const;
  // What may be dates is, where somebody said so.
  [[nodiscard]] bool are_dates() const {
    return type_ ? dates_.readings().size() == 1 : dates_.reading() != nullptr;
  }
  [[nodiscard]] std::string ways_to_read_dates() const;
  [[nodiscard]] std::string signs_in_doubt() const;
  [[nodiscard]] FoundColumn found_numbers() const;
  [[nodiscard]] FoundColumn found_dates() const;
  [[nodiscard]] FoundColumn found_words() const;
  void set_origin(FoundColumn& found, double unit) const;

  ColumnCalled called_;
  std::optional<ColumnType> type_;
  Rules rules_;
  Numbers numbers_;
  bool may_be_dates_ = true;
  DateSurvey dates_;
  std::int64_t filled_ = 0, maybe_ = 0, holes_ = 0;  // maybe_: "?" and the like
  std::vector<double> numbering_;                    // the cells, where they may number the rows
  bool counts_ = true;                               // the cells are k, k + 1 ... from 0 or 1
  std::string first_, first_mark_;  // the first cell; the first whose marks may be read two ways
  bool marks_are_clear_ = false;    // of some cell that has one reading alone
  WordDoubts doubts_;
  FirstHole first_maybe_;
};

}  // namespace logpx
