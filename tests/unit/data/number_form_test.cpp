#include "libcore/data/number_form.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

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
  CHECK(read_number("1,234", false)->thousands == ",");
  CHECK(read_number("12%", false)->sign == SignText{.behind = "%"});
  CHECK(read_number("2.50", false)->decimals == 2);
  CHECK(read_number("1.5e-3", false)->decimals == 4);
  CHECK(read_number("1.5e3", false)->decimals == 0);
  CHECK(read_number("123456789012345678", false)->digits == 18);
}

TEST_CASE("numbers: what is written otherwise is no number") {
  for (const char* text :
       {"",      "-",   "01234", "-007",        "00",     "1,23",  "1234,567", "12,34", ",123",
        "1_000", "nan", "inf",   "0x10",        "1e",     "1e999", "1.2.3",    "#5",    "()",
        "(-5)",  "(5",  "%",     ".",           "1,234,", "1 000", "$",        "$ ",    "5 kg",
        "$5$x",  "--5", "-$-5",  "1,234 567.5", "A$",     "1'23",  "R5",       "EUR"})
    CHECK(!read_number(text, false).has_value());
  CHECK(!read_number("1,234.5", true).has_value());
}

TEST_CASE("numbers: signs of currencies stand before them or behind, with or without a blank") {
  const auto sign_of = [](const char* text, bool comma = false) {
    const auto number = read_number(text, comma);
    REQUIRE(number.has_value());
    CHECK(std::abs(number->value) == 1200.5);
    return number->sign;
  };
  CHECK(sign_of("$1,200.50") == SignText{.before = "$"});
  CHECK(sign_of("-$1,200.50") == SignText{.before = "$"});
  CHECK(sign_of("CHF 1'200.50") == SignText{.before = "CHF "});
  CHECK(sign_of("1 200,50\u00a0€", true) == SignText{.behind = "\u00a0€"});
  CHECK(sign_of("1\u202f200,5 kr", true) == SignText{.behind = " kr"});
  CHECK(sign_of("1200.5 US$") == SignText{.behind = " US$"});
  CHECK(read_number("$-5", false)->value == -5);
  CHECK(read_number("-5 €", false)->value == -5);
  CHECK(sign_of("1200.5 €").is_like(sign_of("1200.5€")));
  CHECK(!sign_of("$1200.5").is_like(sign_of("1200.5$")));
  CHECK(!sign_of("$1200.5").is_like(sign_of("£1200.5")));
}

TEST_CASE("numbers: thousands are marked by apostrophes and narrow blanks, too") {
  CHECK(read_number("1'234'567", false)->value == 1234567);
  CHECK(read_number("1\u2019234.5", false)->thousands == "\u2019");
  CHECK(read_number("1\u202f234,5", true)->thousands == "\u202f");
  CHECK(read_number("1 234,5", true)->thousands == " ");
  CHECK(read_number("12 000 €", true)->value == 12000);
  CHECK(!read_number("600 123 456", true));  // a telephone number, as well
}

TEST_CASE("numbers: those below 0 may stand in brackets") {
  CHECK(read_number("(1,200.50)", false)->value == -1200.5);
  CHECK(read_number("($7)", false)->sign == SignText{.before = "$"});
  CHECK(number_cell(-1200.5, {.thousands = ",", .brackets = true}, 2) == "(1,200.50)");
  CHECK(number_cell(1200.5, {.thousands = ",", .brackets = true}, 2) == "1,200.50");
}

TEST_CASE("numbers: a measure is a number with any unit behind it") {
  const auto unit_of = [](const char* text, bool comma = false) {
    const auto number = read_measure(text, comma);
    REQUIRE(number.has_value());
    CHECK(number->value == 12.5);
    return number->sign.behind;
  };
  CHECK(unit_of("12.5 kg") == " kg");
  CHECK(unit_of("12,5\u00a0km/h", true) == "\u00a0km/h");
  CHECK(unit_of("12.5\u00b0") == "\u00b0");
  CHECK(unit_of("12.5%") == "%");
  CHECK(unit_of("12.5") == "");
  for (const char* text : {"kg", "kg 12", "12 Elm Street", "12-", "12 x2", "3:15 h", "1,2 kg",
                           "$5 kg", "12.5 a b", "12;", "12 \"", "12.5 abcdefghijklmnopq"})
    CHECK(!read_measure(text, false));
}

TEST_CASE("numbers: a cell is written as the cells of its column are") {
  CHECK(number_cell(1234.5, {.thousands = ","}, 2) == "1,234.50");
  CHECK(number_cell(-1234567, {.thousands = ","}, 0) == "-1,234,567");
  CHECK(number_cell(1234.5, {.thousands = ".", .comma = true}, 1) == "1.234,5");
  CHECK(number_cell(12.25, {.sign = {.behind = "%"}}, 1) == "12.2%");
  CHECK(number_cell(-1200.5, {.thousands = ",", .sign = {.before = "$"}}, 2) == "-$1,200.50");
  CHECK(number_cell(7, {.sign = {.behind = " €"}, .comma = true}, 2) == "7,00 €");
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
  const auto comes_back = [](const NumberForm& form) {
    return parse_number_form(to_text(form)) == form;
  };
  CHECK(to_text({.thousands = ",", .sign = {.behind = "%"}}) == "thousands percent");
  CHECK(to_text({.thousands = ".", .comma = true}) == "thousands comma");
  CHECK(to_text({.thousands = " ", .sign = {.behind = " €"}}) == "thousands:_ behind:_€");
  CHECK(to_text({.sign = {.before = "US$ "}}) == "before:US$_");
  CHECK(comes_back({.sign = {.behind = " km/h"}, .brackets = true}));
  CHECK(comes_back({}));
  for (const bool comma : {false, true})
    for (const char* thousands : {"", "'", "\u2019", " ", "\u00a0", "\u202f", comma ? "." : ","})
      for (const char* sign : {"", "%", "$", "CHF", "zł"})
        for (const char* blank : {"", " ", "\u00a0"}) {
          const std::string gap = *sign == '\0' ? "" : blank;
          CHECK(comes_back({thousands, {.before = sign + gap}, false, comma, true}));
          CHECK(comes_back({thousands, {.behind = gap + sign}, true, comma, false}));
        }
  CHECK(*parse_number_form("") == NumberForm{});
  for (const char* text : {"thousend", "before:x", "behind:$$", "thousands:.", "thousands:12",
                           "before:$ before", "behind:_"})
    CHECK(!parse_number_form(text));
}

}  // namespace logpx::number_form_test
