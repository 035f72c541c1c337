// What words of a table may have been meant as.
#include "tests/support/foreign_files.hpp"

#include <doctest/doctest.h>

namespace logpx::word_doubts_test {

using namespace logpx::testing;

namespace {

using Words = std::vector<std::string>;

Words doubts(const std::string& text) {
  return pack("csv", bytes_of(text), ImportOptions()).record.warnings;
}

}  // namespace

TEST_CASE("word doubts: dates that can be read in two ways are words, and both ways are named") {
  CHECK(doubts("when,x\n2/3/2024,1\n4/5/2024,2\n") ==
        Words{"column 1 (when): '2/3/2024' may be a date; --type when=date:%-d/%-m/%Y reads such "
              "dates, or %-m/%-d/%Y in its place"});
  CHECK(doubts("the day,x\n2.3.24,1\n31.12.23,2\n") ==
        Words{"column 1 (the day): '2.3.24' may be a date; --type 'the day=date:%-d.%-m.%y' reads "
              "such dates"});
  CHECK(doubts("when,x\n02/03/2024,1\nsoon,2\n").empty());
}

TEST_CASE("word doubts: a sign that makes words of numbers is named") {
  CHECK(doubts("rank,x\n#12,1\n#7,2\n") ==
        Words{"column 1 (rank): '#12' is a number but for '#', and so a word; without it the "
              "column is one of numbers"});
  CHECK(doubts("pay,x\n$12,1\n€7,2\n") ==
        Words{"column 1 (pay): its numbers have different signs or units ($, €), so they are "
              "words"});
  CHECK(doubts("size,x\n1.5M,1\n12K,2\n7,3\n").size() == 1);
  CHECK(doubts("flat,x\nB 12,1\nC 7,2\n").empty());
  CHECK(doubts("number,x\n000-12-3456,1\n000-12-3457,2\n").empty());
}

TEST_CASE("word doubts: what stands for a missing value elsewhere is a word among words") {
  CHECK(
      doubts("job,x\nclerk,1\n?,2\nnurse,3\n") ==
      Words{"column 1 (job): '?' is one of its words; --na '?' if it stands for a missing value"});
}

TEST_CASE("word doubts: a column with a name that counts the rows may be an id") {
  std::string text = "row,x\n";
  for (int i = 1; i <= 25; ++i) text += std::to_string(i) + "," + std::to_string(i % 3) + ".5\n";
  CHECK(doubts(text) == Words{"column 1 (row): counts the rows; --type row=id leaves it out"});
  CHECK(doubts("row,x\n1,0.5\n2,1.5\n").empty());
}

}  // namespace logpx::word_doubts_test
