// make-data: built-in datasets from a seed, with exact entropies and densities where they are
// known. libcore/data/synthetic*.cpp says what each of them is, logpx-dataset(5) what a file holds.
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/data/splits.hpp"
#include "libcore/data/synthetic.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/views/made_rows.hpp"

#include <optional>
#include <string>
#include <vector>

using namespace logpx;

namespace {

struct Options {
  std::string name, output, format = "auto";
  std::optional<std::string> split;
  std::optional<std::int64_t> num;
  bool allow_overlap = false, list = false;
  SyntheticOptions generator;

  void describe(Fields& f) {
    std::vector<Choice> choices;
    for (const GeneratorEntry& entry : generators()) choices.push_back({entry.name, entry.summary});
    f.add_word("name", name, std::move(choices), "which dataset to make; --list says more")
        .positional()
        .setting()
        .required()
        .metavar("NAME");
    generator.describe(f);
    describe_output(f, output, "where to write the dataset", {{"h5", "csv"}, "format"}).required();
    f.add_word("format", format,
               {{"auto", "by the suffix"},
                {"h5", "a dataset, with all that is known of it"},
                {"csv", "the rows of a table, as people have them"}},
               "a dataset (h5), or its rows alone")
        .shows_default("by suffix; h5 for stdout")
        .rank(Rank::manual)
        .external();
    f.add("num", num, "how many rows")
        .short_name('n')
        .range(1, 0x1p43)
        .shows_default("12000; faces28 1965, tree 20000");
    f.add("split", split, "splits, such as train:50000,test:10000 or train:80%,test:rest")
        .metavar("SPEC")
        .shows_default("5/6, 1/12, 1/12");
    f.add("allow-overlap", allow_overlap, "splits may share rows").rank(Rank::manual);
    f.add("list", list, "list the datasets and their options, and stop").stands_alone();
  }
};

const ToolSpec spec = {
    .name = "make-data",
    .purpose = "make a built-in dataset from a seed",
    .usage = {"NAME [SHAPE] -o OUT.h5|.csv [-n N] [options]", "--list [--json]"},
    .examples = {{"make-data digits -o digits.h5 -n 6000", "handwriting-like digits, 28x28"},
                 {"make-data hmm-text -o text.h5 --length 64", "text of exactly known likelihood"},
                 {"make-data table -o t.csv --holes 0.1", "a CSV of words, numbers and dates"}},
    .without_effect = {"memory"}};

// "--size 28", "SHAPE ring8"; switches as one types them: "--glyph", "--no-elastic".
std::string option_text(const App& app, const KnownOption& option) {
  for (const Field& field : app.fields().all()) {
    if (field.name() != option.name) continue;
    if (field.has_negation()) return "--no-" + field.name();
    if (field.type() == FieldType::flag) return field.option();
    return (field.is_positional() ? field.metavar() : field.option()) + ' ' + option.fallback;
  }
  return option.name;
}

void list_datasets(App& app) {
  std::string text;
  Json all = Json::array();
  for (const GeneratorEntry& entry : generators()) {
    std::string line = entry.name;
    line.resize(16, ' ');
    text += line + entry.summary + '\n';
    Json options = Json::object();
    for (const KnownOption& option : entry.options) {
      text += std::string(18, ' ') + option_text(app, option) + '\n';
      options.set(option.name, option.fallback);
    }
    Json item = Json::object();
    item.set("name", entry.name).set("summary", entry.summary).set("n", entry.default_n);
    all.push(item.set("options", options));
  }
  app.result().set("datasets", all);
  if (app.fields().find_option("--json")->text() != "true") app.print(text);
}

Json quantity(double value, const std::string& unit) {
  return Json::object().set("value", value).set("unit", unit).set("kind", "exact");
}

void report_result(App& app, const DatasetInfo& info) {
  Json splits = Json::object();
  for (const Split& split : info.splits) splits.set(split.name, split.end - split.begin);
  app.result().set("name", info.name).set("content", word_of(info.content)).set("n", info.n);
  app.result().set("shape", Json::array_of(info.shape)).set("levels", info.levels);
  app.result().set("splits", splits);
  if (info.entropy_nats) app.result().set("entropy", quantity(*info.entropy_nats, "nats"));
}

std::string summary(const DatasetInfo& info) {
  std::vector<std::string> sides;
  for (const std::int64_t side : info.shape) sides.push_back(std::to_string(side));
  return info.name + ", " + std::to_string(info.n) + " rows of " + join_text(sides, "x");
}

void run(App& app, Options& options) {
  if (options.list) return list_datasets(app);
  complete(options.generator, find_generator(options.name));
  const auto source = make_synthetic({.name = options.name,
                                      .n = options.num,
                                      .seed = app.rng().seed(),
                                      .options = options.generator},
                                     app.workers());
  DatasetInfo info = source->info();
  options.num = info.n;  // into the recorded settings, like the generator's own defaults
  if (options.split)
    info.splits = parse_splits(*options.split, info.n,
                               options.allow_overlap ? Overlap::allow : Overlap::refuse);
  const bool as_rows = app.format_of("output") == "csv";
  if (as_rows && !info.is_table())
    fail(ErrorKind::usage, "--output",
         "is to be CSV, and " + info.name + " is no table but " + word_of(info.content),
         "-o " + info.name + ".h5");
  if (app.dry_run()) return app.say("would make " + summary(info) + " -> " + options.output);

  const FileRecord made =
      as_rows ? write_made_rows(app, *source, info) : write_made_dataset(app, *source, info);
  app.add_output(made);
  report_result(app, info);
  app.say(summary(info) + " -> " + (options.output == "-" ? "stdout" : options.output));
  const std::string file = shell_word(options.output);
  if (made.kind == "csv") return app.next("pack-data csv " + file + " -o t.h5");
  if (info.content == Content::image) app.next("view-samples " + file + " -o sheet.png");
  else app.next((info.content == Content::molecules ? "view-samples " : "inspect ") + file);
}

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
