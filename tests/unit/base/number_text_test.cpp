#include "libcore/base/number_text.hpp"

#include <doctest/doctest.h>

namespace logpx::number_text_test {

TEST_CASE("numbers: counts, reals, sizes, durations and intervals as people write them") {
  CHECK(parse_integer("60_000") == 60000);
  CHECK(parse_integer("1e6") == 1000000);
  CHECK(parse_integer("-12") == -12);
  CHECK(parse_integer("+5") == 5);
  CHECK(parse_unsigned("18446744073709551615") == 18446744073709551615u);
  CHECK(parse_real("2.5e-3") == 2.5e-3);
  CHECK(parse_bytes("1500")->value == 1500);
  CHECK(parse_bytes("64MiB")->value == 64u << 20);
  CHECK(parse_bytes("2k")->value == 2000);
  CHECK(parse_duration("2h")->seconds == 7200);
  CHECK(parse_interval("10m")->unit == Interval::Unit::seconds);
  CHECK(parse_interval("500")->unit == Interval::Unit::steps);
  CHECK(parse_rows(":5")->end == 5);
  CHECK(parse_rows("7:")->end == -1);
}

TEST_CASE("numbers: what is no number is none") {
  for (const char* text : {"", "abc", "1.5", "0x10", "1e400", "12 ", " 12", "1__", "--3", "1e-1"})
    CHECK_FALSE(parse_integer(text).has_value());
  for (const char* text : {"", "nan", "inf", "-inf", "1,5", "1e999", "0x1p3"})
    CHECK_FALSE(parse_real(text).has_value());
  for (const char* text : {"-1", "5Xi", "Mi", "1e30"}) CHECK_FALSE(parse_bytes(text).has_value());
  for (const char* text : {"5x", "-3s", "m"}) CHECK_FALSE(parse_duration(text).has_value());
  for (const char* text : {"5", "3:1", "-1:4", "a:b"}) CHECK_FALSE(parse_rows(text).has_value());
  CHECK_FALSE(parse_unsigned("-1").has_value());
  CHECK_FALSE(parse_unsigned("18446744073709551616").has_value());
}

TEST_CASE("numbers: text is the shortest that reads back the same") {
  for (const double value : {0.1, 1.0 / 3, 1e-300, -2.5, 6.02e23, 0.0})
    CHECK(parse_real(to_text(value)) == value);
  CHECK(to_text(0.1) == "0.1");
  CHECK(to_text(0.1f) == "0.1");
  CHECK(human_bytes(1536) == "1.5 KiB");
  CHECK(human_bytes(12) == "12 B");
  CHECK(human_seconds(134) == "2 m 14 s");
  CHECK(four_digits(0.18113) == "0.1811");
}

}  // namespace logpx::number_text_test
