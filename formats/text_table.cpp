#include "formats/text_table.hpp"

#include "formats/draw/unicode.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

bool is_finite(const Json& cell) { return !cell.is_number() || std::isfinite(cell.number()); }

std::string csv_cell(const Json& cell, const TextTable::NumberText& number_text) {
  if (cell.is_number() && number_text) return list_item(number_text(cell.number()));
  if (cell.is_string()) return list_item(cell.string());
  if (cell.is_null()) return "";
  return is_finite(cell) ? cell.dump(-1) : to_text(cell.number());
}

std::string aligned_cell(const Json& cell, const TextTable::NumberText& number_text) {
  if (cell.is_number() && number_text) return number_text(cell.number());
  if (cell.is_string()) return cell.string();
  if (cell.is_null()) return "";
  if (cell.is_integer() || !cell.is_number()) return cell.dump(-1);
  return is_finite(cell) ? four_digits(cell.number()) : to_text(cell.number());
}

}  // namespace

void TextTable::add(std::string name, std::vector<Json> cells, NumberText number_text) {
  LOGPX_ASSERT(columns_.empty() || cells.size() == columns_.front().size());
  names_.push_back(std::move(name));
  columns_.push_back(std::move(cells));
  number_texts_.push_back(std::move(number_text));
}

std::string TextTable::text(TableForm form) const {
  if (form == TableForm::aligned) return aligned();
  return form == TableForm::csv ? csv() : json_lines();
}

// Numbers are aligned at the right, words at the left.
std::string TextTable::aligned() const {
  std::vector<std::string> lines(rows() + 1);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::vector<std::string> cells = {names_[c]};
    for (const Json& cell : columns_[c]) cells.push_back(aligned_cell(cell, number_texts_[c]));
    const auto width_of = [](const std::string& text) { return draw::letters_of(text).size(); };
    const bool numbers = std::ranges::all_of(
        columns_[c], [](const Json& cell) { return cell.is_number() || cell.is_null(); });
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, width_of(cell));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string blanks(width - width_of(cells[i]), ' ');
      const bool last = c + 1 == columns_.size();
      lines[i] += (c == 0 ? "" : "  ") + (numbers ? blanks + cells[i] : cells[i]);
      if (!numbers && !last) lines[i] += blanks;
    }
  }
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string TextTable::csv() const {
  std::string text = join_list(names_) + '\n';
  for (std::size_t row = 0; row < rows(); ++row) {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      text += (c == 0 ? "" : ",") + csv_cell(columns_[c][row], number_texts_[c]);
    text += '\n';
  }
  return text;
}

std::string TextTable::json_lines() const {
  std::string text;
  for (std::size_t row = 0; row < rows(); ++row) text += record(row).dump(-1) + '\n';
  return text;
}

Json TextTable::record(std::size_t row) const {
  Json record = Json::object();
  for (std::size_t c = 0; c < columns_.size(); ++c)
    record.set(names_[c], is_finite(columns_[c][row]) ? columns_[c][row] : Json());
  return record;
}

Json TextTable::records(std::size_t most) const {
  Json records = Json::array();
  for (std::size_t row = 0; row < std::min(most, rows()); ++row) records.push(record(row));
  return records;
}

}  // namespace logpx
