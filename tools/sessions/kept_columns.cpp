#include "tools/sessions/kept_columns.hpp"

#include "formats/draw/row_text.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/data/column_cells.hpp"
#include "libcore/data/row_values.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace logpx {
namespace {

std::size_t place_in_input(const std::string& name, const std::vector<std::string>& names,
                           const OpenQuery& open) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return at(found - names.begin());
  const DatasetInfo& info = open.file->info();
  const bool is_id = std::ranges::find(info.id_columns, name) != info.id_columns.end();
  if (open.columns == nullptr && is_id)
    fail(ErrorKind::usage, "--keep",
         '\'' + name + "' names rows, and a dataset holds what models read alone",
         "query-pc MODEL TABLE.csv --keep " + name);
  fail(ErrorKind::usage, "--keep",
       '\'' + name + "' is no column of the input" + did_you_mean(name, names));
}

// A text that JSON writes as it is, when it is taken for a number.
std::optional<Json> as_number(const std::string& text) {
  const std::optional<double> real = parse_real(text);
  if (!real || !std::isfinite(*real)) return std::nullopt;
  const std::optional<std::int64_t> whole = parse_integer(text);
  if (whole && Json(*whole).dump(-1) == text) return Json(*whole);
  const Json number(*real);
  return number.dump(-1) == text ? std::optional(number) : std::nullopt;
}

std::vector<std::string> texts_of(const OpenQuery& open, std::size_t place) {
  std::vector<std::string> texts;
  if (open.columns != nullptr) {
    for (std::int64_t row = open.begin; row < open.end; ++row)
      texts.push_back(open.columns->cell(row, place));
    return texts;
  }
  const DatasetInfo& info = open.file->info();
  const ColumnCells cells(info);
  const std::vector<float> values = stored_values(info, open.file->read(open.begin, open.end));
  for (std::size_t i = place; i < values.size(); i += at(info.dims())) {
    const bool missing = std::isnan(values[i]) || (info.element != Element::f32 && values[i] == -1);
    texts.push_back(
        missing ? ""
                : cells.text(static_cast<std::int64_t>(place), static_cast<double>(values[i])));
  }
  return texts;
}

}  // namespace

KeptColumns::KeptColumns(const std::vector<std::string>& names, const OpenQuery& open)
    : names_(names), begin_(open.begin) {
  if (names.empty()) return;
  if (!open.file->info().is_table())
    fail(ErrorKind::usage, "--keep", "copies columns of tables, and this input is none");
  const std::vector<std::string> all =
      open.columns != nullptr ? open.columns->names() : draw::column_names(open.file->info());
  for (const std::string& name : names) take_cells(texts_of(open, place_in_input(name, all, open)));
}

void KeptColumns::take_cells(std::vector<std::string> texts) {
  std::vector<Json> numbers;
  for (const std::string& text : texts) {
    const std::optional<Json> number = text.empty() ? std::optional(Json()) : as_number(text);
    if (!number) break;
    numbers.push_back(*number);
  }
  if (numbers.size() == texts.size()) cells_.push_back(std::move(numbers));
  else cells_.emplace_back(texts.begin(), texts.end());
}

}  // namespace logpx
