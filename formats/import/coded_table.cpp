#include "formats/import/coded_table.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>
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

}  // namespace

CodedTable::CodedTable(std::vector<Column> columns, std::int64_t most_values)
    : most_values_(most_values), cells_(spool_folder()) {
  for (Column& column : columns) columns_.push_back({.column = std::move(column)});
}

void CodedTable::append(std::uint32_t number) {
  waiting_.push_back(number);
  next_ = (next_ + 1) % columns_.size();
  if (waiting_.size() >= cells_waiting) spool();
}

void CodedTable::spool() {
  stop::check();
  cells_.append(std::as_bytes(std::span(waiting_)));
  waiting_.clear();
}

void CodedTable::put_missing() { append(no_cell); }

void CodedTable::put(const std::string& text, Place place) {
  append(number_of(columns_[next_], text, place));
}

std::uint32_t CodedTable::number_of(Texts& column, const std::string& text, Place place) const {
  const auto next = static_cast<std::uint32_t>(column.texts.size());
  const auto [known, is_new] = column.numbers.try_emplace(text, next);
  if (is_new) add(column, text, place);
  return known->second;
}

void CodedTable::add(Texts& column, const std::string& text, Place place) const {
  const std::string where = place.file + ':' + std::to_string(place.line);
  const std::string& called = column.column.called;
  const std::optional<double> number = parse_real(text);
  const bool fits = number && *number >= 0 && *number < static_cast<double>(most_values_) &&
                    *number == std::floor(*number);
  column.has_word |= !number.has_value();
  if (!fits && !column.trouble && column.column.cells != Cells::words)
    column.trouble = Error(
        ErrorKind::data, where,
        called + ": '" + text + "' is not " +
            (number ? "a whole number in 0.." + std::to_string(most_values_ - 1) : "a number"),
        "--categorical with its name keeps the values as words, --columns leaves it out");
  if (column.trouble && column.column.cells == Cells::numbers) throw *column.trouble;
  if (std::ssize(column.texts) == most_values_) {
    if (column.trouble && !column.has_word) throw *column.trouble;
    fail(ErrorKind::data, where,
         called + " has more than " + std::to_string(most_values_) + " different values",
         "--columns leaves it out");
  }
  column.texts.push_back(text);
  column.values.push_back(fits ? static_cast<std::uint16_t>(*number) : std::uint16_t{0});
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

void CodedTable::finish(DatasetInfo& info, std::optional<std::int64_t> levels) {
  spool();
  bool any_words = false;
  std::int64_t largest = fewest_levels - 1;
  const Texts* widest = nullptr;
  for (Texts& column : columns_) {
    const Cells cells = column.column.cells;
    const bool words = cells == Cells::words || (cells == Cells::either && column.has_word);
    if (!words && column.trouble) throw *column.trouble;
    if (words) code_words(column, info);
    else info.column_words.add_column({});
    any_words |= words && !column.texts.empty();
    for (const std::uint16_t value : column.values)
      if (value > largest) largest = value, widest = &column;
  }
  if (!any_words) info.column_words = {};
  if (levels && *levels <= largest)
    fail(ErrorKind::usage, "--levels",
         "is " + std::to_string(*levels) + ", and " +
             (widest == nullptr ? "a table" : widest->column.called) + " has values up to " +
             std::to_string(largest));
  info.levels = levels.value_or(largest + 1);
  info.value_max = static_cast<double>(info.levels - 1);
  info.element = info.has_missing ? Element::i16 : info.levels > 256 ? Element::u16 : Element::u8;
  element_ = info.element;
}

std::vector<std::byte> CodedTable::rows(std::int64_t begin, std::int64_t end) const {
  const std::size_t dims = columns_.size();
  std::vector<std::uint32_t> cells(static_cast<std::size_t>(end - begin) * dims);
  cells_.read_at(static_cast<std::uint64_t>(begin) * dims * sizeof(std::uint32_t),
                 std::as_writable_bytes(std::span(cells)));
  std::vector<std::byte> x;
  x.reserve(cells.size() * element_size(element_));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool missing = cells[i] == no_cell;
    const int value = missing ? -1 : columns_[i % dims].values[cells[i]];
    if (element_ == Element::u8) append_value(x, static_cast<std::uint8_t>(value));
    else if (element_ == Element::u16) append_value(x, static_cast<std::uint16_t>(value));
    else append_value(x, static_cast<std::int16_t>(value));
  }
  return x;
}

}  // namespace logpx
