#include "tools/sessions/trainer_options.hpp"

#include "formats/dataset_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"
#include "tools/frame/shared_options.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

namespace logpx {
namespace {

// Rows of a file before they are read; messages about a row name it as it was named.
RowSpan span_of(const DatasetFile& file, const std::string& name, const RowSelection& selection) {
  RowSpan span{
      .info = file.info(), .first = selection.begin, .count = selection.end - selection.begin};
  span.info.name = name;
  return span;
}

// The last rows of the training data, as many as the fraction says.
RowSpan hold_out(RowSpan& train, double fraction) {
  const std::int64_t n = train.count;
  const auto held = static_cast<std::int64_t>(std::llround(fraction * static_cast<double>(n)));
  if (held == 0 || held == n)
    fail(ErrorKind::usage, "--valid",
         "holds out " + std::to_string(held) + " of " + std::to_string(n) + " rows");
  train.count = n - held;
  return {.info = train.info, .first = train.first + n - held, .count = held};
}

void note_input(App& app, const std::string& role, const RowSpan& rows, const DatasetFile& file) {
  app.add_input({.role = role,
                 .path = rows.info.name,
                 .kind = "dataset",
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance(),
                 .rows = std::pair(rows.first, rows.first + rows.count)});
}

// The validation rows, of the file of the training rows unless --valid names another one.
std::optional<RowSpan> valid_rows(App& app, const DatasetName& name, const TrainOptions& training,
                                  TrainingData& data) {
  const DatasetInfo& info = data.file->info();
  const auto first_rows = [&](RowSelection all) {
    all.end = std::min(all.end, all.begin + curve_rows);
    return all;
  };
  if (!training.valid) {
    if (info.find_split("valid") == nullptr || name.split == "valid") return std::nullopt;
    return span_of(*data.file, name.path,
                   first_rows(select_rows(info, {name.path, "valid"}, "", {})));
  }
  const DatasetName other = parse_dataset_name(*training.valid);
  data.valid_file = std::make_unique<DatasetFile>(other.path);
  const DatasetInfo& held = data.valid_file->info();
  if (held.shape != info.shape || held.levels != info.levels)
    fail(ErrorKind::data, *training.valid, "has rows of another kind than " + name.path);
  require_same_columns(held, info, *training.valid);
  require_same_atoms(held, info, *training.valid);
  RowSpan rows =
      span_of(*data.valid_file, other.path, first_rows(select_rows(held, other, "valid", {})));
  note_input(app, "validation", rows, *data.valid_file);
  return rows;
}

// A line of progress while all rows are read once, as before the first step.
std::function<void(std::int64_t)> progress_of_walks(App& app, std::int64_t count) {
  auto shown = std::make_shared<std::unique_ptr<Progress>>();
  return [&app, count, shown](std::int64_t rows) {
    if (!*shown) *shown = app.progress("row", static_cast<double>(count));
    (*shown)->update(static_cast<double>(rows), "read once before the first step");
    if (rows == count) shown->reset();
  };
}

std::string size_text(std::int64_t bytes) { return human_bytes(static_cast<std::uint64_t>(bytes)); }

// How the rows of training are cut; `all`: with those of validation, which must fit as well where
// all are held.
RowChunks cut_rows(const RowSpan& rows, std::int64_t all, const std::string& needs_all,
                   std::int64_t memory) {
  constexpr std::int64_t mebi = std::int64_t{1} << 20;
  if (needs_all.empty()) return chunks_within(rows.info, rows.count, memory);
  const std::int64_t bytes = bytes_of_rows(rows.info, all);
  if (bytes <= memory) return {};
  fail(ErrorKind::usage, "--memory",
       "allows " + size_text(memory) + ", and the rows of " + rows.info.name + " take " +
           size_text(bytes) + "; " + needs_all,
       "--memory " + std::to_string(memory_for(rows.info, all, {}) / mebi + 1) + "Mi");
}

}  // namespace

void DataChoice::describe(Fields& f) {
  f.add("dataset", data,
        "training data (logpx-dataset(5)); its split train, unless another is named")
      .positional()
      .required()
      .metavar("DATASET[:SPLIT]")
      .files("*.h5 of dataset");
  f.group("data");
  rows.describe(f, "train on").limit.rank(Rank::manual);
}

TrainingData::TrainingData() = default;
TrainingData::~TrainingData() = default;
TrainingData::TrainingData(TrainingData&&) noexcept = default;

TaskData TrainingData::rows() const {
  TaskData rows{.train = *train};
  if (valid) rows.valid.emplace(*valid);
  return rows;
}

TrainingData load_training_data(App& app, const DataChoice& choice, const TrainOptions& training) {
  const DatasetName name = parse_dataset_name(choice.data);
  TrainingData data;
  data.file = std::make_unique<DatasetFile>(name.path);
  const DatasetInfo& info = data.file->info();
  const bool molecules = info.content == Content::molecules;
  if (molecules && !choice.reads_molecules)
    fail(ErrorKind::data, choice.data, "holds molecules, which these models do not read",
         "train-arm reads molecules");
  RowSpan train = span_of(*data.file, name.path, select_rows(info, name, "train", choice.rows));
  if (train.count == 0) fail(ErrorKind::data, choice.data, "has no rows to train on");
  data.hash = data.file->content_hash();
  const auto fraction = training.valid_fraction();
  std::optional<RowSpan> valid;
  if (fraction && *fraction > 0) valid = hold_out(train, *fraction);
  note_input(app, "dataset", train, *data.file);
  if (!fraction) valid = valid_rows(app, name, training, data);
  const std::int64_t all = train.count + (valid ? valid->count : 0);
  const std::string needs_all =
      molecules ? "graphs are built for the sizes of all molecules" : choice.needs_all;
  const auto memory = static_cast<std::int64_t>(app.memory());
  const RowChunks chunks = cut_rows(train, all, needs_all, memory);
  if (chunks.any())
    data.note = "rows are read in chunks of " + std::to_string(chunks.rows) +
                " and shuffled among " + counted(chunks.held, "chunk") + ", since all take " +
                size_text(bytes_of_rows(info, train.count)) + ", more than a third of --memory";
  if (valid) {
    DatasetFile& from = data.valid_file ? *data.valid_file : *data.file;
    data.valid = std::make_unique<RowStore>(from, std::move(*valid), chunks);
  }
  data.train = std::make_unique<RowStore>(*data.file, std::move(train), chunks);
  data.train->tell_of_walks(progress_of_walks(app, data.train->span().count));
  return data;
}

void TrainerFrame::describe_frame(Fields& f, const std::vector<Choice>& presets) {
  data.describe(f);
  describe_output(f, output, "where to write the model", {{"h5"}}).required();
  f.group("settings");
  f.add_word("preset", preset, presets, "settings by name")
      .about(
          "A preset is a set of settings that go together; an option or a settings file beside it "
          "changes single ones. tiny shows in seconds whether a command works, before it is to run "
          "for hours.")
      .metavar("NAME")
      .shows_default(presets.front().word)
      .external();
}

void TrainerFrame::run_session(App& app, const Trainee& trainee, const TrainingData& of) const {
  TrainSession session(app, trainee.options, files, output);
  std::vector<std::string> notes = trainee.notes;
  if (!of.note.empty()) notes.push_back(of.note);
  session.run(
      {.task = *trainee.task,
       .model = *trainee.model,
       .data_hash = of.hash,
       .given_hash = trainee.given_hash,
       .next = "elbo-eval " + shell_word(output) + ' ' + App::again(data.data, "DATASET.h5"),
       .notes = std::move(notes)});
}

}  // namespace logpx
