#include "formats/number_table.hpp"

#include "formats/file/signature.hpp"
#include "formats/import/csv_records.hpp"
#include "formats/import/npy_header.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace logpx {
namespace {

// Accepts empty fields and what is not finite: the caller decides whether they are allowed.
std::optional<double> number_of(const std::string& field) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (const auto real = parse_real(field)) return real;
  std::string_view word = field;
  const bool negative = word.starts_with('-');
  if (negative || word.starts_with('+')) word.remove_prefix(1);
  const auto is = [word](std::string_view other) {
    return std::ranges::equal(word, other, [](char a, char b) { return (a | 0x20) == b; });
  };
  if (is("inf") || is("infinity")) return negative ? -infinity : infinity;
  if (word.empty() || is("nan")) return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

class CsvTable {
 public:
  explicit CsvTable(ByteSource source) : reader_(std::move(source)) {
    table_.name = reader_.name();
  }

  NumberTable read() {
    for (CsvRecord record; reader_.next(record);)
      if (!record.is_blank()) take(record);
    table_.source = reader_.finish();
    return std::move(table_);
  }

 private:
  void take(CsvRecord& record) {
    const std::string place = table_.name + ':' + std::to_string(record.line);
    const auto width = std::ssize(record.fields);
    if (table_.columns == 0) {
      table_.columns = width;
      if (!std::ranges::all_of(record.fields,
                               [](const auto& field) { return number_of(field).has_value(); })) {
        table_.column_names = std::move(record.fields);
        return;
      }
    }
    if (width != table_.columns)
      fail(ErrorKind::data, place,
           counted(width, "field") + ", expected " + std::to_string(table_.columns));
    for (const std::string& field : record.fields) {
      const auto number = number_of(field);
      if (!number) fail(ErrorKind::data, place, "'" + field + "' is not a number");
      table_.values.push_back(*number);
    }
    if (table_.lines.empty() || record.line != last_line_ + 1)
      table_.lines.emplace_back(table_.rows, record.line);
    last_line_ = record.line;
    ++table_.rows;
  }

  CsvReader reader_;
  NumberTable table_;
  std::uint64_t last_line_ = 0;
};

NumberTable read_npy(ByteSource source) {
  const ArrayLayout layout = read_npy_header(source);
  NumberTable table{.name = source.name()};
  if (layout.sizes.size() > 2)
    fail(ErrorKind::data, table.name,
         "has " + std::to_string(layout.sizes.size()) + " dimensions, expected one or two");
  table.rows = layout.sizes[0];
  table.columns = layout.sizes.size() == 2 ? layout.sizes[1] : 1;
  const std::size_t size = number_size(layout.type);
  std::vector<std::byte> raw(std::size_t{1} << 20);  // whole numbers: sizes are powers of two
  while (const std::size_t got = source.read(raw)) {
    for (std::size_t i = 0; i + size <= got; i += size)
      table.values.push_back(load_number(&raw[i], layout.type, layout.big_endian));
    if (table.values.size() * size > layout.bytes() || got % size != 0) break;
  }
  if (const std::uint64_t has = table.values.size() * size + drain(source); has != layout.bytes())
    fail_payload(layout, has, table.name);
  if (layout.column_major && table.columns > 1) {
    std::vector<double> rows(table.values.size());
    for (std::int64_t i = 0; i < table.rows; ++i)
      for (std::int64_t j = 0; j < table.columns; ++j)
        rows[static_cast<std::size_t>(i * table.columns + j)] =
            table.values[static_cast<std::size_t>(j * table.rows + i)];
    table.values = std::move(rows);
  }
  table.source = *source.finish();
  return table;
}

}  // namespace

std::string NumberTable::place(std::int64_t row) const {
  if (lines.empty()) return name + ": row " + std::to_string(row);
  const auto after = std::upper_bound(
      lines.begin(), lines.end(), row,
      [](std::int64_t wanted, const auto& stretch) { return wanted < stretch.first; });
  const auto& [first, line] = *(after - 1);
  return name + ':' + std::to_string(line + static_cast<std::uint64_t>(row - first));
}

std::string NumberTable::shape_text() const {
  return '[' + std::to_string(rows) + ", " + std::to_string(columns) + ']';
}

NumberTable read_number_table(ByteSource source) {
  const std::span<const std::byte> first = source.peek(signature_bytes);
  if (begins_with(first, "\x93NUMPY")) return read_npy(std::move(source));
  const Signature* const known = find_signature(first);
  if (!first.empty() && (known == nullptr || !known->plain))
    fail(ErrorKind::data, source.name(),
         (known == nullptr ? std::string() : "is " + std::string(known->called) + ", ") +
             "expected numbers as CSV or npy");
  return CsvTable(std::move(source)).read();
}

}  // namespace logpx
