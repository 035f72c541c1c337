#include "libcore/model/column_reading.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/column_scale.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr std::size_t most_named = 3;

bool holds_reals(const DataReading& reading, const DatasetInfo& info) {
  return info.levels == 0 && !reading.binarises();
}

// "year, gram", "year, gram, price and 4 more"
std::string names_of(const std::vector<std::int64_t>& columns, const DatasetInfo& info) {
  const std::size_t shown = std::min(columns.size(), most_named);
  std::string names;
  for (std::size_t i = 0; i < shown; ++i)
    names += (i == 0 ? "" : ", ") + info.column_name(columns[i]);
  if (columns.size() > shown) names += " and " + std::to_string(columns.size() - shown) + " more";
  return names;
}

std::string note_of(const std::vector<std::int64_t>& off, const std::vector<std::int64_t>& constant,
                    const DatasetInfo& info) {
  std::string note =
      "the data are far from unit scale in " + names_of(off, info) + ": " + in_deviations;
  if (!constant.empty())
    note += "; the deviation of " + names_of(constant, info) + ", always the same, counts as 1";
  return note;
}

}  // namespace

ColumnReading read_columns(DataReading& reading, const TaskRows& rows, Squash mean) {
  ColumnReading columns{.info = rows.info};
  Standardisation& scale = columns.info.standardisation;
  const std::optional<bool> wanted = reading.standardise;
  if (!holds_reals(reading, rows.info)) {
    if (wanted.value_or(false))
      fail(
          ErrorKind::usage, "--standardise",
          "is for real numbers, and x of " + rows.info.name + " has levels, which stay as they are",
          "leave out --standardise");
    return columns;
  }
  if (wanted == false) scale = {};
  if (wanted == false || !scale.empty()) return columns;
  if (!wanted && (holds_grey(rows.info) || mean != Squash::none)) return columns;
  ColumnMoments moments(rows.info);
  rows.visit([&](const Examples& part) { moments.add(part.rows); });
  Standardisation found = moments.scale();
  const std::vector<std::int64_t> off = columns_off_scale(found);
  const auto finite = [](double number) { return std::isfinite(number); };
  // Values that are not finite are refused by the likelihood, which says where they are.
  if ((off.empty() && !wanted) || !std::ranges::all_of(found.deviation, finite)) return columns;
  std::vector<std::int64_t> constant;
  for (std::size_t d = 0; d < found.deviation.size(); ++d) {
    if (found.deviation[d] > 0) continue;
    found.deviation[d] = 1;
    constant.push_back(static_cast<std::int64_t>(d));
  }
  if (!wanted) columns.note = note_of(off, constant, rows.info);
  reading.standardise = true;
  scale = std::move(found);
  return columns;
}

}  // namespace logpx
