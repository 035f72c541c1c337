#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace logpx {
namespace {

std::string without_underscores(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '_' || i == 0 || i + 1 == text.size()) plain += text[i];
  return plain;
}

template <typename T>
std::optional<T> whole_number(std::string_view text) {
  const std::string plain = without_underscores(text);
  const std::string_view digits =
      plain.starts_with('+') ? std::string_view(plain).substr(1) : plain;
  T value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && end == digits.data() + digits.size() && !digits.empty()) return value;
  // A count such as 1e6: a real that is whole and exactly represented.
  const std::optional<double> real = parse_real(plain);
  if (!real || *real != std::floor(*real) || std::abs(*real) > 0x1p53) return std::nullopt;
  if (std::is_unsigned_v<T> && *real < 0) return std::nullopt;
  return static_cast<T>(*real);
}

template <typename T>
std::string shortest(T value) {
  std::array<char, 64> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

struct NumberAndSuffix {
  double number;
  std::string_view suffix;
};

std::optional<NumberAndSuffix> number_and_suffix(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && ((text[end - 1] >= 'a' && text[end - 1] <= 'z') ||
                     (text[end - 1] >= 'A' && text[end - 1] <= 'Z')))
    --end;
  const std::optional<double> number = parse_real(text.substr(0, end));
  if (!number) return std::nullopt;
  return NumberAndSuffix{*number, text.substr(end)};
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return whole_number<std::int64_t>(text);
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  return whole_number<std::uint64_t>(text);
}

std::optional<double> parse_real(std::string_view text) {
  const std::string plain = without_underscores(text);
  const std::string_view digits =
      plain.starts_with('+') ? std::string_view(plain).substr(1) : plain;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<Bytes> parse_bytes(std::string_view text) {
  const auto parts = number_and_suffix(text);
  if (!parts || parts->number < 0) return std::nullopt;
  std::string suffix(parts->suffix);
  if (!suffix.empty() && (suffix.back() == 'B' || suffix.back() == 'b')) suffix.pop_back();
  double factor = 1;
  if (!suffix.empty()) {
    static constexpr std::string_view prefixes = "KMGT";
    const auto power = prefixes.find(suffix[0] == 'k' ? 'K' : suffix[0]);
    if (power == std::string_view::npos) return std::nullopt;
    const bool binary = suffix.size() == 2 && suffix[1] == 'i';
    if (suffix.size() > 1 && !binary) return std::nullopt;
    factor = std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(power + 1));
  }
  const double value = parts->number * factor;
  if (value > 0x1p62) return std::nullopt;
  return Bytes{static_cast<std::uint64_t>(value)};
}

std::optional<Duration> parse_duration(std::string_view text) {
  const auto parts = number_and_suffix(text);
  if (!parts || parts->number < 0) return std::nullopt;
  if (parts->suffix.empty() || parts->suffix == "s") return Duration{parts->number};
  if (parts->suffix == "m") return Duration{parts->number * 60};
  if (parts->suffix == "h") return Duration{parts->number * 3600};
  if (parts->suffix == "d") return Duration{parts->number * 86400};
  return std::nullopt;
}

std::optional<Interval> parse_interval(std::string_view text) {
  const auto parts = number_and_suffix(text);
  if (!parts || parts->number < 0) return std::nullopt;
  const std::string_view unit = parts->suffix;
  if (unit.empty() || unit == "steps") return Interval{parts->number, Interval::Unit::steps};
  if (unit == "epochs" || unit == "epoch") return Interval{parts->number, Interval::Unit::epochs};
  if (unit == "samples") return Interval{parts->number, Interval::Unit::samples};
  if (const auto duration = parse_duration(text))
    return Interval{duration->seconds, Interval::Unit::seconds};
  return std::nullopt;
}

std::optional<RowRange> parse_rows(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view first = text.substr(0, colon), last = text.substr(colon + 1);
  RowRange rows;
  if (!first.empty()) {
    const auto value = parse_integer(first);
    if (!value || *value < 0) return std::nullopt;
    rows.begin = *value;
  }
  if (!last.empty()) {
    const auto value = parse_integer(last);
    if (!value || *value < rows.begin) return std::nullopt;
    rows.end = *value;
  }
  return rows;
}

std::optional<Extent> parse_extent(std::string_view text) {
  const std::vector<std::string> parts = split_text(text, 'x');
  if (parts.size() != 2) return std::nullopt;
  const auto width = parse_integer(parts[0]), height = parse_integer(parts[1]);
  if (!width || !height || *width < 1 || *height < 1) return std::nullopt;
  return Extent{*width, *height};
}

std::string to_text(double value) { return shortest(value); }
std::string to_text(float value) { return shortest(value); }
std::string to_text(Duration value) { return to_text(value.seconds); }

std::string to_text(Interval value) {
  switch (value.unit) {
    case Interval::Unit::steps: return to_text(value.amount);
    case Interval::Unit::epochs: return to_text(value.amount) + "epochs";
    case Interval::Unit::samples: return to_text(value.amount) + "samples";
    case Interval::Unit::seconds: break;
  }
  return to_text(value.amount) + "s";
}

std::string to_text(RowRange value) {
  return std::to_string(value.begin) + ':' + (value.end < 0 ? "" : std::to_string(value.end));
}

std::string four_digits(double value) {
  std::array<char, 64> text{};
  const auto result =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  return {text.data(), result.ptr};
}

std::string human_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  static constexpr std::array units = {"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return four_digits(value) + ' ' + units[unit];
}

std::string human_seconds(double seconds) {
  if (seconds < 60) return four_digits(std::round(seconds * 100) / 100) + " s";
  const auto whole = static_cast<long long>(seconds + 0.5);
  if (whole < 3600) return std::to_string(whole / 60) + " m " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " m";
}

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::vector<std::string> split_text(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string join_text(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

std::optional<std::vector<std::string>> split_list(std::string_view text) {
  std::vector<std::string> items(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ',') {
      items.emplace_back();
    } else if (text[at] != '"' || !items.back().empty()) {
      items.back() += text[at];
    } else {
      bool closed = false;
      while (!closed && ++at < text.size()) {
        const bool doubled = text.substr(at).starts_with("\"\"");
        closed = text[at] == '"' && !doubled;
        if (!closed) items.back() += text[at];
        if (doubled) ++at;
      }
      if (!closed || (at + 1 < text.size() && text[at + 1] != ',')) return std::nullopt;
    }
  }
  return items;
}

std::string list_item(std::string_view item) {
  const bool padded = item.starts_with(' ') || item.ends_with(' ');
  if (!padded && item.find_first_of(",\"\n\r\t") == std::string_view::npos)
    return std::string(item);
  std::string quoted = "\"";
  for (const char c : item) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string join_list(const std::vector<std::string>& items) {
  std::vector<std::string> written;
  for (const std::string& item : items) written.push_back(list_item(item));
  return join_text(written, ",");
}

}  // namespace logpx
