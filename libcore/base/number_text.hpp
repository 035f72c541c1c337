// Numbers to and from text, always in the C locale, shortest decimal that reads back the same.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

struct Bytes {  // "64Mi", "1.5G", "4096"
  std::uint64_t value = 0;
};
struct Duration {  // "90s", "15m", "2h", "10" (seconds)
  double seconds = 0;
};
struct Interval {  // "500" (steps), "2epochs", "5000samples", "10m"; amount 0 means never
  enum class Unit { steps, epochs, samples, seconds };
  double amount = 0;
  Unit unit = Unit::steps;
};
struct RowRange {                    // "A:B", rows A to B-1; "A:" to the end, ":B" from the start
  std::int64_t begin = 0, end = -1;  // end -1: the last row
};

// How a value is written in JSON.

// "1e6", "60_000", "-12": whole numbers, also when written as a real; nothing else.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text);
[[nodiscard]] std::optional<double> parse_real(std::string_view text);  // finite
[[nodiscard]] std::optional<Bytes> parse_bytes(std::string_view text);
[[nodiscard]] std::optional<Duration> parse_duration(std::string_view text);
[[nodiscard]] std::optional<Interval> parse_interval(std::string_view text);
[[nodiscard]] std::optional<RowRange> parse_rows(std::string_view text);
struct Extent {  // "8x6", "800x500": across and down, each at least 1
  std::int64_t width = 0, height = 0;
};
[[nodiscard]] std::optional<Extent> parse_extent(std::string_view text);

[[nodiscard]] std::string to_text(double value);
[[nodiscard]] std::string to_text(float value);
[[nodiscard]] std::string to_text(Duration value);
[[nodiscard]] std::string to_text(Interval value);
[[nodiscard]] std::string to_text(RowRange value);
[[nodiscard]] std::string human_bytes(std::uint64_t bytes);  // "1.4 MiB"
[[nodiscard]] std::string human_seconds(double seconds);     // "41 s", "2 m 14 s"
[[nodiscard]] std::string four_digits(double value);         // for people

template <std::integral Count>
[[nodiscard]] std::string counted(Count count, std::string_view what) {  // "1 row", "2 rows"
  return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
}

[[nodiscard]] std::string lower_case(std::string text);  // of ASCII letters; others stay
[[nodiscard]] std::vector<std::string> split_text(std::string_view text, char separator);
[[nodiscard]] std::string join_text(const std::vector<std::string>& parts,
                                    std::string_view separator);

// a,"b, c","say ""so""": items with commas are put in quotes, a quote inside them is doubled.
// Nothing where a quote is not closed or something follows it.
[[nodiscard]] std::optional<std::vector<std::string>> split_list(std::string_view text);
// The way back: an item is quoted where split_list or a reader of CSV would take it for more or
// less than it is.
[[nodiscard]] std::string join_list(const std::vector<std::string>& items);
[[nodiscard]] std::string list_item(std::string_view item);

}  // namespace logpx
