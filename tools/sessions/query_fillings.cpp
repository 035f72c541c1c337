// Queries that fill what is missing.
#include "formats/draw/row_text.hpp"
#include "libcore/base/index.hpp"
#include "libcore/eval/joint_table.hpp"
#include "libcore/eval/moments.hpp"
#include "libcore/model/matching_rows.hpp"
#include "tools/sessions/query_patterns.hpp"
#include "tools/sessions/query_places.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {
namespace {

// Row `i` of a list of rows.
template <typename V>
std::span<const V> part_of(const std::vector<V>& rows, std::int64_t i, std::int64_t width) {
  return rows.empty() ? std::span<const V>() : std::span(rows).subspan(at(i * width), at(width));
}

void keep_rows(const AskedRows& asked, const FilledRows& filled, std::vector<double>& nats) {
  nats = filled.nats;
  for (std::int64_t i = 0; i < asked.rows.count(); ++i)
    if (std::isfinite(nats[at(i)]))
      asked.answers[at(i)].filled.push_back(
          values_of_row(asked.scope.queries(), part_of(filled.x, i, asked.rows.width),
                        part_of(filled.reals, i, asked.rows.width)));
}

// Rows of a draw, or of the most probable explanation.
void fill_rows(const AskedRows& asked, FillBy how, std::int64_t draw, std::vector<double>& nats) {
  keep_rows(
      asked,
      asked.scope.queries().fill(asked.rows, how, asked.rng, static_cast<std::uint32_t>(draw)),
      nats);
}

// The most probable word of a column of words.
double expected(const ModelQueries& queries, const DatasetInfo& info, std::int64_t place,
                std::span<const double> table) {
  if (!holds_words(info, place)) return mean_value(queries, place, table);
  const std::span<const double> known = table.first(at(queries.known_at(place)));
  return static_cast<double>(std::ranges::max_element(known) - known.begin());
}

void fill_means(const AskedRows& asked, std::vector<double>& nats) {
  const ModelQueries& queries = asked.scope.queries();
  const ValueTables tables = queries.tables(asked.rows);
  nats = tables.nats;
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    if (!std::isfinite(nats[at(i)])) continue;
    std::vector<double> x =
        values_of_row(queries, asked.rows.row(i), part_of(asked.rows.reals, i, asked.rows.width));
    for (const std::int64_t place : missing_places(asked.rows, i)) {
      const std::int64_t cell = i * asked.rows.width + place;
      x[at(place)] = queries.is_real(place)
                         ? tables.reals[at(cell)].mean
                         : expected(queries, asked.scope.info, place,
                                    std::span(tables.p).subspan(at(cell * queries.levels()),
                                                                at(queries.levels_at(place))));
    }
    asked.answers[at(i)].filled.push_back(std::move(x));
  }
}

void fill_once(const AskedRows& asked, std::int64_t draw, std::vector<double>& nats) {
  if (asked.scope.question.how == FillWith::means) return fill_means(asked, nats);
  const bool draws = asked.scope.question.how == FillWith::draws;
  fill_rows(asked, draws ? FillBy::draws : FillBy::explanation, draw, nats);
}

// The lines of one draw of every row.
void list_rows(const AskedRows& asked, std::int64_t draw, std::span<const double> nats,
               const char* trouble) {
  for (std::int64_t i = 0; i < asked.rows.count(); ++i)
    if (std::isfinite(nats[at(i)]))
      asked.answers[at(i)].lines.push_back({asked.number(i), draw, nats[at(i)]});
    else asked.answers[at(i)].trouble = trouble;
}

constexpr std::int64_t draws_at_once = 512;

// Draws that match a pattern; log p is that of what is there together with a match.
void complete_matching(const AskedRows& asked) {
  const auto matching = asked.scope.queries().matching(*asked.scope.automaton);
  const std::int64_t all = asked.scope.question.draws;
  std::vector<double> nats;
  for (std::int64_t first = 0; first < all; first += draws_at_once) {
    const auto begin = static_cast<std::uint32_t>(first),
               end = static_cast<std::uint32_t>(std::min(all, first + draws_at_once));
    std::int64_t draw = first;
    for (const FilledRows& filled : matching->fill(asked.rows, asked.rng, {begin, end})) {
      keep_rows(asked, filled, nats);
      list_rows(asked, draw++, nats, no_match);
    }
  }
}

void answer_complete(const AskedRows& asked) {
  if (asked.scope.automaton != nullptr) return complete_matching(asked);
  std::vector<double> nats;
  for (std::int64_t draw = 0; draw < asked.scope.question.draws; ++draw) {
    fill_once(asked, draw, nats);
    list_rows(asked, draw, nats, impossible_row);
  }
}

// Draws of whole rows, with log p of each.
void answer_sample(const AskedRows& asked) {
  const std::int64_t count = asked.scope.question.draws;
  const std::unique_ptr<ModelQueries> drawing =
      asked.scope.queries().tempered(asked.scope.question.temperature);
  const Automaton* const automaton = asked.scope.automaton;
  const std::unique_ptr<MatchingRows> matching =
      automaton == nullptr ? nullptr : drawing->matching(*automaton);
  for (std::int64_t first = 0; first < count; first += draws_at_once) {
    Evidence rows = asked.rows.repeat(0, std::min(draws_at_once, count - first));
    rows.first = first;
    FilledRows filled = matching ? std::move(matching->fill(rows, asked.rng, {0, 1})[0])
                                 : drawing->fill(rows, FillBy::draws, asked.rng, 0);
    if (matching && !std::isfinite(filled.nats[0])) {
      asked.answers[0].trouble = no_match;
      return;
    }
    rows.become(std::move(filled));
    const std::vector<double> nats = asked.scope.queries().log_p(rows);
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      asked.answers[0].filled.push_back(
          values_of_row(asked.scope.queries(), rows.row(i), part_of(rows.reals, i, rows.width)));
      asked.answers[0].lines.push_back({first + i, nats[at(i)]});
    }
  }
}

void answer_mpe(const AskedRows& asked) {
  std::vector<double> nats;
  fill_rows(asked, FillBy::explanation, 0, nats);
  for (std::int64_t i = 0; i < asked.rows.count(); ++i)
    if (std::isfinite(nats[at(i)]))
      asked.answers[at(i)].lines.push_back({asked.number(i), nats[at(i)]});
    else asked.answers[at(i)].trouble = impossible_row;
}

void answer_map(const AskedRows& asked) {
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    const BestFilling best =
        best_filling(asked.scope.queries(), asked.rows, i, asked.scope.question.search);
    if (best.x.empty()) {
      asked.answers[at(i)].trouble = impossible_row;
      continue;
    }
    asked.answers[at(i)].filled.push_back(values_of_row(asked.scope.queries(), best.x, best.reals));
    asked.answers[at(i)].lines.push_back({asked.number(i), best.nats, best.exact});
  }
}

// The name of a category, or the number where x is real or a mean between categories.
Json filled_name(const QueryScope& scope, std::int64_t place, double x) {
  const bool number = !scope.info.column_forms.empty() && !holds_words(scope.info, place);
  if (number || scope.queries().is_real(place) || x != std::floor(x))
    return number_at(scope.info, place, x);
  return category_name(scope.info, place, static_cast<std::int64_t>(x));
}

// One line for every empty cell.
void answer_impute(const AskedRows& asked) {
  std::vector<double> nats;
  for (std::int64_t draw = 0; draw < asked.scope.question.files; ++draw) {
    fill_once(asked, draw, nats);
    for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
      RowAnswer& answer = asked.answers[at(i)];
      if (!std::isfinite(nats[at(i)])) {
        answer.trouble = impossible_row;
        continue;
      }
      for (const std::int64_t place : missing_places(asked.rows, i)) {
        const double x = answer.filled.back()[at(place)];
        answer.lines.push_back({asked.number(i), draw, place_name(asked.scope.info, place),
                                filled_name(asked.scope, place, x)});
      }
    }
  }
}

std::string refuse_pictures_and_text(const Abilities& can) {
  return can.info().data.is_table() ? "" : "it fills tables, and this model reads no table";
}

double down_and_up(const ModelQueries& queries, std::int64_t width) {
  return 2 * queries.cost(width);
}

std::vector<std::string> filled_columns(const QueryScope& scope) {
  std::vector<std::string> names;
  if (scope.question.query != "sample") names.emplace_back("row");
  if (scope.question.query == "complete" || names.empty()) names.emplace_back("draw");
  names.emplace_back("log_p");
  if (scope.question.query == "map") names.emplace_back("exact");
  if (!scope.info.is_table()) {
    if (scope.info.content != Content::image) names.emplace_back("filled");
    return names;
  }
  names = beside_columns(std::move(names), scope.info);
  const std::vector<std::string> own = draw::column_names(scope.info);
  names.insert(names.end(), own.begin(), own.end());
  return names;
}

}  // namespace

std::vector<Query> queries_of_fillings() {
  return {{.name = "complete",
           .says = "rows with their gaps filled, by --how",
           .cost = "a pass up, and a way down for each draw",
           .rows = Query::Rows::described,
           .options = {"--given", "--how", "--num", "--pattern", "--without", "--dtype"},
           .madds = down_and_up,
           .columns = filled_columns,
           .answer = answer_complete,
           .fills = true},
          {.name = "sample",
           .says = "new rows, and log p of each",
           .cost = "a pass up, and a way down for each draw",
           .rows = Query::Rows::none,
           .options = {"--given", "--num", "--length", "--temperature", "--pattern", "--without",
                       "--dtype"},
           .madds = down_and_up,
           .columns = filled_columns,
           .answer = answer_sample,
           .fills = true},
          {.name = "mpe",
           .says = "the most probable explanation: values and hidden states together",
           .cost = "a pass up and a way down",
           .rows = Query::Rows::described,
           .options = {"--given", "--dtype"},
           .madds = down_and_up,
           .columns = filled_columns,
           .answer = answer_mpe,
           .fills = true},
          {.name = "map",
           .says = "the most probable values, hidden states summed out; exact or a search",
           .cost = "a pass for every assignment, up to --enumerate-limit; else a search",
           .rows = Query::Rows::described,
           .options = {"--given", "--enumerate-limit", "--beam", "--dtype"},
           .refusal = refuse_single_values,
           .columns = filled_columns,
           .answer = answer_map,
           .fills = true},
          {.name = "impute",
           .says = "a table with its empty cells filled, all else as it was",
           .cost = "as complete",
           .options = {"--given", "--how", "--draws", "--dtype"},
           .madds = down_and_up,
           .refusal = refuse_pictures_and_text,
           .columns = [](const QueryScope&) -> std::vector<std::string> {
             return {"row", "draw", "column", "value"};
           },
           .answer = answer_impute,
           .lists = false}};
}

}  // namespace logpx
