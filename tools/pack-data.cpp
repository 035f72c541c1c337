// pack-data: foreign files to a dataset artifact. formats/import says which formats there are and
// how each is read; this file only connects the parts.   [logpx-dataset(5)]
#include "formats/dataset_file.hpp"
#include "formats/import/column_statistics.hpp"
#include "formats/import/import_json.hpp"
#include "formats/import/importer.hpp"
#include "formats/import/row_keys.hpp"
#include "formats/import/row_stages.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/data/splits.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"
#include "tools/frame/shared_options.hpp"

namespace logpx {
namespace {

struct Options {
  std::string format, output, name, licence, citation;
  std::vector<std::string> inputs;
  StageOptions stages;
  ImportOptions import;

  void describe(Fields& f) {
    f.add_word("format", format, format_choices(), "what the inputs are")
        .metavar("FORMAT")
        .positional()
        .setting()
        .required();
    f.add("input", inputs, "files or folders in that format; - is stdin")
        .metavar("INPUT")
        .positional()
        .required()
        .files("*/");
    describe_output(f, output, "where to write the dataset", {{"h5"}}).required();
    f.add("name", name, "name of the dataset").shows_default("FORMAT").rank(Rank::manual);
    f.add("licence", licence, "terms of the data").rank(Rank::manual);
    f.add("citation", citation, "whom to cite").rank(Rank::manual);
    stages.describe(f);
    import.describe(f);
  }
};

const ToolSpec spec{
    .name = "pack-data",
    .purpose = "turn foreign files into a dataset",
    .usage = {"FORMAT INPUT... -o OUT.h5 [options]"},
    .examples = {{"pack-data idx train-images.gz --labels train-labels.gz -o mnist.h5", "MNIST"},
                 {"pack-data images faces --size 64x64 --fit crop --gray -o faces.h5", "a folder"},
                 {"pack-data smiles my.smi -o molecules.h5", "molecules"},
                 {"pack-data text book.txt --normalize text8 -o book.h5", "letters"}},
    .kind = ToolKind::maker,
    .without_effect = {"seed", "memory"}};

void complete(DatasetInfo& info, const Options& o) {
  info.name = o.name.empty() ? o.format : o.name;
  info.licence = o.licence;
  info.citation = o.citation;
  if (!o.stages.split.empty()) info.splits = o.stages.splits_of(info.n);
}

void standardise(App& app, const ColumnStatistics& statistics, DatasetInfo& info) {
  ColumnStatistics::Result found = statistics.finish(info);
  info.standardisation = std::move(found.scale);
  app.detail("means and deviations are those of " + found.rows);
  if (!found.constant.empty())
    app.warn("every value is the same in " + join_list(found.constant) +
             ": its deviation counts as 1");
}

void tell(App& app, const ImportRecord& record, const std::string& format) {
  for (const SourceFile& source : record.sources)
    app.add_input({.role = "source",
                   .path = source.name,
                   .kind = format,
                   .bytes = source.bytes,
                   .content_hash = source.sha256,
                   .provenance = {}});
  const ShownColumns shown = app.is_verbose() ? ShownColumns::all : ShownColumns::first;
  for (const std::string& line : column_lines(record, shown)) app.say("  " + line);
  for (const std::string& note : record.notes) app.detail(note);
  for (const std::string& warning : record.warnings) app.warn(warning);
}

// Settles what the format is.
std::unique_ptr<Importer> open_importer(App& app, Options& o) {
  Inputs inputs(o.inputs.begin(), o.inputs.end());
  const bool guess = o.format == "auto";
  const ImportFormat& format = guess ? detect_format(inputs.front()) : *find_format(o.format);
  o.format = format.word;
  if (guess) app.detail(o.inputs.front() + " looks like " + o.format);
  check_used(app.fields(), format);
  settle_groups(o.stages, o.import);
  return open_import(format, std::move(inputs), o.import);
}

void run(App& app, Options& o) {
  const double start = wall_seconds();
  const std::unique_ptr<Importer> importer = open_importer(app, o);
  const auto progress = app.progress("rows", static_cast<double>(importer->info().n));
  importer->share_work(app.workers(),
                       [&](std::int64_t done) { progress->update(static_cast<double>(done)); });
  if (app.dry_run()) o.stages.shuffle_seed.reset();  // shuffling would spool all rows
  const RowStages stages(*importer, o.stages, spool_folder_beside(o.output));

  std::optional<OutputFile> out;
  std::optional<DatasetWriter> writer;
  std::vector<std::int32_t> labels;
  std::optional<ColumnStatistics> statistics;
  if (o.import.standardise) statistics.emplace(spool_folder_beside(o.output));
  std::int64_t done = 0;
  for (Rows rows; stages.last().next(rows);) {
    progress->update(static_cast<double>(done += rows.count));
    if (statistics) statistics->append(stages.last().info(), rows);
    if (app.dry_run()) continue;
    if (!writer) {
      out.emplace(o.output, app.overwrite());
      writer.emplace(*out, stages.last().info(), &app.workers());
    }
    writer->append(rows);
    labels.insert(labels.end(), rows.y.begin(), rows.y.end());
  }
  progress->erase();

  DatasetInfo info = stages.last().info();
  const ImportRecord record = importer->finish();
  complete(info, o);
  info.splits = end_at_groups(std::move(info.splits), record.group_ends);
  if (statistics) standardise(app, *statistics, info);
  tell(app, record, o.format);
  app.result() = summary_json(info, record);
  const std::string what = std::to_string(info.n) + " rows of " + shape_words(info) +
                           said_words(record) + left_out_words(record);
  if (app.dry_run()) return app.say(what + ", nothing written");

  for (const std::string& lacking : lacking_classes(info, labels)) app.warn(lacking);
  const std::string hash = writer->finish(info, with_sources(app.provenance(), record));
  out->commit();
  app.add_output({.role = "dataset",
                  .path = o.output,
                  .kind = "dataset",
                  .bytes = out->bytes(),
                  .content_hash = hash,
                  .provenance = {}});
  app.say(what + " -> " + o.output + " (" + human_bytes(out->bytes()) + ", " +
          human_seconds(wall_seconds() - start) + ")");
  app.next("inspect " + shell_word(o.output));
}

}  // namespace
}  // namespace logpx

int main(int argc, char** argv) {
  return logpx::run_tool<logpx::Options>(argc, argv, logpx::spec, logpx::run);
}
