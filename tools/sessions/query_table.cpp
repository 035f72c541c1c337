#include "tools/sessions/query_table.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>

namespace logpx {
namespace {

// That the chosen query reads this option.
Condition read_by(const std::string& query, const char* option) {
  const auto reads = [option](const Query& one) {
    return std::ranges::find(one.options, option) != one.options.end();
  };
  std::vector<std::string> readers;
  for (const Query& one : query_table())
    if (reads(one)) readers.push_back(one.name);
  std::string says = "--query ";
  for (std::size_t i = 0; i < readers.size(); ++i)
    says += (i == 0 ? "" : i + 1 < readers.size() ? ", " : " or ") + readers[i];
  return {[&query, reads] { return reads(find_query(query)); }, says};
}

}  // namespace

void QuestionOptions::describe(Fields& f) {
  const auto reads = [this](const char* option) { return read_by(query, option); };
  std::vector<Choice> queries;
  for (const Query& one : query_table()) queries.push_back({one.name, one.says});
  f.group("question");
  f.add_word("query", query, std::move(queries), "what is asked; --list says what each costs")
      .about(
          "--list names the queries that this model answers, each with what a row costs. All "
          "answers are exact unless the answer has a kind that says otherwise.");
  describe_evidence(f);
  describe_fillings(f);
  f.add("vars", vars, "which values: columns, or places from 0")
      .about(
          "For all other values nothing changes: those that are there are still given, those that "
          "are missing are summed out.")
      .metavar("NAME,...")
      .shows_default("missing ones")
      .when(reads("--vars"));
  f.add("keep", keep, "columns of the input that are copied beside answers")
      .about(
          "Of a table in CSV any column, also those that are no part of the model, such as ids. "
          "Where the answer has a column NAME itself, the copy is called given(NAME).")
      .metavar("NAME,...")
      .when(reads("--keep"));
  describe_measures(f);
  f.add("length", length, "values of a row")
      .range(0, std::int64_t{1} << 24)
      .shows_default("the model's")
      .when(reads("--length"))
      .rank(Rank::manual);
  f.add("temperature", temperature, "below 1 nearer to the most probable, above 1 wilder")
      .range(0.01, 100)
      .when(reads("--temperature"))
      .rank(Rank::manual);
  f.add("enumerate-limit", search.enumerate, "assignments, at most, that are all looked at")
      .range(1, std::int64_t{1} << 30)
      .when(reads("--enumerate-limit"))
      .rank(Rank::manual);
  describe_more(f);
  f.add("beam", search.beam, "beginnings that a search keeps where there are more")
      .range(1, 1 << 16)
      .when(reads("--beam"))
      .rank(Rank::manual);
  pruning.describe(f);
  for (const char* option : {"--prune-states", "--prune-scope", "--prune-exec"})
    f.find_option(option)->when(reads(option));
}

void QuestionOptions::describe_measures(Fields& f) {
  const auto reads = [this](const char* option) { return read_by(query, option); };
  f.add("quantiles", quantiles, "which quantiles of numbers are predicted")
      .metavar("Q,...")
      .when(reads("--quantiles"))
      .rank(Rank::manual);
  f.add("symbol", symbol, "count how often it is in a row")
      .metavar("S")
      .when(reads("--symbol"))
      .rank(Rank::manual);
  f.add("top", top, "this many rows alone, the least likely first")
      .metavar("N")
      .range(0, std::int64_t{1} << 40)
      .shows_default("all rows")
      .when(reads("--top"));
  f.add("calibrate", calibrate, "rows that are usual, or so many draws")
      .metavar("DATASET|N")
      .when(reads("--calibrate"))
      .rank(Rank::manual);
}

void QuestionOptions::describe_evidence(Fields& f) {
  f.add("event", event, "what --query probability asks about: 'age>=40,job=clerk'")
      .positional()
      .setting()
      .metavar("EVENT");
  f.add("given", given, "what is known of columns: 'age>=40,job=clerk|nurse'")
      .about(
          "Conditions on the columns of a table, in the place of what rows have there: NAME=VALUE, "
          "several values with | between them, and ranges with <, <=, > and >=. All of them hold "
          "together. Dates are written as their column has them, or as 2020-01-31; what holds a "
          "comma, | or one of the signs is put in quotes.")
      .metavar("IF,...")
      .whole_items()
      .when(read_by(query, "--given"));
}

void QuestionOptions::describe_fillings(Fields& f) {
  const auto reads = [this](const char* option) { return read_by(query, option); };
  f.add("how", how,
        {{"sample", FillWith::draws, "draws of what is missing, given the rest"},
         {"mpe", FillWith::explanation, "the most probable values together"},
         {"mean", FillWith::means, "expectations, value by value"}},
        "what gaps are filled with")
      .about(
          "sample keeps the variety of the data, so that statistics of filled tables stay right; "
          "--draws makes several such tables. mpe gives the one most probable completion, which is "
          "more typical than rows are; mean gives the least squared error of each value, and may "
          "lie between all values that occur.")
      .when(reads("--how"))
      .rank(Rank::manual);
  f.add("num", draws, "draws of every row")
      .short_name('n')
      .range(1, 1'000'000)
      .when(reads("--num"));
  f.add("draws", files, "so many draws, to OUTPUT.1.csv, OUTPUT.2.csv")
      .metavar("K")
      .range(1, 10'000)
      .when(reads("--draws"))
      .rank(Rank::manual);
}

// What patterns, functions and measures of models read.
void QuestionOptions::describe_more(Fields& f) {
  const auto reads = [this](const char* option) { return read_by(query, option); };
  f.add("function", function, "a table value,f or column,value,f: the expectation of f")
      .metavar("FILE.csv")
      .files("*.csv")
      .when(reads("--function"))
      .rank(Rank::manual);
  f.add("pattern", patterns, "a regular expression that the whole text matches; several: all hold")
      .about(
          "The probability of a match is exact. It costs a pass for each state that the text can "
          "be in, so patterns that count or look far ahead are dear. Missing letters stand for "
          "any, which answers how a text with gaps may go on.")
      .metavar("REGEX")
      .whole_items()
      .when(reads("--pattern"))
      .rank(Rank::manual);
  f.add("without", without, "one that it does not match")
      .metavar("REGEX")
      .whole_items()
      .when(reads("--without"))
      .rank(Rank::manual);
  f.add("other", other, "the model that is compared with")
      .metavar("MODEL")
      .files("*.h5 of model")
      .when(reads("--other"))
      .rank(Rank::manual);
  f.add("samples", samples, "draws that an estimate takes")
      .range(2, 100'000'000)
      .when(reads("--samples"))
      .rank(Rank::manual);
  f.add("dtype", dtype,
        {{"f64", Dtype::f64, "double precision"},
         {"f32", Dtype::f32, "single precision, in which models train: half the memory"}},
        "what is computed in")
      .when(reads("--dtype"))
      .rank(Rank::manual);
}

const std::vector<Query>& query_table() {
  static const std::vector<Query> table = [] {
    std::vector<Query> all;
    for (const auto& part : {queries_of_values(), queries_of_predictions(), queries_of_oddness(),
                             queries_of_events(), queries_of_fillings(), queries_of_states(),
                             queries_of_patterns(), queries_of_measures(), queries_of_models()})
      all.insert(all.end(), part.begin(), part.end());
    for (Query& one : all)
      if (one.answer != nullptr && one.rows != Query::Rows::none && one.lists)
        one.options.emplace_back("--keep");
    return all;
  }();
  return table;
}

const Query& find_query(const std::string& name) {
  const auto found = std::ranges::find(query_table(), name, &Query::name);
  LOGPX_ASSERT(found != query_table().end());
  return *found;
}

std::string Query::refused_by(const Abilities& can) const {
  if (const std::string why = can.queries->only_scores(); !scores && !why.empty()) return why;
  return refusal == nullptr ? "" : refusal(can);
}

bool has_densities(const ModelInfo& model) { return model.measure == Measure::lebesgue; }

std::string refuse_single_values(const Abilities& can) { return can.queries->silent_about(); }

}  // namespace logpx
