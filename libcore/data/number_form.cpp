#include "libcore/data/number_form.hpp"

#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace logpx {
namespace {

constexpr std::string_view decimal_digits = "0123456789";
constexpr int group_size = 3, most_exponent = 400;
constexpr double most_with_decimals = 1e17;

std::size_t count_digits(std::string_view text) {
  const std::size_t end = text.find_first_not_of(decimal_digits);
  return end == std::string_view::npos ? text.size() : end;
}

// The digits before the point, with or without marks between thousands; they are taken off `text`.
std::optional<std::string> take_whole_part(std::string_view& text, char mark, bool& thousands) {
  const std::size_t first = count_digits(text);
  std::string digits(text.substr(0, first));
  text.remove_prefix(first);
  while (text.starts_with(mark)) {
    if (digits.empty() || first > group_size || count_digits(text.substr(1)) != group_size)
      return std::nullopt;
    digits += text.substr(1, group_size);
    text.remove_prefix(group_size + 1);
    thousands = true;
  }
  const bool leading_zero = digits.size() > 1 && digits[0] == '0';
  if (leading_zero) return std::nullopt;
  return digits;
}

// "e-7" at the end, as a number; nothing where something else stands there.
std::optional<int> exponent_of(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  const auto exponent = parse_integer(text.substr(1));
  const bool plain = text.find_first_not_of("+-0123456789", 1) == std::string_view::npos;
  if (!exponent || !plain || std::abs(*exponent) > most_exponent) return std::nullopt;
  return static_cast<int>(*exponent);
}

std::string with_marks(const std::string& digits, char mark) {
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % group_size == 0) text += mark;
    text += digits[i];
  }
  return text;
}

// As many digits as tell two floats apart, or two doubles beyond all floats.
std::string shortest_text(double value) {
  const auto near = static_cast<float>(value);
  const bool beyond = !std::isfinite(near) || (near == 0 && value != 0);
  return beyond ? to_text(value) : to_text(near);
}

// With so many decimals.
std::string fixed_text(double value, std::size_t decimals) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::fixed, static_cast<int>(decimals));
  return {text.data(), end.ptr};
}

// The digits of a float that are fewer than its column has, with zeros behind them; nothing for
// numbers that are no floats or need more.
std::optional<std::string> float_text(double value, std::size_t decimals) {
  std::string text = to_text(static_cast<float>(value));
  if (static_cast<double>(static_cast<float>(value)) != value ||
      text.find_first_not_of("-.0123456789") != std::string::npos)
    return std::nullopt;
  const std::size_t point = std::min(text.find('.'), text.size()),
                    behind = text.size() - std::min(text.size(), point + 1);
  if (behind > decimals) return std::nullopt;
  if (behind == 0 && decimals > 0) text += '.';
  return text + std::string(decimals - behind, '0');
}

// The shortest text, or one of at most so many decimals; never "-0".
std::string plain_text(double value, const NumberForm& form, std::int64_t decimals) {
  if (decimals < 0 || std::abs(value) >= most_with_decimals) return shortest_text(value);
  const auto most = static_cast<std::size_t>(decimals);
  std::string text = float_text(value, most).value_or("");
  if (text.empty()) text = fixed_text(value, most);
  if (form.varied && most > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  const bool nothing = text.find_first_not_of("-0.") == std::string::npos;
  return nothing && text.starts_with('-') ? text.substr(1) : text;
}

}  // namespace

std::optional<NumberForm> parse_number_form(std::string_view text) {
  NumberForm form;
  if (text.empty()) return form;
  for (const std::string& word : split_text(text, ' ')) {
    if (word == "thousands") form.thousands = true;
    else if (word == "percent") form.percent = true;
    else if (word == "comma") form.comma = true;
    else if (word == "varied") form.varied = true;
    else return std::nullopt;
  }
  return form;
}

std::string to_text(const NumberForm& form) {
  std::vector<std::string> words;
  if (form.thousands) words.emplace_back("thousands");
  if (form.percent) words.emplace_back("percent");
  if (form.comma) words.emplace_back("comma");
  if (form.varied) words.emplace_back("varied");
  return join_text(words, " ");
}

std::optional<WrittenNumber> read_number(std::string_view text, bool comma) {
  WrittenNumber number;
  number.percent = text.ends_with('%');
  if (number.percent) text.remove_suffix(1);
  while (number.percent && text.ends_with(' ')) text.remove_suffix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  auto digits = take_whole_part(text, comma ? '.' : ',', number.thousands);
  if (!digits) return std::nullopt;
  std::size_t behind = 0;
  std::string all = *digits;
  if (text.starts_with(comma ? ',' : '.')) {
    behind = count_digits(text.substr(1));
    if (behind > 0) all += '.' + std::string(text.substr(1, behind));
    number.padded = behind > 0 && all.ends_with('0');
    text.remove_prefix(behind + 1);
  }
  const auto exponent = exponent_of(text);
  if (!exponent || (digits->empty() && behind == 0)) return std::nullopt;
  const auto value =
      parse_real((digits->empty() ? "0" : "") + all + 'e' + std::to_string(*exponent));
  if (!value) return std::nullopt;
  number.value = negative ? -*value : *value;
  number.decimals = std::max(0, static_cast<int>(behind) - *exponent);
  number.digits = static_cast<int>(digits->size() + behind);
  return number;
}

std::string number_cell(double value, const NumberForm& form, std::int64_t decimals) {
  std::string text = plain_text(value, form, decimals);
  const bool negative = text.starts_with('-');
  if (negative) text.erase(0, 1);
  std::string whole = text.substr(0, count_digits(text)), rest = text.substr(whole.size());
  if (form.thousands) whole = with_marks(whole, form.comma ? '.' : ',');
  if (form.comma && rest.starts_with('.')) rest[0] = ',';
  return (negative ? "-" : "") + whole + rest + (form.percent ? "%" : "");
}

}  // namespace logpx
