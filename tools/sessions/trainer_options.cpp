#include "tools/sessions/trainer_options.hpp"

#include "formats/dataset_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/shared_options.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

// Reads rows; `name` is used in messages about a row.
HeldRows read_rows(DatasetFile& file, const std::string& name, const RowSelection& selection) {
  HeldRows held{.info = file.info(), .rows = {}, .first = selection.begin};
  held.info.name = name;
  held.rows = file.read(selection.begin, selection.end);
  return held;
}

void note_input(App& app, const std::string& role, const HeldRows& held, const DatasetFile& file) {
  app.add_input({.role = role,
                 .path = held.info.name,
                 .kind = "dataset",
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance(),
                 .rows = std::pair(held.first, held.first + held.rows.count)});
}

// The last rows of the training data, as many as the fraction says.
HeldRows hold_out(HeldRows& train, double fraction) {
  const std::int64_t n = train.rows.count;
  const auto held = static_cast<std::int64_t>(std::llround(fraction * static_cast<double>(n)));
  if (held == 0 || held == n)
    fail(ErrorKind::usage, "--valid",
         "holds out " + std::to_string(held) + " of " + std::to_string(n) + " rows");
  HeldRows valid{.info = train.info,
                 .rows = slice_rows(train.rows, n - held, n),
                 .first = train.first + n - held};
  train.rows = slice_rows(train.rows, 0, n - held);
  return valid;
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

TaskData TrainingData::rows() const {
  TaskData rows{.train = train.examples()};
  if (valid) rows.valid.emplace(valid->examples());
  return rows;
}

TrainingData load_training_data(App& app, const DataChoice& choice, const TrainOptions& training) {
  const DatasetName name = parse_dataset_name(choice.data);
  DatasetFile file(name.path);
  if (file.info().content == Content::molecules && !choice.reads_molecules)
    fail(ErrorKind::data, choice.data, "holds molecules, which these models do not read",
         "train-arm reads molecules");
  const RowSelection rows = select_rows(file.info(), name, "train", choice.rows);
  if (rows.begin == rows.end) fail(ErrorKind::data, choice.data, "has no rows to train on");
  TrainingData data{.train = read_rows(file, name.path, rows),
                    .valid = std::nullopt,
                    .hash = file.content_hash()};
  const auto fraction = training.valid_fraction();
  if (fraction && *fraction > 0) data.valid = hold_out(data.train, *fraction);
  note_input(app, "dataset", data.train, file);
  if (fraction) return data;
  const auto first_rows = [&](RowSelection all) {
    all.end = std::min(all.end, all.begin + curve_rows);
    return all;
  };
  if (training.valid) {
    const DatasetName other = parse_dataset_name(*training.valid);
    DatasetFile held(other.path);
    if (held.info().shape != file.info().shape || held.info().levels != file.info().levels)
      fail(ErrorKind::data, *training.valid, "has rows of another kind than " + name.path);
    require_same_columns(held.info(), file.info(), *training.valid);
    require_same_atoms(held.info(), file.info(), *training.valid);
    data.valid =
        read_rows(held, other.path, first_rows(select_rows(held.info(), other, "valid", {})));
    note_input(app, "validation", *data.valid, held);
  } else if (file.info().find_split("valid") != nullptr && name.split != "valid") {
    data.valid = read_rows(file, name.path,
                           first_rows(select_rows(file.info(), {name.path, "valid"}, "", {})));
  }
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

void TrainerFrame::run_session(App& app, const Trainee& trainee,
                               const std::string& data_hash) const {
  TrainSession session(app, trainee.options, files, output);
  session.run(
      {.task = *trainee.task,
       .model = *trainee.model,
       .data_hash = data_hash,
       .given_hash = trainee.given_hash,
       .next = "elbo-eval " + shell_word(output) + ' ' + App::again(data.data, "DATASET.h5"),
       .notes = trainee.notes});
}

}  // namespace logpx
