// Queries about values of rows: how likely they are, one by one and together.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/eval/joint_table.hpp"
#include "libcore/eval/moments.hpp"
#include "tools/sessions/query_functions.hpp"
#include "tools/sessions/query_places.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace logpx {
namespace {

std::span<const double> table_at(const AskedRows& asked, const std::vector<double>& tables,
                                 std::int64_t i, std::int64_t place) {
  const std::int64_t levels = asked.scope.queries().levels();
  return std::span(tables).subspan(at((i * asked.rows.width + place) * levels),
                                   at(asked.scope.queries().levels_at(place)));
}

bool is_zero(std::span<const double> table) {
  return std::ranges::all_of(table, [](double p) { return p == 0; });
}

Json name_of(const QueryScope& scope, std::int64_t place, std::int64_t k) {
  return value_name(scope.queries(), scope.info, place, k);
}

void answer_loglik(const AskedRows& asked) {
  const StatePruning& pruning = asked.scope.question.pruning;
  const std::vector<double> nats = asked.scope.queries().log_p_pruned(asked.rows, pruning);
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    if (!std::isfinite(nats[at(i)])) asked.answers[at(i)].trouble = impossible_row;
    std::vector<Json>& line = asked.answers[at(i)].lines.emplace_back();
    line = {asked.number(i), nats[at(i)], -nats[at(i)] / std::numbers::ln2};
    if (pruning.on()) line.emplace_back(word_of(Bound::lower_bound));
  }
}

// A line for a value of a place. Models with densities say what the number is.
void add_cell(const AskedRows& asked, std::int64_t i, std::int64_t place, Json value, double p) {
  std::vector<Json>& line = asked.answers[at(i)].lines.emplace_back();
  line = {asked.number(i), place_name(asked.scope.info, place), std::move(value), p};
  if (has_densities(asked.scope.open.model()))
    line.emplace_back(asked.scope.queries().has_density(place) ? "density" : "probability");
}

// A line for every category of a place.
void add_table(const AskedRows& asked, std::int64_t i, std::int64_t place,
               std::span<const double> table) {
  for (std::int64_t k = 0; k < std::ssize(table); ++k)
    add_cell(asked, i, place, name_of(asked.scope, place, k), table[at(k)]);
}

void add_curve(const AskedRows& asked, std::int64_t i, std::int64_t place) {
  const DensityCurve curve = density_curve(asked.scope.queries(), asked.rows, i, place);
  if (curve.values.empty()) asked.answers[at(i)].trouble = impossible_row;
  for (std::size_t k = 0; k < curve.values.size(); ++k)
    add_cell(asked, i, place, number_at(asked.scope.info, place, curve.values[k]),
             curve.density[k]);
}

void answer_marginal(const AskedRows& asked) {
  const std::vector<double> tables = asked.scope.queries().tables(asked.rows).p;
  for (std::int64_t i = 0; i < asked.rows.count(); ++i)
    for (const std::int64_t place : asked_places(asked, i)) {
      const std::span<const double> table = table_at(asked, tables, i, place);
      if (asked.scope.queries().is_real(place)) add_curve(asked, i, place);
      else if (is_zero(table)) asked.answers[at(i)].trouble = impossible_row;
      else add_table(asked, i, place, table);
    }
}

void answer_next(const AskedRows& asked) {
  const ModelQueries& queries = asked.scope.queries();
  const std::vector<double> tables = queries.next(asked.rows);
  for (std::int64_t i = 0; i < asked.rows.count(); ++i)
    for (const std::int64_t place : queries.next_order(asked.rows.width)) {
      if (place >= asked.rows.lengths[at(i)]) continue;
      const std::span<const double> table = table_at(asked, tables, i, place);
      if (!is_zero(table)) {
        add_table(asked, i, place, table);
        continue;
      }
      asked.answers[at(i)].trouble = "what comes before place " +
                                     std::to_string(stored_place(asked.scope.info, place)) +
                                     " has probability 0";
      break;
    }
}

// The value of every place in an assignment.
std::vector<Json> assigned(const AskedRows& asked, const Assignments& assignments,
                           std::int64_t number) {
  const std::vector<std::int32_t> values = assignments.values(number);
  std::vector<Json> names;
  for (std::size_t v = 0; v < values.size(); ++v)
    names.push_back(assignments.is_real(v) ? Json(assignments.real(v, values[v]))
                                           : value_name(asked.scope.queries(), asked.scope.info,
                                                        assignments.places()[v], values[v]));
  return names;
}

void answer_conditional(const AskedRows& asked) {
  const ModelQueries& queries = asked.scope.queries();
  const std::int64_t most = asked.scope.question.search.enumerate;
  const DatasetInfo& info = asked.scope.info;
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    RowAnswer& answer = asked.answers[at(i)];
    const std::vector<std::int64_t> places = asked_places(asked, i);
    const Assignments assignments(queries, places, asked.rows, i);
    if (places.empty()) continue;
    if (assignments.count(most) > most) {
      answer.trouble = "there are more than " + std::to_string(most) + " assignments to " +
                       std::to_string(places.size()) + " values";
      continue;
    }
    const std::vector<double> p = joint_table(queries, asked.rows, i, assignments);
    if (p.empty()) answer.trouble = impossible_row;
    for (std::int64_t number = 0; number < std::ssize(p); ++number) {
      const std::vector<Json> names = assigned(asked, assignments, number);
      std::vector<Json> line = {asked.number(i)};
      if (asked.scope.question.vars.empty()) {
        std::string words;
        for (std::size_t v = 0; v < names.size(); ++v)
          words += (v > 0 && info.is_table() ? " " : "") +
                   (names[v].is_string() ? names[v].string() : names[v].dump(-1));
        line.emplace_back(words);
      } else {
        line.insert(line.end(), names.begin(), names.end());
        line.resize(1 + asked.scope.vars.size(), Json(""));
      }
      line.emplace_back(p[at(number)]);
      if (has_densities(asked.scope.open.model()))
        line.emplace_back(assignments.has_reals() ? "density" : "probability");
      answer.lines.push_back(std::move(line));
    }
  }
}

// log p of the row with another value in the place of one that is there: ratios of the tables of
// single values.
void answer_edits(const AskedRows& asked) {
  const auto [tables, reals, nats] = asked.scope.queries().tables(asked.rows);
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    RowAnswer& answer = asked.answers[at(i)];
    if (!std::isfinite(nats[at(i)])) answer.trouble = impossible_row;
    for (std::int64_t place = 0; place < asked.rows.lengths[at(i)]; ++place) {
      const std::int32_t x = asked.rows.row(i)[at(place)];
      const std::span<const double> table = table_at(asked, tables, i, place);
      for (std::int64_t k = 0; k < std::ssize(table) && x >= 0 && answer.trouble.empty(); ++k) {
        const double change = std::log(table[at(k)]) - std::log(table[at(x)]);
        if (k != x)
          answer.lines.push_back({asked.number(i), place_name(asked.scope.info, place),
                                  name_of(asked.scope, place, k), nats[at(i)] + change, change});
      }
    }
  }
}

// The category that --symbol names.
std::int64_t symbol_of(const QueryScope& scope) {
  for (std::int64_t k = 0; k < scope.queries().levels(); ++k) {
    const Json name = name_of(scope, 0, k);
    if ((name.is_string() ? name.string() : name.dump(-1)) == scope.question.symbol) return k;
  }
  fail(ErrorKind::usage, "--symbol",
       "is '" + scope.question.symbol + "', which is none of the model's alphabet");
}

// How often the symbol is expected in the whole row.
void answer_count(const AskedRows& asked) {
  const std::int64_t symbol = symbol_of(asked.scope);
  const auto [tables, reals, nats] = asked.scope.queries().tables(asked.rows);
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    double count = 0;
    for (std::int64_t place = 0; place < asked.rows.lengths[at(i)]; ++place) {
      if (symbol >= asked.scope.queries().levels_at(place)) continue;
      const std::int32_t x = asked.rows.row(i)[at(place)];
      count += x >= 0 ? (x == symbol ? 1 : 0) : table_at(asked, tables, i, place)[at(symbol)];
    }
    if (std::isfinite(nats[at(i)]))
      asked.answers[at(i)].lines.push_back({asked.number(i), asked.scope.question.symbol, count});
    else asked.answers[at(i)].trouble = impossible_row;
  }
}

// A number, or nothing: words have no mean.
Json moment_cell(bool known, double moment) {
  return known && !std::isnan(moment) ? Json(moment) : Json();
}

Json mean_cell(const DatasetInfo& info, std::int64_t place, double mean) {
  if (holds_words(info, place) || std::isnan(mean)) return {};
  return number_at(info, place, mean);
}

// Empty for a place that the row does not have, for words, and for two real numbers.
Json covariance_cell(const QueryScope& scope, const ValueMoments& moments, std::size_t v,
                     std::size_t w) {
  if (w >= moments.places.size()) return {};
  const bool words =
      holds_words(scope.info, moments.places[v]) || holds_words(scope.info, moments.places[w]);
  const double units =
      form_at(scope.info, moments.places[v]).step * form_at(scope.info, moments.places[w]).step;
  return moment_cell(!words, units * moments.covariance[v * moments.places.size() + w]);
}

void answer_expect(const AskedRows& asked) {
  if (!asked.scope.question.symbol.empty()) return answer_count(asked);
  if (asked.scope.function != nullptr) return answer_function(asked);
  const bool pairs = !asked.scope.question.vars.empty();
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    const std::vector<std::int64_t> places = asked_places(asked, i);
    const ValueMoments moments = value_moments(asked.scope.queries(), asked.rows, i, places,
                                               pairs ? Pairs::all : Pairs::none);
    if (moments.mean.size() < places.size()) asked.answers[at(i)].trouble = impossible_row;
    for (std::size_t v = 0; v < moments.mean.size(); ++v) {
      const ColumnForm form = form_at(asked.scope.info, places[v]);
      const double mean = form.value_of(moments.mean[v]),
                   spread = std::max(0.0, moments.square[v] - moments.mean[v] * moments.mean[v]),
                   variance = form.step * form.step * spread;
      const bool numbers = !holds_words(asked.scope.info, places[v]);
      std::vector<Json> line = {asked.number(i), place_name(asked.scope.info, places[v]),
                                mean_cell(asked.scope.info, places[v], moments.mean[v]),
                                moment_cell(numbers, mean * mean + variance),
                                moment_cell(numbers, variance)};
      for (std::size_t w = 0; pairs && w < asked.scope.vars.size(); ++w)
        line.push_back(covariance_cell(asked.scope, moments, v, w));
      asked.answers[at(i)].lines.push_back(std::move(line));
    }
  }
}

std::vector<std::string> joint_columns(const QueryScope& scope) {
  std::vector<std::string> names = {"row"};
  if (scope.vars.empty()) names.emplace_back("values");
  for (const std::int64_t place : scope.vars) names.push_back(name_text(scope.info, place));
  names.emplace_back("p");
  if (has_densities(scope.open.model())) names.emplace_back("kind");
  return names;
}

std::vector<std::string> cell_columns(const QueryScope& scope) {
  std::vector<std::string> names = {"row", "place", "value", "p"};
  if (has_densities(scope.open.model())) names.emplace_back("kind");
  return names;
}

std::string refuse_reals(const Abilities& can) {
  return has_densities(can.info()) ? "it is about categories, and this model reads real numbers"
                                   : refuse_single_values(can);
}

std::vector<std::string> moment_columns(const QueryScope& scope) {
  if (!scope.question.symbol.empty()) return {"row", "symbol", "count"};
  std::vector<std::string> names = {"row", "place", "mean", "square", "variance"};
  for (const std::int64_t place : scope.vars)
    if (scope.function == nullptr) names.push_back("cov_" + name_text(scope.info, place));
  return names;
}

std::vector<std::string> score_columns(const QueryScope& scope) {
  std::vector<std::string> names = {"row", "log_likelihood", "bits"};
  if (scope.question.pruning.on()) names.emplace_back("kind");
  return names;
}

double one_way(const ModelQueries& queries, std::int64_t width) { return queries.cost(width); }
double two_ways(const ModelQueries& queries, std::int64_t width) { return 3 * queries.cost(width); }
double next_ways(const ModelQueries& queries, std::int64_t width) {
  return queries.next_cost(width);
}

Query edits_query() {
  return {.name = "score-edit",
          .says = "log p of the row with each value replaced by each other one",
          .cost = "a pass up and one down",
          .options = {"--dtype"},
          .madds = two_ways,
          .refusal = refuse_reals,
          .columns = [](const QueryScope&) -> std::vector<std::string> {
            return {"row", "place", "value", "log_likelihood", "change"};
          },
          .answer = answer_edits};
}

}  // namespace

std::vector<std::int64_t> asked_places(const AskedRows& asked, std::int64_t i) {
  if (asked.scope.question.vars.empty()) {
    std::vector<std::int64_t> missing = missing_places(asked.rows, i);
    const auto stored = [&](std::int64_t place) { return stored_place(asked.scope.info, place); };
    std::ranges::sort(missing, {}, stored);
    return missing;
  }
  std::vector<std::int64_t> places;
  for (const std::int64_t place : asked.scope.vars)
    if (place < asked.rows.lengths[at(i)]) places.push_back(place);
  return places;
}

std::vector<Query> queries_of_values() {
  return {
      {.name = "loglik",
       .says = "log p of the values that are there, of each row",
       .cost = "one pass",
       .rows = Query::Rows::described,
       .options = {"--given", "--dtype", "--prune-states", "--prune-scope", "--prune-exec"},
       .madds = one_way,
       .columns = score_columns,
       .answer = answer_loglik,
       .judges = true,
       .scores = true},
      {.name = "marginal",
       .says = "p of each category of every missing value, given those that are there",
       .cost = "a pass up and one down",
       .rows = Query::Rows::optional,
       .options = {"--given", "--vars", "--dtype"},
       .madds = two_ways,
       .refusal = refuse_single_values,
       .columns = cell_columns,
       .answer = answer_marginal},
      {.name = "conditional",
       .says = "p of all missing values together, given those that are there",
       .cost = "a pass for every assignment",
       .rows = Query::Rows::optional,
       .options = {"--given", "--vars", "--enumerate-limit", "--dtype"},
       .refusal = refuse_single_values,
       .columns = joint_columns,
       .answer = answer_conditional},
      {.name = "next",
       .says = "p of each category of every value, given those before it",
       .cost = "a pass forward for sequences, a walk through trees, else a pass for every value",
       .options = {"--dtype"},
       .madds = next_ways,
       .refusal = refuse_reals,
       .columns = cell_columns,
       .answer = answer_next},
      edits_query(),
      {.name = "expect",
       .says = "mean, square and variance of missing values, covariances of --vars",
       .cost = "a pass up and one down; for --vars one for each category",
       .rows = Query::Rows::optional,
       .options = {"--given", "--vars", "--symbol", "--function", "--dtype"},
       .madds = two_ways,
       .refusal = refuse_single_values,
       .columns = moment_columns,
       .answer = answer_expect}};
}

}  // namespace logpx
