// What the places of a row are called, and what stands there as the data have it: words, letters,
// numbers in the units of their column.   [pc/README 9]
//
//   const std::string column = name_text(info, place);
//   const Json cell = value_name(queries, info, place, 3);
#pragma once

#include "formats/json/value.hpp"
#include "libcore/data/dataset.hpp"
#include "libcore/model/queries.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

[[nodiscard]] bool holds_words(const DatasetInfo& info, std::int64_t place);
// "k", a word of the column, or the number of a category without a name.
[[nodiscard]] Json category_name(const DatasetInfo& info, std::int64_t place, std::int64_t k);
// How the cells of a column are made of what is stored; as they are where nothing is known of it.
[[nodiscard]] ColumnForm form_at(const DatasetInfo& info, std::int64_t place);
// A stored number in the units of its column, a date as its cells have it.
[[nodiscard]] Json number_at(const DatasetInfo& info, std::int64_t place, double stored);
// What a category of the model is in the data: its name, the number that a table has for it, or
// "(new)" for all that is new.
[[nodiscard]] Json value_name(const ModelQueries& queries, const DatasetInfo& info,
                              std::int64_t place, std::int64_t k);
// The values of a row: categories as their numbers, -1 behind its end.
[[nodiscard]] std::vector<double> values_of_row(const ModelQueries& queries,
                                                std::span<const std::int32_t> x,
                                                std::span<const float> reals);
// A place of evidence in the order of datasets, where a pixel's channels lie side by side; evidence
// has one channel behind the other.
[[nodiscard]] std::int64_t stored_place(const DatasetInfo& info, std::int64_t place);
// The column's name in a table, else the stored place; as the name of a column of answers, "x12".
[[nodiscard]] Json place_name(const DatasetInfo& info, std::int64_t place);
[[nodiscard]] std::string name_text(const DatasetInfo& info, std::int64_t place);
// Names of an answer's own columns, which stand beside those of a table: where that has one of the
// same name, "row" becomes "row_".
[[nodiscard]] std::vector<std::string> beside_columns(std::vector<std::string> names,
                                                      const DatasetInfo& info);

}  // namespace logpx
