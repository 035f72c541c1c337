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
constexpr std::size_t longest_unit = 16;
constexpr std::array<std::string_view, 3> blanks = {" ", "\u00a0", "\u202f"};
// Between thousands, beside a comma, or a point where decimals follow a comma.
constexpr std::array<std::string_view, 5> other_marks = {" ", "\u00a0", "\u202f", "'", "\u2019"};
// One that ends with another stands before it.
constexpr std::array<std::string_view, 41> signs = {
    "%", "\u2030",
    // of currencies
    "R$", "US$", "A$", "C$", "$", "€", "£", "¥", "¢", "₹",
    // and more of them
    "₽", "₩", "₺", "₪", "₫", "₴", "₦", "₱", "฿",
    // and their names
    "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF",
    "AUD", "CAD", "BRL", "kr", "zł", "Kč", "Fr."};

constexpr std::string_view mark_of_thousands(bool comma) { return comma ? "." : ","; }

// The first one of `known` that fits; empty: none does.
template <std::size_t Size>
std::string_view find_one(const std::array<std::string_view, Size>& known, const auto& fits) {
  const auto found = std::ranges::find_if(known, fits);
  return found == known.end() ? std::string_view{} : *found;
}

// The one of `known` that a text begins with, or ends with. The letters are compared first, since
// hardly any fits.
std::string_view first_of(const auto& known, std::string_view text) {
  if (text.empty()) return {};
  return find_one(known, [&](std::string_view one) {
    return text.front() == one.front() && text.starts_with(one);
  });
}
std::string_view last_of(const auto& known, std::string_view text) {
  if (text.empty()) return {};
  return find_one(known, [&](std::string_view one) {
    return text.back() == one.back() && text.ends_with(one);
  });
}

// A sign without the blank on either side.
std::string_view bare(std::string_view sign) {
  sign.remove_prefix(first_of(blanks, sign).size());
  sign.remove_suffix(last_of(blanks, sign).size());
  return sign;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The sign that a text begins with and the blank behind it, which are taken off.
std::string_view take_sign_before(std::string_view& text) {
  if (text.empty() || is_digit(text[0])) return {};
  const std::string_view sign = first_of(signs, text);
  if (sign.empty()) return {};
  const std::size_t size = sign.size() + first_of(blanks, text.substr(sign.size())).size();
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

// That at its end, with the blank before it.
std::string_view take_sign_behind(std::string_view& text) {
  if (text.empty() || is_digit(text.back())) return {};
  const std::string_view sign = last_of(signs, text);
  if (sign.empty()) return {};
  const std::string_view rest = text.substr(0, text.size() - sign.size());
  const std::size_t size = sign.size() + last_of(blanks, rest).size();
  const std::string_view taken = text.substr(text.size() - size);
  text.remove_suffix(size);
  return taken;
}

// Whether a text may be a unit: a word without digits. It may hold what is not in ASCII, such as °
// and ², and say one unit by another, as km/h does.
bool is_unit(std::string_view text) {
  return !text.empty() && text.size() <= longest_unit && std::ranges::all_of(text, [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || c == '/' || c == '%' || static_cast<signed char>(c) < 0;
  });
}

bool take_minus(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

std::size_t count_digits(std::string_view text) {
  const std::size_t end = text.find_first_not_of(decimal_digits);
  return end == std::string_view::npos ? text.size() : end;
}

// The digits, but of a code such as 0123.
std::optional<std::string> unless_code(std::string digits) {
  if (digits.size() > 1 && digits[0] == '0') return std::nullopt;
  return digits;
}

// The digits before the point, with or without marks between thousands; they are taken off `text`.
std::optional<std::string> take_whole_part(std::string_view& text, bool comma,
                                           std::string_view& mark) {
  const std::size_t first = count_digits(text);
  std::string digits(text.substr(0, first));
  text.remove_prefix(first);
  if (text.empty() || text[0] == (comma ? ',' : '.')) return unless_code(std::move(digits));
  mark = text.starts_with(mark_of_thousands(comma)) ? mark_of_thousands(comma)
                                                    : first_of(other_marks, text);
  while (!mark.empty() && text.starts_with(mark)) {
    const std::string_view group = text.substr(mark.size());
    if (digits.empty() || first > group_size || count_digits(group) != group_size)
      return std::nullopt;
    digits += group.substr(0, group_size);
    text = group.substr(group_size);
  }
  return unless_code(std::move(digits));
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

std::string with_marks(const std::string& digits, const std::string& mark) {
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

// "before:$": what follows the colon, with blanks for _.
std::string after_colon(std::string_view word) {
  std::string text(word.substr(word.find(':') + 1));
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string after_word(std::string_view word, std::string text) {
  std::ranges::replace(text, ' ', '_');
  return std::string(word) + ':' + text;
}

template <std::size_t Size>
bool is_among(const std::array<std::string_view, Size>& known, std::string_view text) {
  return std::ranges::find(known, text) != known.end();
}

}  // namespace

std::string SignText::shown() const {
  if (!has_sign()) return "none";
  return std::string(bare(before.empty() ? behind : before));
}

bool SignText::is_like(SignText other) const {
  if (*this == other) return true;  // as nearly always
  return bare(before) == bare(other.before) && bare(behind) == bare(other.behind);
}

std::optional<NumberForm> parse_number_form(std::string_view text) {
  NumberForm form;
  if (text.empty()) return form;
  bool usual_mark = false;
  for (const std::string& word : split_text(text, ' ')) {
    if (word == "thousands") usual_mark = true;
    else if (word.starts_with("thousands:")) form.thousands = after_colon(word);
    else if (word == "percent") form.sign.behind = "%";
    else if (word.starts_with("before:")) form.sign.before = after_colon(word);
    else if (word.starts_with("behind:")) form.sign.behind = after_colon(word);
    else if (word == "brackets") form.brackets = true;
    else if (word == "comma") form.comma = true;
    else if (word == "varied") form.varied = true;
    else return std::nullopt;
  }
  const std::string_view before = bare(form.sign.before), behind = bare(form.sign.behind);
  const bool known = (form.sign.before.empty() || is_among(signs, before)) &&
                     (form.sign.behind.empty() || is_among(signs, behind) || is_unit(behind)) &&
                     (form.thousands.empty() || is_among(other_marks, form.thousands));
  if (!known) return std::nullopt;
  if (usual_mark) form.thousands = mark_of_thousands(form.comma);
  return form;
}

std::string to_text(const NumberForm& form) {
  std::vector<std::string> words;
  const bool usual = form.thousands == mark_of_thousands(form.comma);
  if (!form.thousands.empty())
    words.push_back(usual ? "thousands" : after_word("thousands", form.thousands));
  if (!form.sign.before.empty()) words.push_back(after_word("before", form.sign.before));
  if (form.sign.behind == "%") words.emplace_back("percent");
  else if (!form.sign.behind.empty()) words.push_back(after_word("behind", form.sign.behind));
  if (form.brackets) words.emplace_back("brackets");
  if (form.comma) words.emplace_back("comma");
  if (form.varied) words.emplace_back("varied");
  return join_text(words, " ");
}

std::optional<WrittenNumber> read_number(std::string_view text, bool comma) {
  if (text.find_first_of(decimal_digits) == std::string_view::npos) return std::nullopt;
  WrittenNumber number;
  number.brackets = text.size() > 2 && text.starts_with('(') && text.ends_with(')');
  if (number.brackets) text = text.substr(1, text.size() - 2);
  bool negative = number.brackets || take_minus(text);
  number.sign.before = take_sign_before(text);
  number.sign.behind = take_sign_behind(text);
  if (!number.sign.before.empty() && !negative) negative = take_minus(text);
  auto digits = take_whole_part(text, comma, number.thousands);
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
  // A blank between thousands may as well part the groups of a telephone number.
  const bool is_code = number.thousands == " " && behind == 0 && !number.sign.has_sign();
  if (!exponent || is_code || (digits->empty() && behind == 0)) return std::nullopt;
  if (digits->empty()) all.insert(0, 1, '0');
  if (*exponent != 0) all += 'e' + std::to_string(*exponent);
  const auto value = parse_real(all);
  if (!value) return std::nullopt;
  number.value = negative ? -*value : *value;
  number.decimals = std::max(0, static_cast<int>(behind) - *exponent);
  number.digits = static_cast<int>(digits->size() + behind);
  return number;
}

std::optional<WrittenNumber> read_measure(std::string_view text, bool comma) {
  if (auto number = read_number(text, comma)) return number;
  const std::size_t end = text.find_last_of(decimal_digits) + 1;
  if (end == 0 || !is_unit(bare(text.substr(end)))) return std::nullopt;
  auto number = read_number(text.substr(0, end), comma);
  if (!number || number->sign.has_sign()) return std::nullopt;
  number->sign.behind = text.substr(end);
  return number;
}

std::string number_cell(double value, const NumberForm& form, std::int64_t decimals) {
  std::string text = plain_text(value, form, decimals);
  const bool negative = text.starts_with('-');
  if (negative) text.erase(0, 1);
  std::string whole = text.substr(0, count_digits(text)), rest = text.substr(whole.size());
  if (!form.thousands.empty()) whole = with_marks(whole, form.thousands);
  if (form.comma && rest.starts_with('.')) rest[0] = ',';
  const std::string cell = form.sign.before + whole + rest + form.sign.behind;
  if (!negative) return cell;
  return form.brackets ? '(' + cell + ')' : '-' + cell;
}

}  // namespace logpx
