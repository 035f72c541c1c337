// Predicts columns of a table from all others, and says what the predictions are worth.
// [pc/README 9.13]
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/column_cells.hpp"
#include "libcore/data/date_form.hpp"
#include "tools/sessions/query_places.hpp"
#include "tools/sessions/query_table.hpp"

#include <cmath>
#include <utility>

namespace logpx {
namespace {

struct AnswerColumn {
  std::string name;
  TextTable::NumberText number_text = {};
};

// A column that is predicted.
class PredictedColumn {
 public:
  PredictedColumn(const QueryScope& scope, std::int64_t place)
      : scope_(scope),
        place_(place),
        name_(place_name(scope.info, place).string()),
        words_(holds_words(scope.info, place)),
        table_(!scope.queries().is_real(place)) {
    if (!scope.info.column_forms.empty()) form_ = scope.info.column_forms[at(place)];
    else form_.decimals = ColumnForm::more_digits;
  }

  void add_columns(std::vector<AnswerColumn>& all) const;
  void add_cells(const Outlook& outlook, std::vector<Json>& line) const;
  // Beside the truth: a category, or else a number and its log p.
  struct Truth {
    std::int32_t category = 0;
    double number = 0, nats = 0;
  };
  [[nodiscard]] Judged judge(const Outlook& outlook, Truth truth) const;
  // Fills members of the report, and says the same in a line.
  void report(const PredictionScore& score, Findings& findings, Json& facts) const;
  [[nodiscard]] std::int64_t place() const { return place_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] double unit() const { return form_.step; }

 private:
  [[nodiscard]] std::string text(double stored) const {
    return words_ ? ColumnCells(scope_.info).text(place_, stored) : number_cell(form_, stored);
  }
  [[nodiscard]] Json cell(double stored) const;
  [[nodiscard]] AnswerColumn column(const std::string& name) const;

  const QueryScope& scope_;
  std::int64_t place_;
  std::string name_;
  bool words_, table_;
  ColumnForm form_ = {};
};

// Numbers are rounded as the column is; dates are texts.
Json PredictedColumn::cell(double stored) const {
  if (words_ || form_.kind == ColumnKind::date) return text(stored);
  const std::optional<double> value = value_of_cell(form_, text(stored));
  return value ? *value : form_.value_of(stored);
}

AnswerColumn PredictedColumn::column(const std::string& name) const {
  if (words_ || form_.kind == ColumnKind::date) return {.name = name};
  return {.name = name, .number_text = [form = form_](double value) {
            return number_cell(form, form.stored_of(value));
          }};
}

void PredictedColumn::add_columns(std::vector<AnswerColumn>& all) const {
  const ModelQueries& queries = scope_.queries();
  const std::string own = '(' + name_ + ')';
  all.push_back(column(name_));
  if (!words_) {
    if (table_) all.push_back({.name = "mean" + own});
    all.push_back({.name = "deviation" + own});
    for (const double u : scope_.question.quantiles) all.push_back(column('q' + to_text(u) + own));
  }
  for (std::int64_t k = 0; k < queries.levels_at(place_); ++k) {
    const bool known = k < queries.known_at(place_);
    all.push_back(
        {.name = "p(" + name_ + '=' + (known ? text(queries.value_at(place_, k)) : "(new)") + ')'});
  }
}

void PredictedColumn::add_cells(const Outlook& outlook, std::vector<Json>& line) const {
  line.push_back(cell(outlook.best()));
  if (!words_) {
    const bool date = form_.kind == ColumnKind::date;
    if (table_) line.push_back(date ? cell(outlook.mean()) : Json(form_.value_of(outlook.mean())));
    line.emplace_back(form_.step * outlook.deviation());
    for (const double u : scope_.question.quantiles) line.push_back(cell(outlook.quantile(u)));
  }
  for (const double p : outlook.p()) line.emplace_back(p);
}

Judged PredictedColumn::judge(const Outlook& outlook, Truth truth) const {
  constexpr double low = 0.05, high = 0.95;
  Judged judged{.nats = truth.nats, .is_number = !words_};
  if (table_) {
    const std::int64_t known = scope_.queries().known_at(place_);
    const bool is_known = truth.category >= 0 && truth.category < known;
    judged.is_category = true;
    judged.nats = std::log(truth.category >= 0 ? outlook.p()[at(truth.category)] : 0.0);
    judged.confidence = outlook.p()[at(outlook.best_category())];
    judged.right = truth.category == outlook.best_category();
    if (is_known) truth.number = scope_.queries().value_at(place_, truth.category);
    else judged.is_number = false;
  }
  judged.truth = truth.number;
  judged.mean = outlook.mean();
  judged.covered = judged.is_number && outlook.quantile(low) <= truth.number &&
                   truth.number <= outlook.quantile(high);
  return judged;
}

void PredictedColumn::report(const PredictionScore& score, Findings& findings, Json& facts) const {
  std::vector<std::string> said;
  const auto add = [&](const char* name, double value, const std::string& says) {
    if (std::isnan(value)) return;
    facts.set(name, std::isfinite(value) ? Json(value) : Json());
    said.push_back(says);
  };
  const auto percent = [](double share) { return four_digits(100 * share) + " %"; };
  add("accuracy", score.accuracy, percent(score.accuracy) + " right");
  add("log_loss", score.log_loss, "log loss " + four_digits(score.log_loss));
  add("calibration_error", score.calibration_error,
      "calibration error " + four_digits(score.calibration_error));
  add("rmse", form_.step * score.rmse, "RMSE " + four_digits(form_.step * score.rmse));
  add("r2", score.r2, "R2 " + four_digits(score.r2));
  add("coverage", score.coverage, percent(score.coverage) + " within their 90 % intervals");
  if (!said.empty()) findings.lines.push_back(name_ + ": " + join_text(said, ", "));
}

std::vector<PredictedColumn> predicted_columns(const QueryScope& scope) {
  std::vector<PredictedColumn> columns;
  for (const std::int64_t place : scope.vars) columns.emplace_back(scope, place);
  return columns;
}

std::vector<AnswerColumn> prediction_columns(const QueryScope& scope) {
  std::vector<AnswerColumn> all = {{.name = "row"}};
  for (const PredictedColumn& column : predicted_columns(scope)) column.add_columns(all);
  return all;
}

Evidence without_vars(const AskedRows& asked) {
  Evidence rows = asked.rows;
  for (std::int64_t i = 0; i < rows.count(); ++i)
    for (const std::int64_t place : asked.scope.vars) rows.set(i, place, -1);
  return rows;
}

// What is expected at a place in each row, given others.
std::vector<Outlook> outlooks_of(const AskedRows& asked, const Evidence& others,
                                 const ValueTables& tables, std::int64_t place) {
  const ModelQueries& queries = asked.scope.queries();
  const bool real = queries.is_real(place);
  std::vector<NormalMixture> mixtures;
  if (real) mixtures = queries.mixtures(others, place);
  std::vector<Outlook> all;
  for (std::int64_t i = 0; i < others.count(); ++i) {
    const std::int64_t cell = i * others.width + place, levels = queries.levels_at(place);
    Expected expected;
    expected.table = std::span(tables.p).subspan(at(cell * queries.levels()), at(levels));
    if (real) {
      expected.normals = std::move(mixtures[at(i)]);
      expected.moments = tables.reals[at(cell)];
    }
    all.emplace_back(queries, place, std::move(expected));
  }
  return all;
}

// The truths at a place: real numbers with log p given the others, whose own is known.
std::vector<PredictedColumn::Truth> truths_at(const AskedRows& asked, Evidence others,
                                              const ValueTables& tables, std::int64_t place) {
  const ModelQueries& queries = asked.scope.queries();
  std::vector<PredictedColumn::Truth> truths;
  for (std::int64_t i = 0; i < others.count(); ++i) {
    PredictedColumn::Truth& truth = truths.emplace_back();
    truth.category = asked.rows.row(i)[at(place)];
    if (!queries.is_real(place) || truth.category < 0) continue;
    truth.number = static_cast<double>(asked.rows.reals[at(i * others.width + place)]);
    others.set_real(i, place, truth.number);
  }
  if (!queries.is_real(place)) return truths;
  const std::vector<double> nats = queries.log_p(others);
  for (std::size_t i = 0; i < truths.size(); ++i) truths[i].nats = nats[i] - tables.nats[i];
  return truths;
}

void answer_predict(const AskedRows& asked) {
  const Evidence others = without_vars(asked);
  const ValueTables tables = asked.scope.queries().tables(others);
  for (std::int64_t i = 0; i < others.count(); ++i)
    if (std::isfinite(tables.nats[at(i)])) asked.answers[at(i)].lines.push_back({asked.number(i)});
    else asked.answers[at(i)].trouble = impossible_row;
  for (const PredictedColumn& column : predicted_columns(asked.scope)) {
    const std::vector<Outlook> outlooks = outlooks_of(asked, others, tables, column.place());
    const auto truths = truths_at(asked, others, tables, column.place());
    for (std::size_t i = 0; i < outlooks.size(); ++i) {
      RowAnswer& answer = asked.answers[i];
      if (answer.lines.empty()) continue;
      column.add_cells(outlooks[i], answer.lines[0]);
      const bool there = truths[i].category != -1;
      answer.judged.push_back(there ? std::optional(column.judge(outlooks[i], truths[i]))
                                    : std::nullopt);
    }
  }
}

Findings findings_of_predictions(const QueryScope& scope, std::span<const RowAnswer> answers) {
  Findings findings;
  Json targets = Json::array();
  const std::vector<PredictedColumn> columns = predicted_columns(scope);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<Judged> judged;
    for (const RowAnswer& answer : answers)
      if (!answer.judged.empty() && answer.judged[c]) judged.push_back(*answer.judged[c]);
    Json facts = Json::object();
    facts.set("column", columns[c].name()).set("rows", std::ssize(judged));
    columns[c].report(score_predictions(judged), findings, facts);
    targets.push(std::move(facts));
  }
  findings.facts.set("targets", std::move(targets));
  return findings;
}

std::string refuse_other_than_tables(const Abilities& can) {
  return can.info().data.is_table() ? "" : "it predicts columns, and this model reads no table";
}

double passes_of_one(const ModelQueries& queries, std::int64_t width) {
  return 7 * queries.cost(width);
}

}  // namespace

std::vector<Query> queries_of_predictions() {
  return {{.name = "predict",
           .says = "the columns of --vars from all others: what is best, and how sure that is",
           .cost = "two passes up and down, and one up, for each column of --vars",
           .rows = Query::Rows::optional,
           .options = {"--vars", "--quantiles", "--dtype"},
           .madds = passes_of_one,
           .refusal = refuse_other_than_tables,
           .columns =
               [](const QueryScope& scope) {
                 std::vector<std::string> names;
                 for (AnswerColumn& column : prediction_columns(scope))
                   names.push_back(std::move(column.name));
                 return names;
               },
           .number_texts =
               [](const QueryScope& scope) {
                 std::vector<TextTable::NumberText> texts;
                 for (AnswerColumn& column : prediction_columns(scope))
                   texts.push_back(std::move(column.number_text));
                 return texts;
               },
           .answer = answer_predict,
           .findings = findings_of_predictions,
           .hides = true}};
}

}  // namespace logpx
