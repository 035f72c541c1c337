// Asks a model for exact probabilities of any part of x, the rest summed out: of rows, of missing
// values, of the values that are there given all others; and fills what is missing.
// [spec/pc.md section 9]
#include "formats/draw/row_text.hpp"
#include "formats/file/suffix.hpp"
#include "formats/json/fields_json.hpp"
#include "formats/samples_file.hpp"
#include "libcore/base/error.hpp"
#include "tools/common/app.hpp"
#include "tools/common/compute_facts.hpp"
#include "tools/common/query_answers.hpp"
#include "tools/common/shared_options.hpp"

using namespace logpx;

namespace {

constexpr std::size_t reported_lines = 100;

struct Options {
  QueryInput input;
  QuestionOptions question;
  std::string output, format = "auto";

  void describe(Fields& f) {
    input.describe(f);
    f.group("question");
    f.add("query", question.query,
          {{"loglik", Query::loglik},
           {"marginals", Query::marginals},
           {"complete", Query::complete},
           {"states", Query::states},
           {"anomaly", Query::anomaly}},
          "what is asked");
    f.add("how", question.how, {{"sample", FillBy::draws}, {"mpe", FillBy::explanation}},
          "complete: draws given what is there, or the most probable explanation");
    f.add("num", question.draws, "complete: draws of every row")
        .short_name('n')
        .range(1, 1'000'000);
    describe_output(f, output, "write the answer; rows of complete as .h5, too",
                    {{"csv", "jsonl", "h5"}, "format"});
    f.add_word("format", format, {"auto", "csv", "jsonl", "h5"},
               "of -o; auto: by its name, and csv for -");
  }
};

const ToolSpec spec = {
    .name = "query-pc",
    .purpose = "ask for exact probabilities of any part of x, or fill gaps",
    .usage = {"MODEL DATASET[:SPLIT] --query NAME [options]",
              "MODEL --text STRING --query NAME [options]"},
    .examples = {{"query-pc m.h5 --query complete --text 'th_ c_t'", "a text with its gaps filled"},
                 {"query-pc m.h5 --query marginals --text 'th_'", "what a gap may be"},
                 {"query-pc c.h5 table.h5 --query anomaly -o odd.csv",
                  "how surprising every cell is, given its row"}},
    .kind = ToolKind::answer,
    .compute_facts = compute_facts};

void check(const App& app, const Options& o) {
  const bool fills = o.question.query == Query::complete;
  for (const char* option : {"--how", "--num"})
    if (!fills && app.fields().find_option(option)->given())
      fail(ErrorKind::usage, option, "is about --query complete");
  if (o.question.how == FillBy::explanation && o.question.draws > 1)
    fail(ErrorKind::usage, "--num", "asks for draws, and there is one most probable explanation");
  if (!o.output.empty() && !fills && app.format_of("output") == "h5")
    fail(ErrorKind::usage, "--output", "holds rows as .h5, and only --query complete makes rows",
         "-o answer.csv");
}

void write_answer(App& app, const Options& o, Answer& answer, const OpenQuery& open) {
  const std::string format = app.format_of("output");
  OutputFile out(o.output, app.overwrite());
  FileRecord record{.role = "answer", .path = o.output, .kind = format};
  if (format == "h5") {
    MemoryRows& rows = *answer.rows;
    SamplesWriter writer(out, rows.info());
    writer.append(rows.read(0, rows.info().n));
    record.kind = "samples";
    record.content_hash = writer.finish(rows.info(),
                                        {.family = open.family,
                                         .model_hash = open.model_hash,
                                         .seed = app.rng().seed(),
                                         .sampler = settings_json(app.fields())},
                                        {}, app.provenance());
  } else {
    write_text_file(out,
                    answer.table.text(format == "csv" ? TableForm::csv : TableForm::json_lines));
  }
  out.commit();
  record.bytes = out.bytes();
  app.add_output(std::move(record));
}

void run(App& app, Options& o) {
  check(app, o);
  const OpenQuery open = o.input.open(app);
  const std::int64_t count = open.end - open.begin;
  if (app.dry_run()) return app.say("would ask about " + std::to_string(count) + " rows");
  Answer answer = ask(app, open, o.question);
  for (const std::int64_t row : answer.impossible)
    app.warn("row " + std::to_string(row) + " has probability 0: it has no answer");
  app.result()
      .set("query", app.fields().find_option("--query")->text())
      .set("rows", count)
      .set("impossible", static_cast<std::int64_t>(answer.impossible.size()))
      .set("lines", static_cast<std::int64_t>(answer.table.rows()))
      .set("answers", answer.table.records(reported_lines));
  if (!o.output.empty()) write_answer(app, o, answer, open);
  app.say(std::to_string(count) + " rows, " + std::to_string(answer.table.rows()) + " answers");
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
