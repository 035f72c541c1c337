#include "tools/sessions/given_values.hpp"

#include "formats/draw/row_text.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace logpx {
namespace {

// Categories of the model that a condition allows. One for all that is new stands for values that
// are named and that the model does not know; it lies in no range.
ValueRegion category_region(const GivenValues::Reader& reader, const ColumnCondition& condition) {
  const ModelQueries& queries = reader.queries;
  const std::int64_t known = queries.known_at(condition.column);
  ValueRegion region{.categories =
                         std::vector<std::uint8_t>(at(queries.levels_at(condition.column)))};
  std::vector<double> news = condition.values;
  for (std::int64_t k = 0; k < known; ++k) {
    const double value = queries.value_at(condition.column, k);
    const bool named = std::erase(news, value) > 0;
    region.categories[at(k)] = condition.values.empty() ? condition.in_range(value) : named;
  }
  if (!news.empty() && known < std::ssize(region.categories)) region.categories.back() = 1;
  if (region.empty())
    fail(ErrorKind::numeric, reader.option,
         '\'' + condition.text + "' has probability 0: it is none of the " + std::to_string(known) +
             " values that the model knows");
  return region;
}

// A number that rounding may have moved off a whole one.
double settled(double value) {
  constexpr double rounding = 1e-6;
  const double whole = std::nearbyint(value);
  return std::abs(value - whole) < rounding ? whole : value;
}

ValueRegion whole_numbers(const GivenValues::Reader& reader, const ColumnCondition& condition) {
  ValueRegion region;
  for (const double value : condition.values)
    region.ranges.push_back({settled(value), settled(value)});
  if (!condition.values.empty()) return region;
  const double low = settled(condition.low), high = settled(condition.high);
  const ValueRange range{condition.above_low ? std::floor(low) + 1 : std::ceil(low),
                         condition.below_high ? std::ceil(high) - 1 : std::floor(high)};
  if (range.low > range.high)
    fail(ErrorKind::usage, reader.option,
         '\'' + condition.text + "' is a range in which no whole number lies");
  region.ranges.push_back(range);
  return region;
}

void require_whole(const GivenValues::Reader& reader, const ColumnCondition& condition) {
  const std::vector<ColumnForm>& forms = reader.info.column_forms;
  const bool whole = !forms.empty() && forms[at(condition.column)].kind == ColumnKind::whole;
  const auto is_whole = [](double value) { return settled(value) == std::nearbyint(value); };
  if (whole && !std::ranges::all_of(condition.values, is_whole))
    fail(ErrorKind::usage, reader.option,
         '\'' + condition.text + "' is no value of column " +
             draw::column_names(reader.info)[at(condition.column)] + ", which holds whole numbers");
}

ValueRegion number_region(const GivenValues::Reader& reader, const ColumnCondition& condition) {
  if (!reader.queries.has_density(condition.column)) return whole_numbers(reader, condition);
  if (condition.values.empty()) return {.ranges = {{condition.low, condition.high}}};
  if (condition.values.size() > 1) {
    const std::string name = draw::column_names(reader.info)[at(condition.column)];
    fail(ErrorKind::usage, reader.option,
         '\'' + condition.text + "' names several values of column " + name +
             ", which holds real numbers: one value or a range of them is evidence");
  }
  return {.ranges = {{condition.values[0], condition.values[0]}}};
}

}  // namespace

GivenValues::GivenValues(const Reader& reader, const std::vector<std::string>& texts)
    : option_(reader.option) {
  if (!reader.info.is_table())
    fail(ErrorKind::usage, option_, "names columns, and this model reads no table");
  const std::vector<std::string> names = draw::column_names(reader.info);
  for (const ColumnCondition& one : read_conditions({option_, reader.info, names}, texts))
    values_.push_back(value_of(reader, one));
}

GivenValues::Value GivenValues::value_of(const Reader& reader, const ColumnCondition& condition) {
  Value value{.place = condition.column,
              .text = condition.text,
              .has_density = reader.queries.has_density(condition.column)};
  require_whole(reader, condition);
  if (reader.queries.is_real(condition.column)) {
    value.region = number_region(reader, condition);
    const std::vector<ValueRange>& ranges = value.region.ranges;
    if (ranges.size() == 1 && ranges[0].low == ranges[0].high) value.number = ranges[0].low;
    return value;
  }
  value.region = category_region(reader, condition);
  const auto first = std::ranges::find(value.region.categories, 1);
  if (std::ranges::count(value.region.categories, 1) == 1)
    value.category = static_cast<std::int32_t>(first - value.region.categories.begin());
  return value;
}

void GivenValues::put_into(Evidence& rows) const {
  ValueRegions regions = rows.regions ? *rows.regions : ValueRegions();
  for (const Value& value : values_) {
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      rows.set(i, value.place, value.category.value_or(-1));
      if (value.number) rows.set_real(i, value.place, *value.number);
    }
    if (!value.category && !value.number) regions[value.place] = value.region;
  }
  if (!regions.empty()) rows.regions = std::make_shared<const ValueRegions>(std::move(regions));
}

void GivenValues::require(Evidence& rows) const {
  ValueRegions regions = rows.regions ? *rows.regions : ValueRegions();
  for (const Value& value : values_) {
    if (value.number && value.has_density)
      fail(ErrorKind::usage, option_,
           '\'' + value.text + "' is one of the real numbers, each of which has probability 0",
           "a range, such as NAME>VALUE; --query marginal says how dense it is there");
    const auto [place, added] = regions.try_emplace(value.place, value.region);
    if (!added) place->second = place->second.shared_with(value.region);
  }
  rows.regions = std::make_shared<const ValueRegions>(std::move(regions));
}

}  // namespace logpx
