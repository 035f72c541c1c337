#include "tools/sessions/query_table.hpp"

#include "formats/draw/row_text.hpp"
#include "formats/draw/unicode.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>

namespace logpx {

const std::vector<Query>& query_table() {
  static const std::vector<Query> table = [] {
    std::vector<Query> all;
    for (const auto& part :
         {queries_of_values(), queries_of_fillings(), queries_of_states(), queries_of_models()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return table;
}

const Query& find_query(const std::string& name) {
  const auto found = std::ranges::find(query_table(), name, &Query::name);
  LOGPX_ASSERT(found != query_table().end());
  return *found;
}

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

std::vector<double> values_of_row(const ModelQueries& queries, std::span<const std::int32_t> x,
                                  std::span<const float> reals) {
  std::vector<double> values(x.begin(), x.end());
  for (std::size_t i = 0; i < reals.size(); ++i)
    if (x[i] >= 0 && queries.is_real(static_cast<std::int64_t>(i)))
      values[i] = static_cast<double>(reals[i]);
  return values;
}

bool has_densities(const ModelInfo& model) { return model.measure == Measure::lebesgue; }

std::string refuse_single_values(const Abilities& can) { return can.queries->silent_about(); }

std::int64_t stored_place(const DatasetInfo& info, std::int64_t place) {
  const std::int64_t channels = info.content == Content::image ? info.shape.back() : 1;
  const std::int64_t pixels = info.dims() / channels;
  return place % pixels * channels + place / pixels;
}

Json place_name(const DatasetInfo& info, std::int64_t place) {
  if (info.is_table()) return draw::column_names(info)[at(place)];
  return stored_place(info, place);
}

}  // namespace logpx
