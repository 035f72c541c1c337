// The columns of a table from their cells: what each holds, what is left out, and how a cell is
// stored. Cells come twice: first all of them, and once more for the words.
//
//   SurveyedColumns columns;
//   columns.add({{"column 1 (pet)", "pet"}, {}, {}}, "pet");
//   for (const char* cell : {"cat", "dog"}) columns.survey(0).add(cell, {"t.csv", 2});
//   if (columns.find_kinds())
//     for (const char* cell : {"cat", "dog"}) columns.add_word(0, cell);
//   columns.finish();
//   const float number = columns.stored(0, "dog");   // 1
#pragma once

#include "formats/import/column_survey.hpp"
#include "formats/import/word_lists.hpp"
#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace logpx {

class SurveyedColumns {
 public:
  void add(ColumnSurvey survey, std::string name);
  [[nodiscard]] std::size_t count() const { return columns_.size(); }
  [[nodiscard]] ColumnSurvey& survey(std::size_t column) { return columns_[column].survey; }

  // After the first pass: what is no word is known. Whether a second one is needed.
  [[nodiscard]] bool find_kinds();
  [[nodiscard]] bool wants_words(std::size_t column) const { return columns_[column].wants_words; }
  void add_word(std::size_t column, std::string_view word);
  // After the second: columns of too many words are ids. A data error where no column is left.
  void finish();

  [[nodiscard]] bool is_left_out(std::size_t column) const {
    return !columns_[column].left_out.empty();
  }
  // What x holds for the text of a cell; NaN for a hole.
  [[nodiscard]] float stored(std::size_t column, std::string_view text) const;
  // Names, forms, words and ids of the columns that are left.
  void describe(DatasetInfo& info) const;
  [[nodiscard]] bool have_holes() const;
  // The first "?" or the like that is a hole, with the words that call its column.
  struct Hole {
    std::string place, called, text;
  };
  [[nodiscard]] std::optional<Hole> first_hole() const;
  // A line a column, for people; and what may not have been meant.
  [[nodiscard]] std::vector<std::string> lines() const;
  [[nodiscard]] std::vector<std::string> doubts() const;

 private:
  struct Column {
    ColumnSurvey survey;
    std::string name;
    FoundColumn found = {};
    bool wants_words = false;
    WordList words;
    std::vector<std::string> sorted = {};
    std::unordered_map<std::string_view, float> numbers = {};
    std::string left_out = {};  // why
  };
  [[nodiscard]] std::string says(const Column& column) const;

  std::vector<Column> columns_;
  std::size_t words_kept_ = 0;
};

}  // namespace logpx
