#include "libcore/data/number_form.hpp"

#include <doctest/doctest.h>

namespace logpx::number_form_test {

TEST_CASE("numbers: marks of thousands, a percent sign and a decimal comma are read") {
  const auto value = [](const char* text, bool comma = false) {
    const auto number = read_number(text, comma);
    REQUIRE(number.has_value());
    return number->value;
  };
  CHECK(value("1,234") == 1234);
  CHECK(value("-1,234,567.25") == -1234567.25);
  CHECK(value("12%") == 12);
  CHECK(value("12.5 %") == 12.5);
  CHECK(value("1.234,5", true) == 1234.5);
  CHECK(value("0,5", true) == 0.5);
  CHECK(value(".5") == 0.5);
  CHECK(value("5.") == 5);
  CHECK(value("+1e-3") == 0.001);
  CHECK(value("-0") == 0);
  CHECK(read_number("1,234", false)->thousands);
  CHECK(read_number("12%", false)->percent);
  CHECK(read_number("2.50", false)->decimals == 2);
  CHECK(read_number("1.5e-3", false)->decimals == 4);
  CHECK(read_number("1.5e3", false)->decimals == 0);
  CHECK(read_number("123456789012345678", false)->digits == 18);
}

TEST_CASE("numbers: what is written otherwise is no number") {
  for (const char* text : {"",      "-",     "01234", "-007", "00",  "1,23",   "1234,567",
                           "12,34", ",123",  "1_000", "nan",  "inf", "0x10",   "1e",
                           "1e999", "1.2.3", "$5",    "%",    ".",   "1,234,", "1 000"})
    CHECK(!read_number(text, false).has_value());
  CHECK(!read_number("1,234.5", true).has_value());
}

TEST_CASE("numbers: a cell is written as the cells of its column are") {
  CHECK(number_cell(1234.5, {.thousands = true}, 2) == "1,234.50");
  CHECK(number_cell(-1234567, {.thousands = true}, 0) == "-1,234,567");
  CHECK(number_cell(1234.5, {.thousands = true, .comma = true}, 1) == "1.234,5");
  CHECK(number_cell(12.25, {.percent = true}, 1) == "12.2%");
  CHECK(number_cell(-0.04, {}, 1) == "0.0");
  CHECK(number_cell(2009.0602, {}, 0) == "2009");
  CHECK(number_cell(0.1F, {}, -1) == "0.1");
  CHECK(number_cell(2.5, {.varied = true}, 4) == "2.5");
  CHECK(number_cell(3, {.varied = true}, 4) == "3");
  CHECK(number_cell(100, {.varied = true}, 0) == "100");
  CHECK(number_cell(static_cast<double>(-2.066632F), {}, 8) == "-2.06663200");
  CHECK(number_cell(static_cast<double>(-2.066632F), {.varied = true}, 8) == "-2.066632");
  CHECK(number_cell(1700000000.25, {.varied = true}, 3) == "1700000000.25");
  CHECK(number_cell(1e25, {}, 2) == "1e+25");
  CHECK(number_cell(1e300, {}, 2) == "1e+300");
  CHECK(number_cell(1e-300, {}, -1) == "1e-300");
}

TEST_CASE("numbers: forms have names") {
  CHECK(to_text(NumberForm{.thousands = true, .percent = true}) == "thousands percent");
  CHECK(*parse_number_form("thousands percent") == NumberForm{.thousands = true, .percent = true});
  CHECK(*parse_number_form("") == NumberForm{});
  CHECK(!parse_number_form("thousend"));
}

}  // namespace logpx::number_form_test
