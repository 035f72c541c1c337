// What cuts the lines of a table into fields, and what stands before decimals.
#include "formats/import/csv_form.hpp"
#include "tests/support/foreign_files.hpp"

#include <doctest/doctest.h>

namespace logpx::csv_form_test {

using namespace logpx::testing;

namespace {

using Words = std::vector<std::string>;

CsvForm form_of(const char* text) { return guess_csv_form(text, true); }

Packed table(const std::string& text) { return pack("csv", bytes_of(text), ImportOptions()); }

std::string trouble(const std::string& text) {
  return error_of("csv", bytes_of(text), ImportOptions());
}

}  // namespace

TEST_CASE("csv form: the delimiter is what the first line has most of outside quotes") {
  CHECK(form_of("a,b;c,d\n").delimiter == ',');
  CHECK(form_of("a;b;\"c,d,e\"\n1;2;3\n").delimiter == ';');
  CHECK(form_of("a\tb\n").delimiter == '\t');
  CHECK(form_of("a|b\n1|2\n").delimiter == '|');
  CHECK(form_of("\r\n\na;b\n1;2\n").delimiter == ';');
  CHECK(form_of("a\rb\r").line_end == '\r');
  CHECK(form_of("a\r\nb\r\n").line_end == '\n');
}

TEST_CASE("csv form: the first two lines of a table have as many fields, also in quotes") {
  CHECK(has_even_lines("when,price\nMay,\"$1,234.50\"\n", true));
  CHECK(has_even_lines("a;b\n\"x; y\";2", true));
  CHECK(has_even_lines("a b\nx 2\n", true));
  CHECK(!has_even_lines("a;b\n\"x; y\";2", false));  // the second line may go on
  CHECK(!has_even_lines("Well, he said\nand left\n", true));
  CHECK(!has_even_lines("one\ntwo\n", true));
}

TEST_CASE("csv form: blanks part fields where each line has as many, and a column is of numbers") {
  CHECK(form_of("name  height\nann   1.7\nbob  1.8").delimiter == ' ');
  CHECK(form_of("\"a\" \"b c\"\n\"1\" 2 3\n").delimiter == ' ');  // as R writes it
  CHECK(form_of("a b\nx NA\n? 2\n").delimiter == ' ');
  CHECK(form_of("a b\nx NA\ny ?\n").delimiter == ',');
  CHECK(form_of("street number\nElm 12\nOak 7 b\n").delimiter == ',');
  CHECK(form_of("full name\nAnn Lee\nBob Ray\n").delimiter == ',');
  CHECK(form_of("height\n1\n2\n").delimiter == ',');
  CHECK(guess_csv_form("a b\n1 2\n3 4 5", false).delimiter == ' ');  // a line that is cut off
}

TEST_CASE("csv form: decimals follow a comma where ; cuts fields and only such numbers are there") {
  CHECK(form_of("a;b\n1,5;x\n").decimal_commas);
  CHECK(form_of("a;b\n1.234,50;\"2,5; 1.5\"\n").decimal_commas);
  CHECK_FALSE(form_of("a;b\n1,5;2.5\n").decimal_commas);
  CHECK_FALSE(form_of("a;b\n1;1,234\n").decimal_commas);
  CHECK_FALSE(form_of("a\tb\n1,5\t2\n").decimal_commas);
}

TEST_CASE("csv form: blanks around fields and at the ends of lines are no fields") {
  for (const char* text :
       {"name height\nann 1.7\nbob 1.8\n", "  name   height \n ann    1.7  \n\n bob   1.8 ",
        "name height \r\nann 1.7\r\nbob  1.8 \r\n", "name height\rann 1.7 \rbob 1.8\r"}) {
    CAPTURE(text);
    const Packed packed = table(text);
    CHECK(packed.info.column_names == Words{"name", "height"});
    CHECK(packed.reals()[1] == 1.7F);
    CHECK(packed.info.n == 2);
  }
  CHECK(table("a b\n\"x y\" 1\n\"\" 2\n").info.column_names == Words{"a", "b"});
}

TEST_CASE("csv form: lines of another width say what may be wrong with them") {
  CHECK(trouble("a b\nx 1 2\ny 3 4\n") ==
        "data|a:2: 3 fields, expected 2|sed '1s/^/\"\" /' gives the first column an empty name, "
        "where the line of names has none for it");
  CHECK(trouble("a;b\n1;2;3\n") ==
        "data|a:2: 3 fields, expected 2|sed '1s/^/;/' gives the first column an empty name, "
        "where the line of names has none for it");
  CHECK(trouble("a;b\n1;2\n3;4;\n") ==
        "data|a:3: 3 fields, expected 2|sed 's/;$//' takes the delimiter off the ends of lines");
}

}  // namespace logpx::csv_form_test
