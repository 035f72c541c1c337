// pack-data: foreign files to a dataset artifact. What formats there are and how each is read lies
// in formats/import; this file only puts the parts in a row.   [logpx-dataset(5)]
#include "formats/dataset_file.hpp"
#include "formats/import/import_json.hpp"
#include "formats/import/importer.hpp"
#include "formats/import/row_stages.hpp"
#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/common/app.hpp"
#include "tools/common/progress.hpp"

namespace logpx {
namespace {

struct Options {
  std::string format, output, name, licence, citation, split, binarise = "none";
  std::vector<std::string> inputs;
  std::optional<std::int64_t> shuffle_seed, limit;
  std::optional<RowRange> rows;
  bool allow_overlap = false;
  ImportOptions import;

  void describe(Fields& f) {
    f.add_word("format", format, format_words(), "what the inputs are; auto: by their first bytes")
        .metavar("FORMAT")
        .positional()
        .setting()
        .required();
    f.add("input", inputs, "files or folders in that format; - is stdin")
        .metavar("INPUT")
        .positional()
        .required()
        .files("*/");
    f.group("output");
    f.add("output", output, "where to write the dataset")
        .short_name('o')
        .metavar("PATH")
        .output()
        .required()
        .files("*.h5");
    f.add("name", name, "name of the dataset").shows_default("FORMAT").rank(Rank::manual);
    f.add("licence", licence, "terms of the data").rank(Rank::manual);
    f.add("citation", citation, "whom to cite").rank(Rank::manual);
    f.group("rows");
    f.add("rows", rows, "only rows A to B-1").metavar("A:B");
    f.add("limit", limit, "only the first N of these").metavar("N").at_least(1);
    f.add("shuffle-seed", shuffle_seed, "permute the rows before cutting splits")
        .at_least(0)
        .rank(Rank::manual);
    f.add("split", split, "named splits, in order: NAME:COUNT, NAME:rest or NAME:A-B")
        .metavar("SPEC");
    f.add("allow-overlap", allow_overlap, "splits may share rows").rank(Rank::manual);
    f.add("binarise", binarise, "store bits: threshold[:T] or static")
        .rank(Rank::manual)
        .metavar("RULE");
    import.describe(f);
  }
};

const ToolSpec spec{
    .name = "pack-data",
    .purpose = "turn foreign files into a dataset",
    .usage = {"FORMAT INPUT... -o OUT.h5 [options]"},
    .examples = {{"pack-data idx train-images.gz --labels train-labels.gz -o mnist.h5", "MNIST"},
                 {"pack-data images faces --size 64x64 --fit crop --gray -o faces.h5", "a folder"},
                 {"pack-data text book.txt --normalize text8 -o book.h5", "27 symbols"}},
    .kind = ToolKind::maker};

// --rows, --limit, --shuffle-seed and --binarise, each on top of the one before.
struct Stages {
  std::vector<std::unique_ptr<RowStream>> made;
  RowStream* last;

  Stages(RowStream& source, const Options& o) : last(&source) {
    const bool reorders = o.rows || o.limit || o.shuffle_seed || !o.split.empty();
    if (!o.import.split_chars.empty() && reorders)
      fail(ErrorKind::usage, "--split-chars",
           "excludes --split, --rows, --limit and --shuffle-seed");
    const Binarisation bits = parse_binarisation(o.binarise);
    if (o.rows || o.limit) add(std::make_unique<ChosenRows>(*last, o.rows, o.limit));
    if (o.shuffle_seed) {
      const Rng rng(static_cast<std::uint64_t>(*o.shuffle_seed));
      add(std::make_unique<ShuffledRows>(*last, rng.stream(Stream::shuffle),
                                         spool_folder_beside(o.output)));
    }
    if (bits.rule != Binarise::none) add(std::make_unique<BinarisedRows>(*last, bits));
  }
  void add(std::unique_ptr<RowStream> stage) {
    last = stage.get();
    made.push_back(std::move(stage));
  }
};

void complete(DatasetInfo& info, const Options& o) {
  info.name = o.name.empty() ? o.format : o.name;
  info.licence = o.licence;
  info.citation = o.citation;
  if (!o.split.empty())
    info.splits = parse_splits(o.split, info.n, o.allow_overlap ? Overlap::allow : Overlap::refuse);
}

void run(App& app, Options& o) {
  const double start = wall_seconds();
  Inputs inputs(o.inputs.begin(), o.inputs.end());
  const bool guess = o.format == "auto";
  const Format format = guess ? detect_format(inputs.front()) : *format_of(o.format);
  if (guess) app.detail(o.inputs.front() + " looks like " + word_of(format));
  o.format = word_of(format);
  check_used(app.fields(), format);
  const std::unique_ptr<Importer> importer = open_import(format, std::move(inputs), o.import);
  const Stages stages(*importer, o);

  std::optional<OutputFile> out;
  std::optional<DatasetWriter> writer;
  const auto progress = app.progress("rows", static_cast<double>(importer->info().n));
  std::int64_t done = 0;
  for (Rows rows; stages.last->next(rows);) {
    progress->update(static_cast<double>(done += rows.count));
    if (app.dry_run()) continue;
    if (!writer) {
      out.emplace(o.output, app.overwrite());
      writer.emplace(*out, stages.last->info(), &app.workers());
    }
    writer->append(rows);
  }
  progress->erase();

  DatasetInfo info = stages.last->info();
  complete(info, o);
  const ImportRecord record = importer->finish();
  for (const SourceFile& source : record.sources)
    app.add_input({.role = "source",
                   .path = source.name,
                   .kind = o.format,
                   .bytes = source.bytes,
                   .content_hash = source.sha256,
                   .provenance = {}});
  for (const std::string& note : record.notes) app.detail(note);
  for (const std::string& warning : record.warnings) app.warn(warning);
  app.result() = summary_json(info);
  const std::string what = std::to_string(info.n) + " rows of " + shape_words(info);
  if (app.dry_run()) return app.say(what + ", nothing written");

  Json provenance = app.provenance();
  provenance.set("sources", sources_json(record));
  const std::string hash = writer->finish(info, provenance);
  out->commit();
  app.add_output({.role = "dataset",
                  .path = o.output,
                  .kind = "dataset",
                  .bytes = out->bytes(),
                  .content_hash = hash,
                  .provenance = {}});
  app.say(what + " -> " + o.output + " (" + human_bytes(out->bytes()) + ", " +
          human_seconds(wall_seconds() - start) + ")");
  app.next("inspect " + o.output);
}

}  // namespace
}  // namespace logpx

int main(int argc, char** argv) {
  return logpx::run_tool<logpx::Options>(argc, argv, logpx::spec, logpx::run);
}
