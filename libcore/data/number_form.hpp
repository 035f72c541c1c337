// Numbers as tables write them: 1,234.5 or 1.234,5, 12% or $1,200.50, (3.25) or 80 kg.
//
//   read_number("1,234.5", false)->value                        // 1234.5
//   number_cell(-1234.5, {.thousands = ","}, 2)                 // "-1,234.50"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace logpx {

// A % or the sign of a currency that stands before a number or behind it, or a unit behind it, with
// the blank between them, as a part of a text. The value of 12% is 12.
struct SignText {
  std::string_view before = {}, behind = {};

  [[nodiscard]] bool has_sign() const { return !before.empty() || !behind.empty(); }
  // "$", "kg", "none"
  [[nodiscard]] std::string shown() const;
  // The same sign in the same place, blanks aside.
  [[nodiscard]] bool is_like(SignText other) const;
  friend bool operator==(const SignText&, const SignText&) = default;
};

// The same, kept.
struct NumberSign {
  std::string before = {}, behind = {};

  operator SignText() const { return {before, behind}; }
  friend bool operator==(const NumberSign&, const NumberSign&) = default;
};

struct NumberForm {
  std::string thousands = {};  // the mark between thousands; empty: none
  NumberSign sign = {};
  bool brackets = false;  // around numbers below 0, in place of the minus
  bool comma = false;     // the decimals follow a comma
  bool varied = false;    // as many decimals as a number needs, at most those of its column
  friend bool operator==(const NumberForm&, const NumberForm&) = default;
};
// "thousands percent", "before:$ thousands:'"; "" for none; nothing for other words. _ is a blank.
[[nodiscard]] std::optional<NumberForm> parse_number_form(std::string_view text);
[[nodiscard]] std::string to_text(const NumberForm& form);

struct WrittenNumber {
  double value = 0;
  std::string_view thousands = {};  // the mark between them, if the text has any
  SignText sign = {};
  bool brackets = false;
  int decimals = 0;     // digits that it needs behind the point
  int digits = 0;       // of the number as a whole
  bool padded = false;  // the last digit behind the point is a zero
};
// What a text is as a number whose decimals follow a point, or a comma. Nothing for all else: 0123,
// nan, 1_000, 12,34. Its sign is a part of the text.
[[nodiscard]] std::optional<WrittenNumber> read_number(std::string_view text, bool comma);
// The same, with any unit behind the number: 80 kg, 21.5°C, 3d.
[[nodiscard]] std::optional<WrittenNumber> read_measure(std::string_view text, bool comma);

// The number as a cell; decimals below 0: as many as tell two floats apart. A float has no more
// digits than it needs, but for zeros.
[[nodiscard]] std::string number_cell(double value, const NumberForm& form, std::int64_t decimals);

}  // namespace logpx
