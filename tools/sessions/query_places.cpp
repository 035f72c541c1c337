#include "tools/sessions/query_places.hpp"

#include "formats/draw/row_text.hpp"
#include "formats/draw/unicode.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/column_cells.hpp"
#include "libcore/data/date_form.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {

bool holds_words(const DatasetInfo& info, std::int64_t place) {
  const std::vector<std::int64_t>& words = info.column_words.counts;
  return !words.empty() && words[at(place)] > 0;
}

Json category_name(const DatasetInfo& info, std::int64_t place, std::int64_t k) {
  if (at(k) < info.alphabet.size()) return draw::utf8_of(char32_t{info.alphabet[at(k)]});
  if (at(k) < info.tokens.size()) return info.tokens[at(k)];
  if (info.column_words.empty()) return k;
  const auto words = info.column_words.by_column(info.dims())[at(place)];
  return at(k) < words.size() ? Json(words[at(k)]) : Json(k);
}

ColumnForm form_at(const DatasetInfo& info, std::int64_t place) {
  return info.column_forms.empty() ? ColumnForm{} : info.column_forms[at(place)];
}

Json number_at(const DatasetInfo& info, std::int64_t place, double stored) {
  const ColumnForm form = form_at(info, place);
  if (is_date_form(form.form)) return number_cell(form, stored);
  return form.value_of(stored);
}

Json value_name(const ModelQueries& queries, const DatasetInfo& info, std::int64_t place,
                std::int64_t k) {
  if (k >= queries.known_at(place)) return "(new)";
  const double value = queries.value_at(place, k);
  if (value != std::floor(value) || (!info.column_forms.empty() && !holds_words(info, place)))
    return number_at(info, place, value);
  return category_name(info, place, static_cast<std::int64_t>(value));
}

std::vector<double> values_of_row(const ModelQueries& queries, std::span<const std::int32_t> x,
                                  std::span<const float> reals) {
  std::vector<double> values(x.begin(), x.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (x[i] < 0) continue;
    const auto place = static_cast<std::int64_t>(i);
    if (!queries.is_real(place)) values[i] = queries.value_at(place, x[i]);
    else if (!reals.empty()) values[i] = static_cast<double>(reals[i]);
  }
  return values;
}

std::int64_t stored_place(const DatasetInfo& info, std::int64_t place) {
  const std::int64_t channels = info.content == Content::image ? info.shape.back() : 1;
  const std::int64_t pixels = info.dims() / channels;
  return place % pixels * channels + place / pixels;
}

Json place_name(const DatasetInfo& info, std::int64_t place) {
  if (info.is_table()) return draw::column_names(info)[at(place)];
  return stored_place(info, place);
}

std::string name_text(const DatasetInfo& info, std::int64_t place) {
  const Json name = place_name(info, place);
  return name.is_string() ? name.string() : 'x' + name.dump(-1);
}

std::vector<std::string> beside_columns(std::vector<std::string> names, const DatasetInfo& info) {
  const std::vector<std::string>& taken = info.column_names;
  for (std::string& name : names)
    while (std::ranges::find(taken, name) != taken.end()) name += '_';
  return names;
}

}  // namespace logpx
