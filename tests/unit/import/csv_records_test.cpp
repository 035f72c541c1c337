// How lines and fields of CSV are told, and what is no text.
#include "tests/support/foreign_files.hpp"

#include <doctest/doctest.h>

namespace logpx::csv_records_test {

using namespace logpx::testing;

namespace {

using Words = std::vector<std::string>;

Packed table(const std::string& text) { return pack("csv", bytes_of(text), ImportOptions()); }

std::string trouble(const std::string& text) {
  return error_of("csv", bytes_of(text), ImportOptions());
}

}  // namespace

TEST_CASE("csv records: lines end with a newline, with both, or with a carriage return alone") {
  for (const char* text : {"a,b\n1.5,2\n3,4\n", "a,b\r\n1.5,2\r\n3,4\r\n", "a,b\r1.5,2\r3,4\r",
                           "\xef\xbb\xbf"
                           "a;b\r\n1.5;2\r\n3;4",
                           "sep=;\r\na;b\r\n1.5;2\r\n3;4\r\n"}) {
    const Packed packed = table(text);
    CHECK(packed.info.column_names == Words{"a", "b"});
    CHECK(packed.reals() == std::vector<float>{1.5F, 2, 3, 4});
  }
  CHECK(trouble("sep=\na;b\n1;2\n") == "data|a:1: says sep= and no delimiter after it|");
}

TEST_CASE("csv records: rows of JSON are no table") {
  for (const char* text : {"{\"a\": 1, \"b\": 2}\n{\"a\": 3, \"b\": 4}\n",
                           "[{\"a\": 1, \"b\": 2},\n {\"a\": 3, \"b\": 4}]\n"})
    CHECK(trouble(text) ==
          "data|a: is JSON, not a table|save its rows as CSV; settings go to --config a");
  CHECK(table("{a},b\n1,2\n").info.column_names == Words{"{a}", "b"});
}

TEST_CASE("csv records: bytes that are no text are named by line and column") {
  CHECK(
      trouble("name,x\nUlm,1\nM\xfcller,2\n") ==
      "data|a:3: column 1 is not UTF-8|iconv -f WINDOWS-1252 -t UTF-8 turns most such tables into "
      "it");
  CHECK(trouble("x,stra\xdf"
                "e\n1,2\n")
            .starts_with("data|a:1: column 2 is not UTF-8"));
  CHECK(trouble(std::string("x,y\n1,\0z\n", 10)) ==
        "data|a:2: column 2 holds a zero byte, which is no text|");
  CHECK(trouble("\xff\xfe"
                "a,b") == "data|a: is UTF-16, expected UTF-8|iconv -f UTF-16 -t UTF-8 FILE");
  ImportOptions second;
  second.columns = {"2"};
  CHECK(pack("csv", bytes_of("name,x\nM\xfcller,2\n"), second).reals() == std::vector<float>{2});
}

TEST_CASE("csv records: a line of names that is short or no line of names is said to be") {
  CHECK(trouble("mpg,cyl\nMazda,21.5,6\nFiat,30.5,4\n") ==
        "data|a:2: 3 fields, expected 2|sed '1s/^/,/' gives the first column an empty name, where "
        "the "
        "line of names has none for it");
  CHECK(
      trouble("# made today\na,b\n1,2\n") ==
      "data|a:2: 2 fields, expected 1|the first line names the columns; tail -n +2 leaves out one "
      "that does not");
  CHECK(trouble("a,b\n1,2\n1,2,3\n4,5\n") ==
        "data|a:3: 3 fields, expected 2|quotes belong around a field that holds ,");
  CHECK(
      trouble("who,me\nmade,today\na,b,c\n1,2,3\n") ==
      "data|a:3: 3 fields, expected 2|tail -n +3 leaves out what stands above, if the table begins "
      "here");
  CHECK(trouble("a,b\n1,2\n3\n") == "data|a:3: 1 field, expected 2|");
  CHECK(trouble("a,b\n") == "data|a: has a line of names, and no rows|");
}

}  // namespace logpx::csv_records_test
