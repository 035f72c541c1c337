#include "libcore/data/column_conditions.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/data/column_cells.hpp"
#include "libcore/data/date_form.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace logpx {
namespace {

// A letter, and whether it stood in quotes.
struct Letter {
  char code;
  bool quoted;
  [[nodiscard]] bool is(char sign) const { return !quoted && code == sign; }
  [[nodiscard]] bool is_sign() const { return is('=') || is('<') || is('>'); }
};
using Letters = std::vector<Letter>;

std::string text_of(std::span<const Letter> letters) {
  const auto blank = [](const Letter& one) { return one.is(' '); };
  while (!letters.empty() && blank(letters.front())) letters = letters.subspan(1);
  while (!letters.empty() && blank(letters.back())) letters = letters.first(letters.size() - 1);
  std::string text;
  for (const Letter& one : letters) text += one.code;
  return text;
}

std::vector<Letters> split(std::span<const Letter> letters, char separator) {
  std::vector<Letters> parts(1);
  for (const Letter& one : letters)
    if (one.is(separator)) parts.emplace_back();
    else parts.back().push_back(one);
  return parts;
}

// "age>=40" as name, sign and values.
struct Said {
  std::string name, sign;
  std::vector<std::string> values;
  std::string text;  // the whole
};

class Reading {
 public:
  explicit Reading(const ConditionReader& reader) : reader_(reader), cells_(reader.info) {}

  void add(const std::string& text) {
    std::vector<Letters> pieces;
    for (Letters& piece : split(letters_of(text), ',')) {
      const bool goes_on = std::ranges::none_of(piece, &Letter::is_sign) && !pieces.empty();
      if (!goes_on) pieces.push_back(std::move(piece));
      else {  // a comma inside a value
        pieces.back().push_back({',', true});
        pieces.back().insert(pieces.back().end(), piece.begin(), piece.end());
      }
    }
    for (const Letters& piece : pieces) take(said_in(piece));
  }

  std::vector<ColumnCondition> all() && {
    std::vector<ColumnCondition> all;
    for (auto& [column, condition] : by_column_) {
      require_some(condition);
      all.push_back(std::move(condition));
    }
    return all;
  }

 private:
  [[noreturn]] void bad(const std::string& what, const std::string& hint = "") const {
    fail(ErrorKind::usage, reader_.option, what, hint);
  }

  [[nodiscard]] Letters letters_of(const std::string& text) const {
    Letters letters;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool doubled = quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"';
      if (text[i] != '"' || doubled) letters.push_back({text[i], quoted});
      else quoted = !quoted;
      if (doubled) ++i;
    }
    if (quoted) bad('\'' + text + "' has a quote that is not closed");
    return letters;
  }

  [[nodiscard]] Said said_in(const Letters& piece) const {
    const auto sign = std::ranges::find_if(piece, &Letter::is_sign);
    if (sign == piece.end())
      bad('\'' + text_of(piece) + "' is no condition, expected NAME=VALUE, NAME=VALUE|VALUE, " +
          "NAME>=VALUE, or one with <, <= or >");
    auto values = sign + 1;
    if (values != piece.end() && !sign->is('=') && values->is('=')) ++values;
    Said said{.name = text_of(std::span(piece.begin(), sign)),
              .sign = {},
              .values = {},
              .text = text_of(piece)};
    for (auto one = sign; one != values; ++one) said.sign += one->code;
    for (const Letters& value : split(std::span(values, piece.end()), '|'))
      said.values.push_back(text_of(value));
    return said;
  }

  void take(const Said& said) {
    const auto named = std::ranges::find(reader_.names, said.name);
    const std::vector<std::string> names(reader_.names.begin(), reader_.names.end());
    if (named == reader_.names.end())
      bad("there is no column '" + said.name + '\'' + did_you_mean(said.name, names));
    const std::int64_t column = named - reader_.names.begin();
    ColumnCondition& condition =
        by_column_.try_emplace(column, ColumnCondition{column}).first->second;
    condition.text += (condition.text.empty() ? "" : ",") + said.text;
    if (said.sign == "=") return take_values(said, condition);
    if (said.values.size() > 1)
      bad('\'' + said.text + "' has several values, and = alone takes these");
    take_end(said, value_of(said, column, said.values[0]), condition);
  }

  void take_values(const Said& said, ColumnCondition& condition) const {
    std::vector<double> values;
    for (const std::string& text : said.values)
      values.push_back(value_of(said, condition.column, text));
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (!condition.values.empty())
      std::erase_if(values, [&](double one) {
        return std::ranges::find(condition.values, one) == condition.values.end();
      });
    if (values.empty()) bad('\'' + condition.text + "' names values that no cell has at once");
    condition.values = std::move(values);
  }

  void take_end(const Said& said, double end, ColumnCondition& condition) const {
    const bool words = !cells_.words(condition.column).empty();
    if (words && !is_ordered(condition.column))
      bad('\'' + said.text + "': column " + said.name + " holds words, which have no order",
          reader_.option + " '" + said.name + '=' + some_words(condition.column) + '\'');
    const bool open = said.sign.size() == 1;
    if (said.sign[0] == '>' && (end > condition.low || (end == condition.low && open))) {
      condition.low = end;
      condition.above_low = open;
    }
    if (said.sign[0] == '<' && (end < condition.high || (end == condition.high && open))) {
      condition.high = end;
      condition.below_high = open;
    }
  }

  void require_some(ColumnCondition& condition) const {
    const auto [low, high] = std::pair(condition.low, condition.high);
    const bool nothing =
        low > high || (low == high && (condition.above_low || condition.below_high));
    if (nothing) bad('\'' + condition.text + "' is a range upside down, in which nothing lies");
    if (condition.values.empty()) return;
    std::erase_if(condition.values, [&](double one) { return !condition.in_range(one); });
    if (condition.values.empty())
      bad('\'' + condition.text + "' leaves no value: none of those named lies in the range");
  }

  [[nodiscard]] bool is_ordered(std::int64_t column) const {
    const std::vector<ColumnForm>& forms = reader_.info.column_forms;
    return !forms.empty() && forms[at(column)].kind == ColumnKind::ordered;
  }

  [[nodiscard]] std::string some_words(std::int64_t column) const {
    std::vector<std::string> words;
    for (const std::string& word : cells_.words(column)) {
      if (words.size() == 2) break;
      words.push_back(list_item(word));
    }
    return join_text(words, "|");
  }

  // What x holds for a cell. Numbers may also be written plainly, dates as ISO has them.
  [[nodiscard]] double value_of(const Said& said, std::int64_t column,
                                const std::string& text) const {
    if (text.empty()) bad('\'' + said.text + "' has no value behind " + said.sign);
    std::optional<double> value = cells_.stored(column, text);
    if (!value && cells_.words(column).empty() && !reader_.info.column_forms.empty())
      value = plain_value(reader_.info.column_forms[at(column)], text);
    if (value) return static_cast<double>(static_cast<float>(*value));
    bad('\'' + said.text + "': " + what_is_expected(said, column, text));
  }

  [[nodiscard]] static std::optional<double> plain_value(const ColumnForm& form,
                                                         const std::string& text) {
    if (!is_date_form(form.form)) {
      const std::optional<double> number = parse_real(text);
      return number ? std::optional(form.stored_of(*number)) : std::nullopt;
    }
    constexpr double seconds_of_day = 86400;
    for (const std::string& iso : iso_forms()) {
      const std::optional<double> date = date_of(text, iso);
      if (!date || !iso.starts_with("%Y") || (has_time(iso) && !has_time(form.form))) continue;
      const bool days = has_time(form.form) && !has_time(iso);
      return form.stored_of(days ? *date * seconds_of_day : *date);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string what_is_expected(const Said& said, std::int64_t column,
                                             const std::string& text) const {
    constexpr std::size_t most_words = 20;
    const auto words = cells_.words(column);
    const std::vector<ColumnForm>& forms = reader_.info.column_forms;
    if (words.empty() && (forms.empty() || !is_date_form(forms[at(column)].form)))
      return '\'' + text + "' is no number, and column " + said.name + " holds numbers";
    if (words.empty())
      return '\'' + text + "' is no date as column " + said.name + " has them, such as " +
             cells_.text(column, 0);
    const std::vector<std::string> all(words.begin(), words.end());
    return '\'' + text + "' is no word of column " + said.name + did_you_mean(text, all) +
           ", which holds " +
           (all.size() > most_words ? std::to_string(all.size()) + " words" : join_list(all));
  }

  const ConditionReader& reader_;
  ColumnCells cells_;
  std::map<std::int64_t, ColumnCondition> by_column_;
};

}  // namespace

bool ColumnCondition::has_range() const { return std::isfinite(low) || std::isfinite(high); }

bool ColumnCondition::in_range(double value) const {
  return (above_low ? value > low : value >= low) && (below_high ? value < high : value <= high);
}

std::vector<ColumnCondition> read_conditions(const ConditionReader& reader,
                                             std::span<const std::string> texts) {
  Reading reading(reader);
  for (const std::string& text : texts) reading.add(text);
  return std::move(reading).all();
}

}  // namespace logpx
