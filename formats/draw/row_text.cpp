#include "formats/draw/row_text.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/column_cells.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "libcore/mol/molecule.hpp"

#include <cmath>

namespace logpx::draw {

namespace {

// Element `index` of x, whatever its type; NaN where it is missing.
double value_at(const DatasetInfo& info, const Rows& rows, std::size_t index) {
  switch (info.element) {
    case Element::u8: return rows.values<std::uint8_t>()[index];
    case Element::u16: return rows.values<std::uint16_t>()[index];
    case Element::i16: {
      const int value = rows.values<std::int16_t>()[index];
      return value < 0 ? static_cast<double>(NAN) : static_cast<double>(value);
    }
    case Element::f32: break;
  }
  return static_cast<double>(rows.values<float>()[index]);
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto tail = [&](int shift) {
    text += static_cast<char>(0x80u | ((code >> shift) & 0x3fu));
  };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0u | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0u | (code >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xf0u | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

void append_escaped(std::string& text, std::uint32_t code) {
  constexpr const char* hex = "0123456789abcdef";
  if (code == '\n') text += "\\n";
  else if (code == '\t') text += "\\t";
  else if (code == '\r') text += "\\r";
  else if (code == '\\') text += "\\\\";
  else {
    text += "\\x";
    text += hex[code >> 4 & 15];
    text += hex[code & 15];
  }
}

void append_letter(std::string& text, std::uint32_t code) {
  if (code < 32 || code == '\\' || (code >= 127 && code < 160)) append_escaped(text, code);
  else append_utf8(text, code);
}

void append_byte(std::string& text, std::uint32_t byte) {
  if (byte >= 127) append_escaped(text, byte);
  else append_letter(text, byte);
}

// The text's characters as letters: only those of one byte are ever escaped.
void append_token(std::string& text, const std::string& token) {
  for (const char byte : token) {
    if (static_cast<unsigned char>(byte) < 128)
      append_letter(text, static_cast<std::uint32_t>(byte));
    else text += byte;
  }
}

std::string text_line(const DatasetInfo& info, const Rows& rows, std::size_t row) {
  const auto dims = static_cast<std::size_t>(info.dims());
  const std::size_t length =
      rows.length.empty() ? dims : std::min(dims, static_cast<std::size_t>(rows.length[row]));
  std::string line;
  for (std::size_t i = 0; i < length; ++i) {
    const double value = value_at(info, rows, row * dims + i);
    if (!std::isfinite(value)) {
      line += '?';
      continue;
    }
    const auto symbol = static_cast<std::uint32_t>(value);
    if (info.content == Content::bytes) append_byte(line, symbol);
    else if (!info.tokens.empty()) append_token(line, info.tokens.at(symbol));
    else append_letter(line, info.alphabet.at(symbol));
  }
  return line + '\n';
}

std::vector<std::string> cells_of(const DatasetInfo& info, const Rows& rows, std::size_t row,
                                  const ColumnCells& cells) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < static_cast<std::size_t>(info.dims()); ++i) {
    const std::size_t place = row * static_cast<std::size_t>(info.dims()) + i;
    texts.push_back(cells.text(static_cast<std::int64_t>(i), value_at(info, rows, place)));
  }
  return texts;
}

std::string table_line(const DatasetInfo& info, const Rows& rows, std::size_t row,
                       const ColumnCells& cells) {
  std::string line = join_list(cells_of(info, rows, row, cells));
  if (!rows.y.empty()) line += ',' + std::to_string(rows.y[row]);
  if (!rows.true_logp.empty()) line += ',' + to_text(rows.true_logp[row]);
  if (!rows.source.empty()) line += ',' + std::to_string(rows.source[row]);
  return line + '\n';
}

std::string molecule_lines(const DatasetInfo& info, const Rows& rows) {
  const AtomTypes types = atom_types_of(info);
  std::string text;
  for (std::int64_t row = 0; row < rows.count; ++row)
    text += molecule_text(molecule_of_row(info, rows, row), types) + '\n';
  return text;
}

}  // namespace

std::vector<std::string> column_names(const DatasetInfo& info) {
  if (!info.column_names.empty()) return info.column_names;
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < info.dims(); ++i) names.push_back('x' + std::to_string(i));
  return names;
}

std::string row_header(const DatasetInfo& info) {
  if (!info.is_table()) return {};
  std::vector<std::string> names = column_names(info);
  if (info.has_labels) names.emplace_back("y");
  if (info.has_true_logp) names.emplace_back("true_logp");
  if (info.has_source_rows) names.emplace_back("row");
  return join_list(names) + '\n';
}

std::vector<std::string> row_cells(const DatasetInfo& info, const Rows& rows, std::size_t row) {
  return cells_of(info, rows, row, ColumnCells(info));
}

std::string row_text(const DatasetInfo& info, const Rows& rows) {
  if (info.content == Content::image)
    fail(ErrorKind::data, info.name, "content is image, which has no rows of text");
  if (info.content == Content::molecules) return molecule_lines(info, rows);
  std::string text;
  const ColumnCells cells(info);
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows.count); ++row)
    text += info.is_table() ? table_line(info, rows, row, cells) : text_line(info, rows, row);
  return text;
}

std::vector<float> points_of(const DatasetInfo& info, const Rows& rows,
                             std::array<std::int64_t, 2> columns) {
  std::vector<float> points;
  for (std::int64_t row = 0; row < rows.count; ++row)
    for (const std::int64_t column : columns) {
      const std::int64_t index = row * info.dims() + column;
      points.push_back(static_cast<float>(value_at(info, rows, static_cast<std::size_t>(index))));
    }
  return points;
}

std::vector<std::string> class_names(const DatasetInfo& info, const Rows& rows) {
  std::vector<std::string> names;
  for (const std::int32_t label : rows.y) names.push_back(class_name(info.label_names, label));
  return names;
}

}  // namespace logpx::draw
