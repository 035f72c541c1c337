// What the words of a column may have been meant as: numbers with other marks, a missing value.
//
//   WordDoubts doubts(false);
//   doubts.add_word("#12", {"t.csv", 2});
//   const auto found = doubts.found({"column 1 (place)", "place"}, {.cells = 1}, "");
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
  // A cell that is no number.
  void add_word(const std::string& text, CellPlace place);

  struct Counts {
    std::int64_t numbers = 0, cells = 0;
    std::string signs = {};  // "M, K", if the numbers differ in that
  };
  // The column is one of words; `hole`: its first "?" or the like.
  [[nodiscard]] std::vector<std::string> found(const ColumnCalled& called, const Counts& counts,
                                               const std::string& hole) const;

 private:
  [[nodiscard]] std::string what_else(const ColumnCalled& called, const Counts& counts) const;

  bool comma_;
  std::string first_, place_;  // the first that is no number
};

}  // namespace logpx
