// Numbers as tables write them: 1,234.5 or 1.234,5 or 12%.
//
//   number_of("1,234.5", {.thousands = true})                   // 1234.5
//   number_cell(-1234.5, {.thousands = true}, 2)                // "-1,234.50"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace logpx {

struct NumberForm {
  bool thousands = false;  // marks between thousands, where there are any
  bool percent = false;    // a % behind the number, whose value is the number
  bool comma = false;      // the decimals follow a comma, and a point is the mark of thousands
  bool varied = false;     // as many decimals as a number needs, at most those of its column
  friend bool operator==(const NumberForm&, const NumberForm&) = default;
};
// "thousands percent", "" for none; nothing for other words.
[[nodiscard]] std::optional<NumberForm> parse_number_form(std::string_view text);
[[nodiscard]] std::string to_text(const NumberForm& form);

struct WrittenNumber {
  double value = 0;
  bool thousands = false, percent = false;  // whether the text has such marks
  int decimals = 0;                         // digits that it needs behind the point
  int digits = 0;                           // of the number as a whole
  bool padded = false;                      // the last digit behind the point is a zero
};
// What a text is as a number whose decimals follow a point, or a comma. Nothing for all else: 0123,
// nan, 1_000, 12,34.
[[nodiscard]] std::optional<WrittenNumber> read_number(std::string_view text, bool comma);

// The number as a cell; decimals below 0: as many as tell two floats apart. A float has no more
// digits than it needs, but for zeros.
[[nodiscard]] std::string number_cell(double value, const NumberForm& form, std::int64_t decimals);

}  // namespace logpx
