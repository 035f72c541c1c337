#include "tools/frame/report_table.hpp"

#include "formats/report.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shown_name.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace logpx {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u;
  }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = {""};
  for (const std::string& word : split_text(text, ' ')) {
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    while (width_of(lines.back()) > width) {  // a hash, a path
      std::size_t cut = width;
      while (cut > 1 && (static_cast<unsigned char>(lines.back()[cut]) & 0xc0u) == 0x80u) --cut;
      lines.push_back(lines.back().substr(cut));
      lines[lines.size() - 2].resize(cut);
    }
  }
  return lines;
}

namespace {

constexpr std::size_t column_gap = 2, most_listed = 12, most_stretches = 4;

// Whether one cell can hold it: a word, a number, a short list of them.
bool is_plain(const Json& value) {
  if (value.is_object()) return false;
  const auto listed = [](const Json& item) { return !item.is_object() && !item.is_array(); };
  return !value.is_array() || (value.size() <= most_listed &&
                               std::all_of(value.items().begin(), value.items().end(), listed));
}

std::string cell(const Json& value) {
  if (const auto quantity = as_quantity(value)) return people_text(*quantity);
  if (value.is_null() || value == Json("")) return "-";
  if (value.is_bool()) return value.boolean() ? "yes" : "no";
  if (value.is_string()) return shown_name(value.string());
  if (value.is_integer()) return value.dump(-1);
  if (value.is_number()) return four_digits(value.number());
  std::vector<std::string> parts;
  if (value.is_array()) {
    for (const Json& item : value.items()) parts.push_back(cell(item));
    return '[' + join_text(parts, ", ") + ']';
  }
  for (const auto& [key, member] : value.members()) parts.push_back(key + ' ' + cell(member));
  return join_text(parts, ", ");
}

// The list, or "50 numbers from 0.01 to 3.2" if it is too long.
std::string list_text(const Json& list) {
  if (is_plain(list)) {
    const std::string text = cell(list);
    return text.substr(1, text.size() - 2);
  }
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Json& item : list.items()) {
    if (!item.is_number()) return std::to_string(list.size()) + " items";
    low = std::min(low, item.number());
    high = std::max(high, item.number());
  }
  return std::to_string(list.size()) + " numbers from " + four_digits(low) + " to " +
         four_digits(high);
}

// The text of a cell in a table: a list that is too long is only counted.
std::string short_cell(const Json& value) {
  return value.is_array() && !is_plain(value) ? list_text(value) : cell(value);
}

struct TableRow {
  std::string name, value, about;  // about: the unit and kind of a quantity
};

// A list of objects: a table of its own below the rows.
struct Block {
  std::string name;
  const Json* items;
};

struct Contents {
  std::vector<TableRow> rows;
  std::vector<Block> blocks;
};

void collect(const Json& value, const std::string& name, Contents& contents) {
  const auto is_entry = [](const Json& item) { return item.is_object(); };
  if (const auto quantity = as_quantity(value)) {
    contents.rows.push_back(
        {name, people_text(*quantity), quantity->unit + ", " + kind_text(*quantity)});
  } else if (value.is_array()) {
    const auto& items = value.items();
    if (!items.empty() && std::all_of(items.begin(), items.end(), is_entry))
      contents.blocks.push_back({name, &value});
    else contents.rows.push_back({name, list_text(value), ""});
  } else if (value.is_object()) {
    const auto& members = value.members();
    const bool plain = std::all_of(members.begin(), members.end(),
                                   [](const auto& member) { return is_plain(member.second); });
    if (plain && !name.empty()) {
      contents.rows.push_back({name, cell(value), ""});
    } else {
      for (const auto& [key, member] : members)
        collect(member, name.empty() ? key : name + '.' + key, contents);
    }
  } else {
    contents.rows.push_back({name, cell(value), ""});
  }
}

std::string without_end_blanks(std::string line) {
  while (line.ends_with(' ')) line.pop_back();
  return line + '\n';
}

std::string rows_text(const std::vector<TableRow>& rows, std::size_t columns) {
  std::size_t names = 0, values = 0;
  for (const TableRow& row : rows) {
    names = std::max(names, width_of(row.name));
    if (!row.about.empty()) values = std::max(values, width_of(row.value));
  }
  names = std::min(names, columns / 2);
  std::string text;
  for (const TableRow& row : rows) {
    const std::string value =
        row.about.empty() ? row.value : padded(row.value, values) + "  " + row.about;
    std::string line = padded(row.name, names);
    if (width_of(row.name) > names) text += row.name + '\n', line = std::string(names, ' ');
    const std::size_t room = columns - names - column_gap;
    const bool whole = width_of(value) <= room;
    for (const std::string& part : whole ? std::vector{value} : wrapped(value, room)) {
      text += without_end_blanks(line + std::string(column_gap, ' ') + part);
      line = std::string(names, ' ');
    }
  }
  return text;
}

struct Column {
  std::vector<std::string> cells;  // its name, then one for each row
  std::size_t width = 0;
  bool numbers = true;  // numbers are aligned to the right
};

std::vector<Column> block_columns(const Block& block) {
  std::vector<std::string> keys;
  for (const Json& item : block.items->items())
    for (const auto& [key, value] : item.members())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  std::vector<Column> columns;
  for (const std::string& key : keys) {
    Column& column = columns.emplace_back(Column{.cells = {key}});
    for (const Json& item : block.items->items()) {
      const Json* value = item.find(key);
      column.numbers = column.numbers && (value == nullptr || value->is_number());
      column.cells.push_back(value == nullptr ? "" : short_cell(*value));
    }
    for (const std::string& one : column.cells)
      column.width = std::max(column.width, width_of(one));
  }
  return columns;
}

using ColumnStretch = std::vector<const Column*>;

std::size_t total_width(const ColumnStretch& stretch) {
  std::size_t width = 0;
  for (const Column* column : stretch) width += column_gap + column->width;
  return width;
}

// Groups of columns that fit beside one another. Further groups follow below, each with the first
// column again, which names the rows.
std::vector<ColumnStretch> stretches_of(const std::vector<Column>& all, std::size_t columns) {
  std::vector<ColumnStretch> stretches(1);
  for (const Column& column : all) {
    if (stretches.back().size() > 1 &&
        total_width(stretches.back()) + column_gap + column.width > columns)
      stretches.push_back({&all.front()});
    stretches.back().push_back(&column);
  }
  return stretches;
}

// A cell that is wider than the terminal takes several lines.
std::string stretch_text(const ColumnStretch& stretch, std::size_t columns) {
  std::string text;
  for (std::size_t row = 0; row < stretch.front()->cells.size(); ++row) {
    std::vector<std::string> lines;
    std::size_t used = 0;
    for (const Column* column : stretch) {
      const std::string& whole = column->cells[row];
      const std::size_t left = columns - std::min(columns, used + column_gap),
                        width = std::min(column->width, std::max(left, least_columns / 2));
      const std::vector<std::string> parts =
          width_of(whole) <= width ? std::vector{whole} : wrapped(whole, width);
      lines.resize(std::max(lines.size(), parts.size()));
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string part = i < parts.size() ? parts[i] : "";
        const std::string blanks(column->numbers ? width - width_of(part) : 0, ' ');
        lines[i] = padded(lines[i], used + column_gap) + blanks + part;
      }
      used += column_gap + width;
    }
    for (std::string& line : lines) text += without_end_blanks(std::move(line));
  }
  return text;
}

std::string block_text(const Block& block, std::size_t columns) {
  const std::vector<Column> all = block_columns(block);
  const std::vector<ColumnStretch> stretches = stretches_of(all, columns);
  std::string text = '\n' + block.name + ":\n";
  std::size_t shown = 0;
  for (std::size_t i = 0; i < std::min(stretches.size(), most_stretches); ++i) {
    text += (i > 0 ? "\n" : "") + stretch_text(stretches[i], columns);
    shown += stretches[i].size() - (i > 0 ? 1 : 0);
  }
  if (shown < all.size())
    for (const std::string& line :
         wrapped("... and " + std::to_string(all.size() - shown) + " columns more, from " +
                     all[shown].cells.front() + " to " + all.back().cells.front() +
                     ", which --json prints",
                 columns))
      text += line + '\n';
  return text;
}

}  // namespace

std::string report_table(const Json& report, std::size_t columns) {
  columns = std::max(columns, least_columns);
  Contents contents;
  for (const Json& input : report.at("inputs").items())
    contents.rows.push_back({input.at("role").string(), cell(input.at("path")), ""});
  collect(report.at("result"), "", contents);
  std::string text = rows_text(contents.rows, columns);
  for (const Block& block : contents.blocks) text += block_text(block, columns);
  return text;
}

}  // namespace logpx
