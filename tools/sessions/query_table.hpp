// The queries, each an entry of one table: its name, what it asks, what it costs, which options it
// reads and what answers it. Help, --list, checks of options and answers all use that table.
// [pc/README 9]
#pragma once

#include "formats/text_table.hpp"
#include "libcore/eval/best_filling.hpp"
#include "libcore/eval/prediction.hpp"
#include "tools/sessions/query_input.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// The options of a question.   [pc/README 9]

class Fields;

class ValueFunction;

// What queries compute in.
enum class Dtype { f64, f32 };
// How `complete` and `impute` fill: by a draw, the most probable explanation, or expectations.
enum class FillWith { draws, explanation, means };

struct QuestionOptions {
  std::string query = "loglik", event, symbol, function, calibrate, other;
  FillWith how = FillWith::draws;
  Dtype dtype = Dtype::f64;
  std::int64_t draws = 1, files = 1, length = 0, samples = 10'000, top = 0;
  double temperature = 1;
  std::vector<std::string> given, vars, keep, patterns, without;
  std::vector<double> quantiles = {0.05, 0.5, 0.95};
  FillingSearch search;
  StatePruning pruning;

  void describe(Fields& fields);
  [[nodiscard]] bool has_patterns() const { return !patterns.empty() || !without.empty(); }

 private:
  void describe_evidence(Fields& fields);
  void describe_fillings(Fields& fields);
  void describe_measures(Fields& fields);
  void describe_more(Fields& fields);
};

inline constexpr const char* impossible_row = "the values that are there have probability 0";

// The result of one row: lines of the answer, its fillings, or why it has no answer.
struct RowAnswer {
  std::vector<std::vector<Json>> lines = {};
  // Whole rows as from values_of_row, one for each draw.
  std::vector<std::vector<double>> filled = {};
  std::string trouble = {};
  // For each of --vars that is predicted; nothing where the truth is missing.
  std::vector<std::optional<Judged>> judged = {};
};

// What the report says of all answers together.
struct Findings {
  Json facts = Json::object();
  std::vector<std::string> lines = {};  // for people
};

// Model and data of a query.
struct QueryScope {
  const OpenQuery& open;
  const QuestionOptions& question;
  const DatasetInfo& info;                  // about the rows
  std::vector<std::int64_t> vars;           // --vars as places of evidence
  std::vector<double> calibration = {};     // log p of --calibrate, in ascending order
  const Automaton* automaton = nullptr;     // of --pattern and --without
  const ValueFunction* function = nullptr;  // of --function
  const Abilities* other = nullptr;         // of --other
  // In the precision of --dtype, where that is not the model's own.
  std::shared_ptr<const ModelQueries> rounded = {};

  [[nodiscard]] const ModelQueries& queries() const { return rounded ? *rounded : open.queries(); }
};

// A block of rows, and where their answers go.
struct AskedRows {
  const QueryScope& scope;
  const Evidence& rows;
  Rng rng;
  std::span<RowAnswer> answers;

  [[nodiscard]] std::int64_t number(std::int64_t i) const { return rows.first + i; }
};

struct Query {
  // none: the query is about the model. optional: without rows it asks about one without values.
  // described: rows, or what --given says of one.
  enum class Rows { none, optional, described, needed };
  std::string name, says, cost;
  Rows rows = Rows::needed;
  std::vector<std::string> options = {};
  // Multiply-adds for a row of this many values; null if the row decides.
  double (*madds)(const ModelQueries& queries, std::int64_t width) = nullptr;
  // Why a model has no answer; null or an empty text if it has one.
  std::string (*refusal)(const Abilities& can) = nullptr;
  std::vector<std::string> (*columns)(const QueryScope& scope) = nullptr;
  // How CSV writes the numbers of each column; null: as their shortest decimals.
  std::vector<TextTable::NumberText> (*number_texts)(const QueryScope& scope) = nullptr;
  void (*answer)(const AskedRows& asked) = nullptr;
  // Afterwards, once the answers of all rows are there.
  void (*conclude)(const QueryScope& scope, std::span<RowAnswer> answers) = nullptr;
  Findings (*findings)(const QueryScope& scope, std::span<const RowAnswer> answers) = nullptr;
  bool hides = false;       // what --vars name is not given, whether it is there or not
  bool fills = false;       // it makes rows, which .h5 can hold
  bool judges = false;      // it scores rows, also those of probability 0
  bool compares = false;    // it needs --other
  bool scores = false;      // it asks for log p of rows, which every model has
  bool lists = true;        // its lines begin with the number of a row, which --keep looks up
  bool asks_event = false;  // the last operand is an event

  // Why this model has no answer, whatever the reason; empty if it has one.
  [[nodiscard]] std::string refused_by(const Abilities& can) const;
};
[[nodiscard]] const std::vector<Query>& query_table();
[[nodiscard]] const Query& find_query(const std::string& name);

// Parts of the table, by what the queries look at.
[[nodiscard]] std::vector<Query> queries_of_values();
[[nodiscard]] std::vector<Query> queries_of_predictions();
[[nodiscard]] std::vector<Query> queries_of_oddness();
[[nodiscard]] std::vector<Query> queries_of_events();
[[nodiscard]] std::vector<Query> queries_of_fillings();
[[nodiscard]] std::vector<Query> queries_of_states();
[[nodiscard]] std::vector<Query> queries_of_patterns();
[[nodiscard]] std::vector<Query> queries_of_measures();
[[nodiscard]] std::vector<Query> queries_of_models();

// Places of --vars that row i has; without --vars its missing values, as datasets order them.
[[nodiscard]] std::vector<std::int64_t> asked_places(const AskedRows& asked, std::int64_t i);

// "a density" if the model reads real numbers, else "a probability".
[[nodiscard]] bool has_densities(const ModelInfo& model);
// Why a model cannot answer about single values of a row; empty if it can.
[[nodiscard]] std::string refuse_single_values(const Abilities& can);

}  // namespace logpx
