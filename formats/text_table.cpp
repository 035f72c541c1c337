#include "formats/text_table.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

bool is_finite(const Json& cell) { return !cell.is_number() || std::isfinite(cell.number()); }

std::string csv_cell(const Json& cell) {
  if (cell.is_string()) return list_item(cell.string());
  return is_finite(cell) ? cell.dump(-1) : to_text(cell.number());
}

}  // namespace

void TextTable::add(std::string name, std::vector<Json> cells) {
  LOGPX_ASSERT(columns_.empty() || cells.size() == columns_.front().size());
  names_.push_back(std::move(name));
  columns_.push_back(std::move(cells));
}

std::string TextTable::text(TableForm form) const {
  return form == TableForm::csv ? csv() : json_lines();
}

std::string TextTable::csv() const {
  std::string text = join_list(names_) + '\n';
  for (std::size_t row = 0; row < rows(); ++row) {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      text += (c == 0 ? "" : ",") + csv_cell(columns_[c][row]);
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
