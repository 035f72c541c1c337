// Asks a model for exact probabilities of any part of x, the rest summed out: of rows, of missing
// values, of observed values given all others; and fills what is missing.   [pc/README 9]
#include "formats/measure.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/model/measured_as.hpp"
#include "tools/frame/app.hpp"
#include "tools/sessions/compute_facts.hpp"
#include "tools/sessions/query_checks.hpp"
#include "tools/sessions/query_model.hpp"
#include "tools/sessions/query_output.hpp"
#include "tools/sessions/query_patterns.hpp"

using namespace logpx;

namespace {

constexpr std::size_t reported_lines = 100, reported_troubles = 5;

struct Options {
  QueryInput input;
  QuestionOptions question;
  QueryOutput output;
  bool list = false;

  void describe(Fields& f) {
    input.describe(f);
    question.describe(f);
    f.add("list", list, "which queries this model answers, at what cost").external();
    output.describe(f);
  }
};

const ToolSpec spec = {
    .name = "query-pc",
    .purpose = "ask for exact probabilities of any part of x, or fill gaps",
    .usage = {"MODEL DATASET[:SPLIT]|TABLE.csv|- --query NAME [options]",
              "MODEL --given CONDITION,... --query NAME [options]",
              "MODEL [DATASET|TABLE.csv] --query probability EVENT [options]",
              "MODEL --text STRING --query NAME [options]", "MODEL --list"},
    .examples = {{"query-pc m.h5 --query complete --text 'th_ c_t'", "a text with its gaps filled"},
                 {"query-pc c.h5 t.csv --query impute -o filled.csv", "a table, too"},
                 {"query-pc c.h5 t.csv --query predict --vars job", "a column from all others"},
                 {"query-pc c.h5 --query probability 'n>=1'", "how probable it is"},
                 {"query-pc c.h5 t.csv --query anomaly --top 10", "the oddest rows"}},
    .kind = ToolKind::answer,
    .opens_inputs_itself = true,  // the second word may be an event
    .compute_facts = compute_facts};

void check(const App& app, const Options& o, const Query& query) {
  refuse_unread(app.fields(), app.fields());
  check_question(o.question, o.input, query);
  o.output.check(app, o.question);
}

void check_model(const Options& o, const Query& query, const Abilities& can) {
  const std::string why = query.refused_by(can);
  if (!why.empty())
    fail(ErrorKind::usage, "--query " + query.name, why,
         "query-pc " + shell_word(o.input.model) + " --list");
  const std::string no_pattern = o.question.has_patterns() ? refuse_patterns(can) : "";
  if (!no_pattern.empty())
    fail(ErrorKind::usage, "--pattern", no_pattern,
         "query-pc " + shell_word(o.input.model) + " --list");
  const DatasetInfo& data = can.info().data;
  const bool letters = data.content != Content::image && !data.is_table();
  if (o.question.how == FillWith::means && letters)
    fail(ErrorKind::usage, "--how", "is mean, and letters have none", "--how sample");
  if (o.question.how == FillWith::means && !can.queries->silent_about().empty())
    fail(ErrorKind::usage, "--how", "is mean, and colours that are read whole have none",
         "--how sample");
}

void report(App& app, const Query& query, const Answer& answer, const OpenQuery& open) {
  Json errors = Json::array();
  for (std::size_t i = 0; i < answer.troubles.size(); ++i) {
    const auto& [row, why] = answer.troubles[i];
    if (i < reported_lines) errors.push(Json::object().set("row", row).set("error", why));
    if (i < reported_troubles) app.warn("row " + std::to_string(row) + ": " + why);
  }
  if (answer.troubles.size() > reported_troubles)
    app.warn("and " + std::to_string(answer.troubles.size() - reported_troubles) +
             " more rows without an answer");
  app.result().set("query", query.name);
  if (query.judges) app.result().set("kind", word_of(answer.kind));
  add_measure(app.result(), measured_as(open.model()));
  app.result()
      .set("rows", open.end - open.begin)
      .set("impossible", static_cast<std::int64_t>(answer.troubles.size()))
      .set("lines", static_cast<std::int64_t>(answer.table.rows()))
      .set("answers", answer.table.records(reported_lines));
  for (const auto& [name, fact] : answer.findings.facts.members()) app.result().set(name, fact);
  if (!answer.troubles.empty()) app.result().set("errors", errors);
}

void run(App& app, Options& o) {
  const Query& query = find_query(o.question.query);
  if (query.asks_event && o.question.event.empty()) std::swap(o.question.event, o.input.data);
  if (!o.list) check(app, o, query);
  OpenQuery open = o.input.open_model(app);
  if (o.list) return list_queries(app, open.loaded->can);
  check_model(o, query, open.loaded->can);
  open.take_given(o.question.given, o.question.event);
  if (o.input.names_rows()) o.input.add_rows(app, open, o.question.vars);
  else o.input.add_unknown(open, o.question.length);
  const std::int64_t count = open.end - open.begin;
  if (app.dry_run()) {
    static_cast<void>(automaton_of(o.question, open.loaded->can));
    return app.say("would ask about " + std::to_string(count) + " rows");
  }
  Answer answer;
  if (query.answer != nullptr) {
    answer = ask(app, open, o.question);
    report(app, query, answer, open);
  } else {
    app.result().set("query", query.name);
  }
  o.output.write(app, open, o.question, answer);
  if (query.answer != nullptr)
    app.say(counted(count, "row") + ", " + counted(answer.table.rows(), "answer"));
  for (const std::string& line : answer.findings.lines) app.say(line);
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
