// What the words of a column may have been meant as: dates of another form, numbers with other
// marks, a missing value.
//
//   WordDoubts doubts(false);
//   doubts.add_word("31/01/1999", {"t.csv", 2});
//   const auto found = doubts.found({"column 1 (born)", "born"}, {.cells = 1}, "");
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

struct CellPlace {
  const std::string& file;
  std::uint64_t line;

  [[nodiscard]] std::string text() const { return file + ':' + std::to_string(line); }
};

// How a column is called in messages ("column 2 (age)"), and by --type ("age").
struct ColumnCalled {
  std::string words, option;
};

class WordDoubts {
 public:
  // Whether decimals follow a comma.
  explicit WordDoubts(bool comma) : comma_(comma) {}
  // A cell that is no number, and one that is.
  void add_word(const std::string& text, CellPlace place);
  void add_number() { dates_ = 0; }

  struct Counts {
    std::int64_t numbers = 0, percents = 0, cells = 0;
  };
  // The column is one of words; `hole`: its first "?" or the like.
  [[nodiscard]] std::vector<std::string> found(const ColumnCalled& called, Counts counts,
                                               const std::string& hole) const;
  // The first form, none of ISO's, of dates such as this one; nothing for all else.
  [[nodiscard]] static std::string date_form(std::string_view text);

 private:
  [[nodiscard]] std::string what_else(const ColumnCalled& called, Counts counts) const;

  bool comma_;
  std::uint64_t dates_ = ~std::uint64_t{0};  // the forms, as bits, that fit all cells so far
  std::string first_, place_;                // the first that is no number
};

}  // namespace logpx
