#include "formats/import/coded_table.hpp"

#include "formats/file/output.hpp"
#include "formats/import/csv_records.hpp"
#include "formats/import/missing_words.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/data/real_vectors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

namespace logpx {
namespace {

constexpr std::uint32_t no_cell = 0xffffffff;  // missing
constexpr std::size_t cells_waiting = 1 << 18;
constexpr std::int64_t fewest_levels = 2;

template <typename T>
void append_value(std::vector<std::byte>& bytes, T value) {
  std::byte raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.insert(bytes.end(), raw, raw + sizeof value);
}

// Digits alone, perhaps with a sign.
bool is_written_whole(const std::string& text) {
  const std::size_t start = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  return text.size() > start && text.find_first_not_of("0123456789", start) == std::string::npos;
}

}  // namespace

std::optional<Error> beyond_floats(const std::string& column, const std::string& text,
                                   const CodedTable::Place& place) {
  const auto fault = [&](const char* what, const char* hint) {
    return Error(ErrorKind::data, place.file + ':' + std::to_string(place.line),
                 column + ": '" + text + "' is " + what, hint);
  };
  const auto real = static_cast<float>(parse_real(text).value_or(0));
  if (!std::isfinite(real)) return fault("beyond float32", "");
  if (!is_written_whole(text)) return std::nullopt;
  const auto whole = parse_integer(text);
  if (whole && static_cast<long double>(*whole) == static_cast<long double>(real))
    return std::nullopt;
  return fault("a whole number that float32 does not hold",
               "--columns leaves it out; written with a point, as in 16777217.0, it is rounded");
}

CodedTable::CodedTable(std::vector<Column> columns, Limits limits)
    : limits_(limits), cells_(spool_folder()) {
  for (Column& column : columns) columns_.push_back({.column = std::move(column)});
}

void CodedTable::append(std::uint32_t cell) {
  waiting_.push_back(cell);
  if (++next_ == columns_.size()) next_ = 0, ++row_;
  if (waiting_.size() >= cells_waiting) spool();
}

void CodedTable::spool() {
  stop::check();
  cells_.append(std::as_bytes(std::span(waiting_)));
  waiting_.clear();
}

void CodedTable::put_missing() { append(no_cell); }

void CodedTable::put(const std::string& text, Place place) {
  append(cell_of(columns_[next_], text, place));
}

std::uint32_t CodedTable::cell_of(Texts& column, const std::string& text, Place place) const {
  if (row_ >= column.bits_from) return bits_of(column, text, place);
  if (const auto known = column.numbers.find(text); known != column.numbers.end())
    return known->second;
  if (std::ssize(column.texts) == limits_.most_values && takes_bits(column)) {
    column.bits_from = row_;
    return bits_of(column, text, place);
  }
  add(column, text, place);
  const auto number = static_cast<std::uint32_t>(column.texts.size() - 1);
  column.numbers.emplace(text, number);
  return number;
}

// No text of the column was a word: it holds reals.
bool CodedTable::takes_bits(const Texts& column) const {
  return limits_.reals && column.column.cells != Cells::words && !column.has_word;
}

Error CodedTable::too_many(const Texts& column, Place place) const {
  return {ErrorKind::data, place.file + ':' + std::to_string(place.line),
          column.column.called + " has more than " + std::to_string(limits_.most_values) +
              " different values",
          "--columns leaves it out"};
}

std::uint32_t CodedTable::bits_of(const Texts& column, const std::string& text, Place place) const {
  const std::optional<double> number = parse_real(text);
  if (!number) throw too_many(column, place);
  if (auto trouble = beyond_floats(column.column.called, text, place)) throw std::move(*trouble);
  return std::bit_cast<std::uint32_t>(static_cast<float>(*number));
}

void CodedTable::add(Texts& column, const std::string& text, Place place) const {
  const std::string& called = column.column.called;
  const std::optional<double> number = parse_real(text);
  const bool whole = number && *number >= 0 && *number == std::floor(*number) &&
                     *number < static_cast<double>(limits_.most_values),
             good = whole || (number && limits_.reals);
  const float real = number ? static_cast<float>(*number) : 0.0F;
  column.has_word |= !number.has_value();
  column.is_real |= number && !whole;
  if (!column.trouble && column.column.cells != Cells::words) {
    if (!good)
      column.trouble =
          Error(ErrorKind::data, place.file + ':' + std::to_string(place.line),
                called + ": '" + text + "' is not " +
                    (number ? "a whole number in 0.." + std::to_string(limits_.most_values - 1)
                            : "a number"),
                (means_missing(text) ? na_hint(text) + ", " : "") +
                    "--categorical with its name keeps the values as words, --columns leaves it "
                    "out");
    else if (number) column.trouble = beyond_floats(called, text, place);
  }
  if (column.trouble && column.column.cells == Cells::numbers) throw *column.trouble;
  if (std::ssize(column.texts) == limits_.most_values) {
    if (column.trouble && !column.has_word) throw *column.trouble;
    throw too_many(column, place);
  }
  column.texts.push_back(text);
  column.values.push_back(whole ? static_cast<std::uint16_t>(*number) : std::uint16_t{0});
  column.reals.push_back(real);
}

// Values are the places of the texts in the order of their bytes.
void CodedTable::code_words(Texts& column, DatasetInfo& info) const {
  std::vector<std::size_t> order(column.texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {},
                    [&](std::size_t i) -> const std::string& { return column.texts[i]; });
  std::vector<std::string> sorted;
  for (std::size_t place = 0; place < order.size(); ++place) {
    column.values[order[place]] = static_cast<std::uint16_t>(place);
    sorted.push_back(column.texts[order[place]]);
  }
  info.column_words.add_column(sorted);
}

// A column of numbers except for words that mean a missing value.
void CodedTable::doubt(const Texts& column) {
  std::vector<std::string> missing;
  for (const std::string& text : column.texts) {
    if (parse_real(text)) continue;
    if (!means_missing(text)) return;
    missing.push_back(text);
  }
  if (missing.empty() || missing.size() == column.texts.size()) return;
  doubts_.push_back(column.column.called + ": '" + missing[0] + "' makes words of its numbers; " +
                    na_hint(join_text(missing, ",")));
}

void CodedTable::set_levels(DatasetInfo& info, std::optional<std::int64_t> levels) const {
  std::int64_t largest = fewest_levels - 1;
  const Texts* widest = nullptr;
  for (const Texts& column : columns_)
    for (const std::uint16_t value : column.values)
      if (value > largest) largest = value, widest = &column;
  if (levels && *levels <= largest)
    fail(ErrorKind::usage, "--levels",
         "is " + std::to_string(*levels) + ", and " +
             (widest == nullptr ? "a table" : widest->column.called) + " has values up to " +
             std::to_string(largest));
  info.content = Content::symbols;
  info.levels = levels.value_or(largest + 1);
  info.value_max = static_cast<double>(info.levels - 1);
  info.element = info.has_missing ? Element::i16 : info.levels > 256 ? Element::u16 : Element::u8;
}

void CodedTable::finish(DatasetInfo& info, std::optional<std::int64_t> levels) {
  spool();
  bool any_words = false, any_reals = false;
  for (Texts& column : columns_) {
    const Cells cells = column.column.cells;
    const bool words = cells == Cells::words || (cells == Cells::either && column.has_word);
    if (!words && column.trouble) throw *column.trouble;
    if (words && cells == Cells::either) doubt(column);
    if (words) code_words(column, info);
    else info.column_words.add_column({});
    any_words |= words && !column.texts.empty();
    any_reals |= !words && (column.is_real || column.bits_from <= row_);
    if (words) column.reals.assign(column.values.begin(), column.values.end());
  }
  if (!any_words) info.column_words = {};
  if (!any_reals) {
    set_levels(info, levels);
  } else {
    const DatasetInfo reals = real_vectors(std::ssize(columns_));
    info.content = reals.content;
    info.measure = reals.measure;
    info.element = reals.element;
    info.value_min = reals.value_min;
    info.value_max = reals.value_max;
  }
  element_ = info.element;
}

float CodedTable::real_of(const Texts& column, std::int64_t row, std::uint32_t cell) const {
  if (cell == no_cell) return std::numeric_limits<float>::quiet_NaN();
  return row < column.bits_from ? column.reals[cell] : std::bit_cast<float>(cell);
}

std::vector<std::byte> CodedTable::rows(std::int64_t begin, std::int64_t end) const {
  const std::size_t dims = columns_.size();
  std::vector<std::uint32_t> cells(static_cast<std::size_t>(end - begin) * dims);
  cells_.read_at(static_cast<std::uint64_t>(begin) * dims * sizeof(std::uint32_t),
                 std::as_writable_bytes(std::span(cells)));
  std::vector<std::byte> x;
  x.reserve(cells.size() * element_size(element_));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Texts& column = columns_[i % dims];
    const std::int64_t row = begin + static_cast<std::int64_t>(i / dims);
    if (element_ == Element::f32) {
      append_value(x, real_of(column, row, cells[i]));
      continue;
    }
    const int value = cells[i] == no_cell ? -1 : column.values[cells[i]];
    if (element_ == Element::u8) append_value(x, static_cast<std::uint8_t>(value));
    else if (element_ == Element::u16) append_value(x, static_cast<std::uint16_t>(value));
    else append_value(x, static_cast<std::int16_t>(value));
  }
  return x;
}

}  // namespace logpx
